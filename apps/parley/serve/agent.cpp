#include "apps/parley/serve/agent.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "apps/parley/serve/own_agent.hpp"
#include "history/listing/roots.hpp"
#include "model/demo/demo.hpp"

namespace parley::app {
namespace {

namespace fs = std::filesystem;

/// Something to list, read, edit and run. What is there already stays as it is.
Result<void> fill_scratch(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error(ErrorCode::io, error.message(), folder.string());
  constexpr std::array<std::pair<const char*, const char*>, 3> kFiles = {{
      {"README.md",
       "# Demo\n\nA scratch folder. The agent reads, edits and runs what is in here.\n"},
      {"notes.txt", "milk\nbread\ncoffee\n"},
      {"hello.py",
       "def greet(name):\n    return \"Hello, \" + name\n\n\nprint(greet(\"world\"))\n"},
  }};
  for (const auto& [name, text] : kFiles) {
    const fs::path file = folder / name;
    if (!fs::exists(file, error)) std::ofstream(file) << text;
  }
  return {};
}

Result<void> start_demo(const fs::path& data, ServeAgent& agent) {
  auto model = model::ModelServer::start(std::make_shared<model::Demo>());
  if (!model) return model.error();
  agent.model = *std::move(model);
  agent.scratch = data / "demo";
  if (auto filled = fill_scratch(agent.scratch); !filled) return filled;
  // A home of its own: neither keys nor settings of the user have a part in the demo.
  const std::string config = (data / "demo-config").string();
  agent.options.process.environment = {{"ANTHROPIC_BASE_URL", agent.model->url()},
                                       {"ANTHROPIC_API_KEY", "demo"},
                                       {"CLAUDE_CONFIG_DIR", config},
                                       {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                                       {"CLAUDE_CODE_ENABLE_TASKS", "false"}};
  agent.transcript_roots = {config};
  // The demo keeps a todo list too. Agents offer that tool only where it is named and their newer
  // tasks are off, and then no other tool that is not named.
  agent.options.tools.built_in =
      std::vector<std::string>{"AskUserQuestion", "Bash",     "Edit", "EnterPlanMode",
                               "ExitPlanMode",    "Glob",     "Grep", "Read",
                               "TodoWrite",       "WebFetch", "Write"};
  return {};
}

/// Before the first session fails for it.
Result<void> check_program(const CliSearch& cli) {
  if (cli.program.empty()) return Error(ErrorCode::invalid, "names no program", "--agent");
  std::string verdict;
  for (const CliCandidate& candidate : list_cli_candidates(cli)) {
    if (candidate.verdict == "found") return {};
    verdict = candidate.path.string() + " " + candidate.verdict;
  }
  return Error(ErrorCode::not_found, verdict, "--agent");
}

}  // namespace

Result<ServeAgent> choose_agent(const ServeAgentChoice& choice) {
  ServeAgent agent;
  CliSearch& cli = agent.options.cli;
  agent.transcript_roots =
      history::default_roots([](const char* name) { return std::getenv(name); });
  bool own = false;
  if (!choice.command.empty()) {
    std::istringstream words(choice.command);
    words >> cli.program;
    for (std::string word; words >> word;) cli.leading_arguments.push_back(word);
    if (auto usable = check_program(cli); !usable) return usable.error();
  } else if (const auto found = find_cli(CliSearch{}); found && !choice.demo) {
    cli.program = found->program.string();
    cli.leading_arguments = found->leading_arguments;
  } else if (const fs::path path = own_agent(); !path.empty()) {
    cli.program = path.string();
    own = true;
  } else {
    return Error(ErrorCode::not_found,
                 "there is neither `claude` nor parley-agent; name a program with --agent");
  }
  agent.command = cli.program;
  for (const std::string& argument : cli.leading_arguments) agent.command += " " + argument;
  if (choice.demo || (own && !own_agent_has_key())) {
    if (auto started = start_demo(choice.data, agent); !started) return started.error();
  }
  return agent;
}

}  // namespace parley::app
