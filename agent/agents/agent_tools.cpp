#include "agent/agents/agent_tools.hpp"

#include "agent/agents/subagents.hpp"
#include "agent/tools/schema/input_schema.hpp"

namespace parley::agent {
namespace {

class AgentTool final : public Tool {
 public:
  AgentTool(Subagents& subagents, AgentCaller caller)
      : subagents_(subagents), caller_(std::move(caller)) {}

  std::string_view name() const override { return "Agent"; }
  std::string description() const override {
    std::string text =
        "Gives a piece of work to a subagent: an agent with a conversation of its own, that sees "
        "nothing of yours and of which you see only the report. Use it for work that stands by "
        "itself, for searches whose details you do not need, and for several things at once: calls "
        "of one answer run beside each other.\n"
        "- Say everything in `prompt` that the agent has to know, and what its report is to hold.\n"
        "- It works in the background and you are told when it has ended. Set `run_in_background` "
        "to "
        "false if you cannot go on without it.\n"
        "- What it reports is its word: check what matters.\n\nThe agents, for `subagent_type`:";
    for (const KnownAgent& agent : subagents_.catalog().list()) {
      text += "\n- " + agent.name + ": " + agent.definition.description;
    }
    return text;
  }
  Json input_schema() const override {
    return schema::object(
        {{"description", schema::string("The work in three to five words"), true},
         {"prompt", schema::string("The work in full"), true},
         {"subagent_type", schema::string("Which agent; general-purpose if left out")},
         {"model", schema::one_of({"sonnet", "opus", "haiku"})},
         {"run_in_background", schema::boolean("Answer at once; true if left out")},
         {"name", schema::string("A name for it")}});
  }
  bool concurrent(const RawJson& /*input*/) const override { return true; }
  Intent intent(const ToolCall& /*call*/) const override { return {}; }
  std::string summary(const RawJson& input) const override {
    const auto json = input.json();
    return json ? std::string((*json)["description"].as_string()) : std::string();
  }
  std::function<void()> open(const ToolCall& call) const override {
    return subagents_.open(caller_, call);
  }
  ToolOutput run(const ToolCall& call) const override { return subagents_.run(caller_, call); }

 private:
  Subagents& subagents_;
  const AgentCaller caller_;
};

class SendMessageTool final : public Tool {
 public:
  SendMessageTool(Subagents& subagents, AgentCaller caller)
      : subagents_(subagents), caller_(std::move(caller)) {}

  std::string_view name() const override { return "SendMessage"; }
  std::string description() const override {
    return "Sends a message to a subagent by its id. One that still works reads it at its next "
           "step; "
           "one that has ended goes on with it, in the background, and knows all it knew before.";
  }
  Json input_schema() const override {
    return schema::object({{"to", schema::string("The id of the agent"), true},
                           {"message", schema::string("What it is to read"), true},
                           {"summary", schema::string("The message in five to ten words")}});
  }
  Intent intent(const ToolCall& /*call*/) const override { return {}; }
  ToolOutput run(const ToolCall& call) const override { return subagents_.send(caller_, call); }

 private:
  Subagents& subagents_;
  const AgentCaller caller_;
};

}  // namespace

SharedTool make_agent_tool(Subagents& subagents, const AgentCaller& caller) {
  return std::make_shared<AgentTool>(subagents, caller);
}

SharedTool make_send_message_tool(Subagents& subagents, const AgentCaller& caller) {
  return std::make_shared<SendMessageTool>(subagents, caller);
}

}  // namespace parley::agent
