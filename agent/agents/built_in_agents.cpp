// The agents that come with the program, under the names that clients and models know.
#include "agent/agents/agent_catalog.hpp"

namespace parley::agent {
namespace {

constexpr const char* kWorker =
    "You are a subagent: another agent has given you one piece of its work. Do all of it and "
    "nothing "
    "else. Look before you change, prefer editing files to making new ones, and use several tools "
    "at "
    "once where they do not depend on each other. Your last message is your report, and all that "
    "the other agent will see: say what you found or did, with paths and lines, briefly.";

constexpr const char* kExplorer =
    "You are a subagent that finds things in a code base. You only read: never change a file, and "
    "run "
    "no command that does. Search broadly first, then read the parts that matter. Your last "
    "message "
    "is your report: the places you found (path:line) and what they say, as short as it can be.";

constexpr const char* kPlanner =
    "You are a subagent that plans changes to a code base. You only read: never change a file, and "
    "run no command that does. Find out how the code works today, weigh the ways to do what is "
    "asked, "
    "and choose one. Your last message is your report: the steps in order, the files that matter "
    "most, and what could go wrong.";

constexpr const char* kStatusLine =
    "You are a subagent that sets up the status line of the user's coding agent: the command in "
    "`statusLine` of the user's settings file. Read what is there, change only that, and report "
    "what "
    "you set.";

KnownAgent built_in(const char* name, const char* description, const char* prompt) {
  KnownAgent agent;
  agent.name = name;
  agent.definition.description = description;
  agent.definition.prompt = prompt;
  agent.built_in = true;
  return agent;
}

/// Only reads, and has nobody read for it.
KnownAgent reader(const char* name, const char* description, const char* prompt) {
  KnownAgent agent = built_in(name, description, prompt);
  agent.definition.disallowedTools =
      std::vector<std::string>{"Agent", "Edit", "MultiEdit", "NotebookEdit", "Write"};
  agent.definition.model = "inherit";
  agent.definition.omitClaudeMd = true;
  return agent;
}

}  // namespace

std::vector<KnownAgent> built_in_agents() {
  std::vector<KnownAgent> agents;
  agents.push_back(built_in("claude", "For work that fits none of the others.", kWorker));
  agents.push_back(
      reader("Explore",
             "Finds files, symbols and passages in a code base, without changing anything. Say how "
             "thorough it is to be: \"quick\", \"medium\" or \"very thorough\". It reads passages, "
             "not whole files: not for reviews.",
             kExplorer));
  agents.push_back(
      built_in("general-purpose",
               "Researches questions, searches code and does work of several steps. Use "
               "it when you are not sure to find something in the first few tries.",
               kWorker));
  agents.push_back(reader("Plan",
                          "Works out how a change is to be made: steps, files that matter, choices "
                          "and their price. It changes nothing.",
                          kPlanner));
  KnownAgent status = built_in("statusline-setup", "Sets up the user's status line.", kStatusLine);
  status.definition.tools = std::vector<std::string>{"Read", "Edit"};
  status.definition.model = "sonnet";
  agents.push_back(std::move(status));
  return agents;
}

}  // namespace parley::agent
