// What control requests reach, with a fake client in front of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "../fakes/fakes.hpp"
#include "agent/control/control.hpp"
#include "agent/mcp/servers.hpp"

namespace parley::agent {

class ControlTest : public ::testing::Test {
 protected:
  /// Serves a request of this body and gives the answer to it as JSON: the body of a success, or
  /// {"error": ..., "code": ...}.
  Json ask(ControlBody body) {
    goes_on = handle_request(context, {"request", std::move(body), {}});
    return answer();
  }
  /// The last answer.
  Json answer() {
    const ControlResponse response = client.last<ControlResponse>();
    if (const auto* good = std::get_if<ControlSuccess>(&response.response)) {
      EXPECT_EQ(good->request_id, "request");
      return good->response ? good->response->json().value() : Json();
    }
    const auto& bad = std::get<ControlFailure>(response.response);
    return Json::object({{"error", bad.error}, {"code", bad.error_code.value_or("")}});
  }

  static Permissions::Setup permission_setup(const std::string& folder) {
    Permissions::Setup setup;
    setup.start_folder = setup.home = setup.config_folder = folder;
    return setup;
  }
  static Hooks::Setup hook_setup() {
    Hooks::Setup setup;
    setup.make_id = make_uuid;
    return setup;
  }

  const std::string folder = std::filesystem::temp_directory_path().string();
  FakeClient client;
  FakeTranscript transcript;
  SessionConfig config{Flags{}, {{"HOME", folder}}, folder};
  Guarded<SessionOverrides> overrides;
  Guarded<SessionTotals> totals;
  SessionCost cost;
  Conversation conversation;
  Asker asker{client};
  PromptQueue prompts;
  PromptReporter reporter{{config.session_id, true}, client};
  StatusReporter status{false, client};
  RunningTurn running;
  SessionTitle title{std::nullopt, transcript, client};
  Permissions permissions{permission_setup(folder)};
  FakeMcpHost host;
  McpServers servers{{}, host};
  SessionTools tools{{config, permissions, status, servers, {}}};
  Hooks hooks{hook_setup()};
  ApiAccess access;
  ControlContext context{config,      overrides, totals,   cost,   conversation, client,
                         asker,       prompts,   reporter, status, running,      title,
                         permissions, tools,     hooks,    access, servers};
  bool goes_on = true;
};

}  // namespace parley::agent
