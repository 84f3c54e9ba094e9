// A session that makes subagents, with fakes around it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "../fakes/fakes.hpp"
#include "agent/agents/subagents.hpp"
#include "agent/connection/message_parts.hpp"
#include "agent/connection/task_reporter.hpp"
#include "agent/turn/turn.hpp"
#include "support/random.hpp"

namespace parley::agent {

class AgentsTest : public ::testing::Test {
 protected:
  AgentsTest() {
    tasks().on_change([this](const BackgroundTask& task, BackgroundTasks::Change change) {
      task_reporter.on_change(task, change);
    });
    task_reporter.set_tell_agent([this](const std::string& agent, UserMessage message) {
      return subagents->tell(agent, std::move(message));
    });
    context.options.session_id = config.session_id;
    context.options.can_ask = true;
    subagents.emplace(AgentHost{
        context, config, overrides, permissions, catalog, [this] {
          return history::SessionPlace{config.config_folder, "-project", config.session_id};
        }});
    for (const SharedTool& tool : subagents->tools_for({})) tools.add(tool);
  }
  ~AgentsTest() override {
    subagents.reset();
    tools.state().end();  // nobody hears of tasks any more
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  static SessionConfig make_config(const std::filesystem::path& folder) {
    Flags flags;
    SessionConfig config(flags, {{"HOME", folder.string()}}, folder.string());
    config.session_id = make_uuid();
    return config;
  }
  static Permissions::Setup permission_setup(const std::filesystem::path& folder) {
    Permissions::Setup setup;
    setup.start_folder = setup.home = folder;
    setup.config_folder = folder / ".claude";
    return setup;
  }

  BackgroundTasks& tasks() { return tools.state().background_tasks(); }
  /// Runs one turn and gives its result.
  ResultMessage run(const std::string& prompt) {
    Turn(session).run({prompt_of(prompt)});
    return client.last<ResultMessage>();
  }
  /// A call of Agent.
  static ScriptedResponse::Call agent_call(const std::string& id, const std::string& prompt,
                                           bool background,
                                           const std::string& type = "general-purpose") {
    return {id, "Agent",
            Json::object({{"description", "work " + id},
                          {"prompt", prompt},
                          {"subagent_type", type},
                          {"run_in_background", background}})
                .dump()};
  }
  /// The first words of the user in a request: by them a script knows whose it is.
  static std::string first_words(const ApiRequest& request) {
    return text_of(request.messages.front().content);
  }
  /// How many messages of the model a request tells of: 0 in the first.
  static std::size_t answers(const ApiRequest& request) {
    return static_cast<std::size_t>(
        std::count_if(request.messages.begin(), request.messages.end(),
                      [](const MessageParam& message) { return message.role == "assistant"; }));
  }
  /// Text of the result that the client saw for a call.
  std::string result_of(const std::string& call_id) const {
    for (const UserMessage& message : client.all<UserMessage>()) {
      const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.message.content);
      if (blocks == nullptr) continue;
      for (const ContentBlock& block : *blocks) {
        const auto* result = std::get_if<ToolResultBlock>(&block);
        if (result == nullptr || result->tool_use_id != call_id) continue;
        return text_of(result->content.value_or(Content{}));
      }
    }
    return "(none)";
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("agents-test-" + make_uuid());
  FakeClient client;
  FakeModel model;
  FakeTools tools;
  const SessionConfig config = make_config(folder);
  Permissions permissions{permission_setup(folder)};
  AgentCatalog catalog{config};
  FakeTranscript transcript;
  FakeRequests requests;
  Conversation conversation;
  Asker asker{client};
  PromptQueue prompts;
  PromptReporter reporter{{"session", false}, client};
  TaskReporter task_reporter{client, prompts};
  StatusReporter status{false, client};
  Guarded<SessionOverrides> overrides;
  Guarded<SessionTotals> totals;
  SessionCost cost;
  SessionTitle title{std::nullopt, transcript, client};
  DebugLog debug;
  Hooks hooks{{}};
  BackgroundThreads threads;
  RunningTurn running;
  TurnContext context{{},     conversation, transcript, requests, tools, permissions,
                      client, prompts,      model,      asker,    hooks, cost,
                      totals, status,       threads,    debug};
  SessionTurnContext session{context,
                             overrides,
                             running,
                             title,
                             reporter,
                             [](const std::stop_token&) { return SystemInit{}; },
                             [](const std::string&, const std::stop_token&) {
                               return Result<std::string>(std::string());
                             }};
  std::optional<Subagents> subagents;
};

}  // namespace parley::agent
