// What the CLI asks of the program: each request is handed to its handler and answered once.
#include <algorithm>
#include <charconv>

#include "client/handlers/hooks.hpp"
#include "client/handlers/permissions.hpp"
#include "client/handlers/plan_text.hpp"
#include "client/handlers/questions.hpp"
#include "client/mcp/mcp_connection.hpp"
#include "client/session/session_impl.hpp"
#include "wire/control/control.hpp"
#include "wire/mcp/json_rpc.hpp"

namespace parley {
namespace {

constexpr std::string_view kHookPrefix = "hook_";
/// Requests that wait for a thread; more are refused, not piled up.
constexpr std::size_t kMostWaiting = 1024;

struct Describe {
  using Text = std::pair<std::string, std::string>;
  Text operator()(const control::CanUseTool& ask) const { return {"can_use_tool", ask.tool_name}; }
  Text operator()(const control::HookCallback& call) const {
    const auto event = call.input.event();
    return {"hook_callback", event ? std::string(Enum<HookEvent>(*event).text()) : ""};
  }
  Text operator()(const control::McpMessage& message) const {
    return {"mcp_message", message.server_name};
  }
  Text operator()(const control::Elicitation& ask) const {
    return {"elicitation", ask.mcp_server_name};
  }
  Text operator()(const control::RequestUserDialog& ask) const {
    return {"request_user_dialog", ask.dialog_kind};
  }
  Text operator()(const Unknown& unknown) const { return {unknown.type, ""}; }
  template <class Other>
  Text operator()(const Other&) const {
    return {"", ""};
  }
};

PermissionResult wire_plan(const PlanAnswer& answer, const RawJson& input) {
  if (!answer.approved) {
    PermissionDeny deny;
    deny.message = answer.feedback.empty() ? "The user did not approve the plan." : answer.feedback;
    return deny;
  }
  PermissionAllow allow;
  allow.updatedInput = input;
  if (answer.mode) {
    allow.updatedPermissions = PermissionChanges().mode(*answer.mode).wire();
  }
  return allow;
}

/// What a person answers.
bool is_question(const ControlBody& body) {
  return std::holds_alternative<control::CanUseTool>(body) ||
         std::holds_alternative<control::Elicitation>(body) ||
         std::holds_alternative<control::RequestUserDialog>(body);
}

Error no_permission_handler() {
  return {ErrorCode::remote, "the client has no permission handler"};
}

/// Which of the deadlines limits the answer.
struct DeadlineOf {
  const Deadlines& deadlines;
  std::chrono::milliseconds operator()(const control::CanUseTool&) const {
    return deadlines.question;
  }
  std::chrono::milliseconds operator()(const control::Elicitation&) const {
    return deadlines.question;
  }
  std::chrono::milliseconds operator()(const control::RequestUserDialog&) const {
    return deadlines.question;
  }
  std::chrono::milliseconds operator()(const control::HookCallback&) const {
    return deadlines.hook;
  }
  std::chrono::milliseconds operator()(const control::McpMessage&) const { return deadlines.tool; }
  template <class Other>
  std::chrono::milliseconds operator()(const Other&) const {
    return {};  // answered at once
  }
};

/// The answer of a program in which nobody answered. `why` is what the model reads.
struct Refusal {
  const std::string& why;
  Result<RawJson> operator()(const control::CanUseTool& ask) const {
    PermissionDeny denied;
    denied.message = why;
    if (!ask.tool_use_id.empty()) denied.toolUseID = ask.tool_use_id;
    return to_raw(PermissionResult(std::move(denied)));
  }
  // Forms and dialogs know the user who dismisses them without a word.
  Result<RawJson> operator()(const control::Elicitation&) const { return to_raw(cancel_form()); }
  Result<RawJson> operator()(const control::RequestUserDialog&) const {
    return to_raw(cancel_dialog());
  }
  Result<RawJson> operator()(const control::McpMessage& envelope) const {
    control::McpMessageReply wrapped;
    wrapped.mcp_response =
        detail::rpc_result(envelope.message, to_raw(ToolOutput::error(why).wire()));
    return to_raw(wrapped);
  }
  template <class Other>
  Result<RawJson> operator()(const Other&) const {
    return Error(ErrorCode::remote, why);
  }
};

}  // namespace

bool Session::Impl::serve(const ControlRequest& request) {
  const std::string& id = request.request_id;
  auto [kind, about] = std::visit(Describe(), *request.request);
  const bool as_line = options_.delivery.line_stream && is_question(*request.request);
  std::stop_source stop;
  bool limited = false;
  {
    const std::lock_guard lock(mutex_);
    // Twice under one id: the first is being answered, and an id has one answer.
    if (asking_.contains(id)) return false;
    asking_[id] = {kind, stop, as_line, late_answer(*request.request, about)};
    limited = asking_[id].late.has_value();
    // Traffic of MCP servers is nothing a person would answer.
    if (kind != "mcp_message") ledger_.pending.push_back({id, kind, about});
  }
  if (limited) {
    loop_->post([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->await_deadline();
    });
  }
  if (as_line) return true;
  if (const auto* ask = std::get_if<control::CanUseTool>(&*request.request)) {
    serve_permission(id, *ask, stop.get_token());
  } else if (const auto* call = std::get_if<control::HookCallback>(&*request.request)) {
    serve_hook(id, *call, stop.get_token());
  } else if (const auto* message = std::get_if<control::McpMessage>(&*request.request)) {
    serve_mcp(id, *message, stop.get_token());
  } else if (const auto* form = std::get_if<control::Elicitation>(&*request.request)) {
    serve_elicitation(id, *form, stop.get_token());
  } else if (const auto* dialog = std::get_if<control::RequestUserDialog>(&*request.request)) {
    serve_dialog(id, *dialog, stop.get_token());
  } else {
    if (const auto* unknown = std::get_if<Unknown>(&*request.request);
        unknown != nullptr && options_.delivery.observer) {
      notice([copy = *unknown](Observer& observer) { observer.on_unknown(copy); });
    }
    reply(id, Error(ErrorCode::remote, "unsupported control request: " + kind),
          "unsupported_request");
  }
  return false;
}

// ---- deadlines ----------------------------------------------------------------------------------

std::optional<Session::Impl::Asking::Late> Session::Impl::late_answer(
    const ControlBody& request, const std::string& about) const {
  const auto limit = std::visit(DeadlineOf{options_.deadlines}, request);
  if (limit <= std::chrono::milliseconds::zero()) return std::nullopt;
  const std::string why =
      "Nobody answered this request within " + std::to_string(limit.count()) + " ms.";
  return Asking::Late{limit, Clock::now() + limit, about, std::visit(Refusal{why}, request)};
}

void Session::Impl::await_deadline() {
  std::optional<Clock::time_point> next;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, asking] : asking_) {
      if (asking.late && (!next || asking.late->due < *next)) next = asking.late->due;
    }
  }
  // One that comes too early finds nothing to refuse, and asks again; so answers need not tell.
  if (!next || (deadline_awaited_ && *deadline_awaited_ <= *next)) return;
  loop_->cancel(deadline_timer_);
  deadline_awaited_ = next;
  deadline_timer_ = loop_->at(*next, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->refuse_late();
  });
}

