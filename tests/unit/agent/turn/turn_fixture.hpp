// A session's turns with fakes around them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "../fakes/fakes.hpp"
#include "agent/connection/message_parts.hpp"
#include "agent/turn/turn.hpp"

namespace parley::agent {

class TurnTest : public ::testing::Test {
 protected:
  /// Runs one turn and gives its result.
  ResultMessage run(const std::string& prompt) {
    Turn(session).run({prompt_of(prompt)});
    return client.last<ResultMessage>();
  }
  /// A hook of the client that answers with this JSON, one after the other; the last one stays.
  void hook(const std::string& event, std::deque<std::string> answers) {
    const std::string id = event + "-" + std::to_string(registered.size());
    hook_answers.change([&](HookAnswers& all) { all[id] = std::move(answers); });
    HookMatcher matcher;
    matcher.hookCallbackIds = {id};
    registered[event].push_back(std::move(matcher));
    hooks.register_callbacks(registered);
  }
  Result<RawJson> hook_answer(const std::string& id) {
    std::string answer;
    hook_answers.change([&](HookAnswers& all) {
      answer = all[id].front();
      if (all[id].size() > 1) all[id].pop_front();
    });
    return RawJson(answer);
  }
  /// What the model was told in its request of that number, from 1.
  std::string told_in(std::size_t number) { return told(model.requests().at(number - 1)); }
  /// The results of tools that the client saw, in order: "id: text".
  std::vector<std::string> shown_results() {
    std::vector<std::string> all;
    for (const UserMessage& message : client.all<UserMessage>()) {
      const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.message.content);
      if (blocks == nullptr) continue;
      for (const ContentBlock& block : *blocks) {
        const auto* result = std::get_if<ToolResultBlock>(&block);
        if (result == nullptr) continue;
        all.push_back(result->tool_use_id + ": " + text_of(result->content.value_or(Content{})));
      }
    }
    return all;
  }

  FakeClient client;
  FakeModel model;
  FakeTools tools;
  FakePermissions permissions;
  FakeTranscript transcript;
  FakeRequests requests;
  Conversation conversation;
  Asker asker{client};
  PromptQueue prompts;
  PromptReporter reporter{{"session", false}, client};
  StatusReporter status{false, client};
  Guarded<SessionOverrides> overrides;
  Guarded<SessionTotals> totals;
  SessionCost cost;
  SessionTitle title{std::nullopt, transcript, client};
  DebugLog debug;
  using HookAnswers = std::map<std::string, std::deque<std::string>>;
  Guarded<HookAnswers> hook_answers;
  Map<std::vector<HookMatcher>> registered;
  Hooks hooks{
      {.commands = {},
       .cwd = "/",
       .environment = {},
       .ask = [this](const std::string& id, const HookInput&, const std::optional<std::string>&,
                     std::optional<std::chrono::milliseconds>, std::stop_token,
                     const std::function<void()>& asked) -> std::optional<Result<RawJson>> {
         asked();
         return hook_answer(id);
       },
       .show = [](const HookRun&) {},
       .make_id = make_uuid}};
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
};

}  // namespace parley::agent
