// Everything that a turn needs, and nothing else: it knows neither the session nor the program.
// The first half of TurnContext makes one conversation different from another (what is said in it,
// with which tools, under which permissions); the second half may be shared by several that run at
// the same time, as those of a session and its subagents.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "../../wire/control/control.hpp"
#include "../../wire/messages/stream.hpp"
#include "../api/api_access.hpp"
#include "../api/api_outcome.hpp"
#include "../api/api_request.hpp"
#include "../connection/asker.hpp"
#include "../connection/prompt_queue.hpp"
#include "../connection/reporters.hpp"
#include "../hooks/hooks.hpp"
#include "../permissions/permissions.hpp"
#include "../session/background_threads.hpp"
#include "../session/config/debug_log.hpp"
#include "../session/conversation.hpp"
#include "../session/file_checkpoints.hpp"
#include "../session/guarded.hpp"
#include "../session/session_cost.hpp"
#include "../session/session_state.hpp"
#include "../session/transcript_writer.hpp"
#include "../tools/tool_set.hpp"

namespace parley::agent {

/// The model, over whatever leads there. Thread-safe: requests may run at once.
class ModelClient {
 public:
  virtual ~ModelClient() = default;
  using OnEvent = std::function<void(const ApiEvent& event, std::string_view json)>;
  /// Hands the events of the response over on the calling thread, as they come. `request_id` is
  /// set before the first of them, if the server has given the request one.
  virtual ApiOutcome stream(const ApiRequest& request, std::stop_token stop,
                            const OnEvent& on_event, std::string& request_id) = 0;
  /// Without streaming; a good response is in `ApiOutcome::body`, whole.
  virtual ApiOutcome send(const ApiRequest& request, std::stop_token stop) = 0;
  [[nodiscard]] virtual const ApiAccess& access() const = 0;
};

/// How the model is asked in one conversation, as of now: a client may change it between two
/// requests. Thread-safe.
class RequestBuilder {
 public:
  virtual ~RequestBuilder() = default;
  /// The full name of the model that is wanted.
  [[nodiscard]] virtual std::string model() const = 0;
  /// A request to that model, with everything but the messages and the tools.
  [[nodiscard]] virtual ApiRequest request(const std::string& model) const = 0;
};

/// Whose conversation it is, if it is that of a subagent. A value.
struct AgentIdentity {
  std::string id;
  std::string type;
  std::string session_transcript;  ///< Path of the session's own.
};

/// What does not change during a turn. A value.
struct TurnOptions {
  std::string session_id;
  std::optional<AgentIdentity> agent;
  std::optional<std::int64_t> max_turns;
  std::optional<double> max_budget_usd;
  std::optional<std::string> fallback_model;
  std::int64_t structured_output_tries = 5;  ///< So many calls of StructuredOutput may fail.
  bool can_ask = false;                      ///< There is somebody to ask for permission.
  bool partial_messages = false;             ///< The client sees responses while they come.

  /// By which the asker knows who asks.
  [[nodiscard]] std::string asker_id() const { return agent ? agent->id : std::string(); }
};

/// References: whoever makes one keeps what it refers to for as long as turns run. All of it is
/// thread-safe but the conversation, which is of the thread that runs the turn.
struct TurnContext {
  // ---- of this conversation ----
  TurnOptions options;
  Conversation& conversation;
  TranscriptWriter& transcript;
  const RequestBuilder& requests;
  const ToolSet& tools;
  PermissionPolicy& permissions;
  MessageSink& messages;
  PromptQueue& prompts;  ///< More prompts for it, while it runs.

  // ---- of the session ----
  ModelClient& model;
  Asker& asker;
  Hooks& hooks;
  SessionCost& cost;
  Guarded<SessionTotals>& totals;
  StatusReporter& status;
  BackgroundThreads& threads;
  const DebugLog& debug;
  FileCheckpoints* checkpoints = nullptr;  ///< If they are switched on.
  /// Puts a question for permission to somebody else than the client. May be empty.
  std::function<Asker::Reply(const control::CanUseTool& question, const std::stop_token& stop)>
      ask_elsewhere = {};
  /// What a mention in a prompt stands for that is no file: a resource of an MCP server, as text
  /// for the model. May be empty.
  std::function<std::optional<std::string>(const std::string& mention, const std::stop_token& stop)>
      read_resource = {};
};

}  // namespace parley::agent