void Session::Impl::refuse_late() {
  deadline_awaited_.reset();
  std::vector<std::pair<std::string, Asking>> overdue;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    for (const auto& [id, asking] : asking_) {
      if (asking.late && asking.late->due <= now) overdue.emplace_back(id, asking);
    }
  }
  for (const auto& [id, asking] : overdue) {
    if (!reply_once(id, asking.late->answer)) continue;  // answered in the last moment
    stops_->run([stop = asking.stop]() mutable { stop.request_stop(); });
    notice([asked = asking](Observer& observer) {
      observer.on_unanswered(asked.kind, asked.late->about, asked.late->limit);
    });
  }
  await_deadline();
}

// ---- answers ------------------------------------------------------------------------------------

bool Session::Impl::cancel(const std::string& request_id) {
  Asking asking;
  {
    const std::lock_guard lock(mutex_);
    const auto found = asking_.find(request_id);
    if (found == asking_.end()) return false;
    asking = found->second;
    asking_.erase(found);
    std::erase_if(ledger_.pending, [&](const PendingAsk& p) { return p.request_id == request_id; });
  }
  // Nobody holds the token of a question that went out as a line: its end does so, too.
  if (asking.as_line) return true;
  stops_->run([stop = asking.stop]() mutable { stop.request_stop(); });
  return false;
}

void Session::Impl::reply(const std::string& id, const Result<RawJson>& answer,
                          std::optional<std::string> error_code) {
  (void)reply_once(id, answer, std::move(error_code));
}

bool Session::Impl::reply_once(const std::string& id, const Result<RawJson>& answer,
                               std::optional<std::string> error_code) {
  {
    const std::lock_guard lock(mutex_);
    if (asking_.erase(id) == 0) return false;
    std::erase_if(ledger_.pending, [&](const PendingAsk& p) { return p.request_id == id; });
    if (ended_ || input_lost_ || !transport_) return true;
  }
  ControlResponse response;
  if (answer) {
    ControlSuccess success;
    success.request_id = id;
    success.response = *answer;
    response.response = std::move(success);
  } else {
    ControlFailure failure;
    failure.request_id = id;
    failure.error = answer.error().message();
    failure.error_code = std::move(error_code);
    response.response = std::move(failure);
  }
  transport_->write(encode_message(Message(std::move(response))) + "\n");
  return true;
}

Result<void> Session::Impl::answer(const std::string& request_id, const RawJson& body) {
  if (reply_once(request_id, body)) return {};
  return Error(ErrorCode::not_found, "this request does not wait for an answer", request_id);
}

Result<void> Session::Impl::decline(const std::string& request_id) {
  std::string kind;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = asking_.find(request_id); found != asking_.end()) {
      kind = found->second.kind;
    }
  }
  if (kind == "elicitation") return answer(request_id, to_raw(decline_form()));
  if (kind == "request_user_dialog") return answer(request_id, to_raw(cancel_dialog()));
  if (reply_once(request_id, no_permission_handler())) return {};
  return Error(ErrorCode::not_found, "this request does not wait for an answer", request_id);
}

template <class Answer, class Encode>
Reply<Answer> Session::Impl::make_reply(const std::string& id, Encode encode) {
  return Reply<Answer>([weak = weak_from_this(), id, encode](Result<Answer> answer) {
    const auto self = weak.lock();
    if (!self) return;
    if (answer) {
      self->reply(id, encode(*answer));
    } else {
      self->reply(id, answer.error());
    }
  });
}

void Session::Impl::run_handler(const std::string& id, std::function<void()> handler) {
  std::function<void()> task = [weak = weak_from_this(), id, handler = std::move(handler)] {
    std::string why = "the client's handler failed";
    try {
      return handler();
    } catch (const std::exception& error) {
      why += ": " + std::string(error.what());
    } catch (...) {  // NOLINT(bugprone-empty-catch): answered below
    }
    if (const auto self = weak.lock()) self->reply(id, Error(ErrorCode::remote, why));
  };
  // Before the task goes, for the Reply in it would tell less.
  if (!handlers_->run(std::move(task), kMostWaiting)) {
    reply(id, Error(ErrorCode::remote, "the client has too much to answer already"));
  }
}

// ---- permission, questions, plans ---------------------------------------------------------------

void Session::Impl::serve_permission(const std::string& id, const control::CanUseTool& call,
                                     const std::stop_token& stop) {
  const auto encode_result = [](const PermissionResult& result) { return to_raw(result); };
  if (call.tool_name == "AskUserQuestion" && options_.on_question) {
    auto input = call.input.as<tools::AskUserQuestionInput>();
    if (!input) return reply(id, input.error());
    QuestionAsk ask{std::move(input->questions), call.tool_use_id, call.agent_id, stop};
    auto answer = make_reply<QuestionAnswers>(
        id, [encode_result, raw = call.input](const QuestionAnswers& answers) {
          return encode_result(answers.wire(raw));
        });
    return run_handler(id, [this, self = shared_from_this(), ask = std::move(ask),
                            answer = std::make_shared<Reply<QuestionAnswers>>(std::move(answer))] {
      options_.on_question(ask, std::move(*answer));
    });
  }
  if (call.tool_name == "ExitPlanMode" && options_.on_plan) {
    RawJson called("{}");
    {
      const std::lock_guard lock(mutex_);
      const auto& last = ledger_.last_plan;
      if (last && last->tool_use_id == call.tool_use_id) called = last->input;
    }
    auto answer =
        make_reply<PlanAnswer>(id, [encode_result, raw = call.input](const PlanAnswer& plan) {
          return encode_result(wire_plan(plan, raw));
        });
    return run_handler(id, [this, self = shared_from_this(), call, called, stop,
                            answer = std::make_shared<Reply<PlanAnswer>>(std::move(answer))] {
      auto found = detail::find_plan(call.input, called);
      const PlanAsk ask{std::move(found.plan),  std::move(found.file),
                        std::move(found.error), call.input,
                        call.tool_use_id,       stop};
      options_.on_plan(ask, std::move(*answer));
    });
  }
  if (!options_.on_permission) {
    return reply(id, no_permission_handler());
  }
  auto ask = std::make_shared<PermissionAsk>();
  static_cast<control::CanUseTool&>(*ask) = call;
  ask->request_id = id;
  ask->stop = stop;
  auto answer =
      make_reply<PermissionAnswer>(id, [encode_result, ask](const PermissionAnswer& decision) {
        return encode_result(decision.wire(*ask));
      });
  run_handler(id, [this, self = shared_from_this(), ask,
                   answer = std::make_shared<Reply<PermissionAnswer>>(std::move(answer))] {
    options_.on_permission(*ask, std::move(*answer));
  });
}

// ---- hooks --------------------------------------------------------------------------------------

void Session::Impl::serve_hook(const std::string& id, const control::HookCallback& call,
                               const std::stop_token& stop) {
  std::size_t index = options_.hooks.entries().size();
  const std::string_view callback = call.callback_id;
  if (callback.starts_with(kHookPrefix)) {
    std::from_chars(callback.data() + kHookPrefix.size(), callback.data() + callback.size(), index);
  }
  if (index >= options_.hooks.entries().size()) {
    return reply(id, Error(ErrorCode::remote, "there is no hook " + call.callback_id));
  }
  HookAsk ask{call.input, call.tool_use_id, stop};
  auto answer = make_reply<HookOutput>(id, [](const HookOutput& output) { return to_raw(output); });
  run_handler(id, [this, self = shared_from_this(), index, ask = std::move(ask),
                   answer = std::make_shared<Reply<HookOutput>>(std::move(answer))] {
    options_.hooks.entries()[index].handler(ask, std::move(*answer));
  });
}

// ---- MCP servers of the program -----------------------------------------------------------------

std::shared_ptr<detail::McpConnection> Session::Impl::connect_server(const McpServer& server) {
  detail::McpConnection::Carrier carrier;
  carrier.send = [weak = weak_from_this(), name = server.name()](JsonRpcMessage message) {
    if (const auto self = weak.lock()) self->send_to_agent(name, std::move(message));
  };
  carrier.run = [handlers = handlers_](std::function<void()> task) {
    return handlers->run(std::move(task), kMostWaiting);
  };
  carrier.run_stop = [stops = stops_](std::function<void()> task) { stops->run(std::move(task)); };
  return detail::McpConnection::open(server, std::move(carrier));
}

void Session::Impl::serve_mcp(const std::string& id, const control::McpMessage& envelope,
                              const std::stop_token& stop) {
  const auto connection = std::find_if(
      connections_.begin(), connections_.end(),
      [&](const auto& candidate) { return candidate->server_name() == envelope.server_name; });
  if (connection == connections_.end()) {
    return reply(id, Error(ErrorCode::remote,
                           "the client has no MCP server \"" + envelope.server_name + "\""));
  }
  const bool request = envelope.message.is_request();
  // The end of the request that carries a call, e.g. by its deadline, cancels it like its own
  // notification does. After that one the agent waits for an answer all the same.
  using OnStop = std::stop_callback<std::function<void()>>;
  const auto on_stop =
      !request ? nullptr
               : std::make_shared<OnStop>(
                     stop, [weak = std::weak_ptr(*connection), call = *envelope.message.id] {
                       mcp::CancelledParams cancelled;
                       cancelled.requestId = call;
                       if (const auto served = weak.lock()) {
                         served->receive(
                             detail::rpc_notification("notifications/cancelled", to_raw(cancelled)),
                             nullptr);
                       }
                     });
  (*connection)
      ->receive(envelope.message,
                [weak = weak_from_this(), id, on_stop](JsonRpcMessage answer, bool /*cancelled*/) {
                  const auto self = weak.lock();
                  if (!self) return;
                  control::McpMessageReply wrapped;
                  wrapped.mcp_response = std::move(answer);
                  self->reply(id, to_raw(wrapped));
                });
  if (request) return;
  // Notifications and responses have no answer in MCP, but the request that carries one does, and
  // needs this shape: without it the CLI gives the server up.
  JsonRpcMessage acknowledged;
  acknowledged.id = RawJson("0");
  acknowledged.result = RawJson("{}");
  control::McpMessageReply wrapped;
  wrapped.mcp_response = std::move(acknowledged);
  reply(id, to_raw(wrapped));
}

void Session::Impl::send_to_agent(const std::string& server, JsonRpcMessage message) {
  control::McpMessage body;
  body.server_name = server;
  body.message = std::move(message);
  ControlRequest request;
  *request.request = std::move(body);
  {
    const std::lock_guard lock(mutex_);
    if (!running_process_ || ended_ || closing_ || input_ended_) return;
    request.request_id = "parley-" + std::to_string(++next_id_);
  }
  // Nobody waits for the answer, which finds no one and is dropped. Nor is there anybody to tell
  // if the agent is gone: the tool call itself fails then.
  (void)write_line(encode_message(Message(std::move(request))));
}

// ---- forms and dialogs --------------------------------------------------------------------------

void Session::Impl::serve_elicitation(const std::string& id, const control::Elicitation& form,
                                      const std::stop_token& stop) {
  if (!options_.on_elicitation) return reply(id, to_raw(decline_form()));
  ElicitationAsk ask;
  static_cast<control::Elicitation&>(ask) = form;
  ask.stop = stop;
  auto answer = make_reply<ElicitationAnswer>(
      id, [](const ElicitationAnswer& filled) { return to_raw(filled); });
  run_handler(id, [this, self = shared_from_this(), ask = std::move(ask),
                   answer = std::make_shared<Reply<ElicitationAnswer>>(std::move(answer))] {
    options_.on_elicitation(ask, std::move(*answer));
  });
}

void Session::Impl::serve_dialog(const std::string& id, const control::RequestUserDialog& dialog,
                                 const std::stop_token& stop) {
  const auto& kinds = options_.dialog_kinds;
  if (!options_.on_dialog ||
      std::find(kinds.begin(), kinds.end(), dialog.dialog_kind) == kinds.end()) {
    return reply(id, to_raw(cancel_dialog()));
  }
  DialogAsk ask;
  static_cast<control::RequestUserDialog&>(ask) = dialog;
  ask.stop = stop;
  auto answer =
      make_reply<DialogAnswer>(id, [](const DialogAnswer& result) { return to_raw(result); });
  run_handler(id, [this, self = shared_from_this(), ask = std::move(ask),
                   answer = std::make_shared<Reply<DialogAnswer>>(std::move(answer))] {
    options_.on_dialog(ask, std::move(*answer));
  });
}

}  // namespace parley
