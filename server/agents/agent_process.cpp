#include "server/agents/agent_process.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <utility>

#include "server/events/events.hpp"
#include "wire/control/control.hpp"

namespace parley::server {
namespace {

/// How much nicer agents are than the server, so that pages stay quick while they are busy.
constexpr int kAgentNiceness = 5;

void make_nicer(int pid) {
  errno = 0;
  const int own = ::getpriority(PRIO_PROCESS, 0);
  // A matter of comfort: without it the agent works just as well.
  if (errno == 0) (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), own + kAgentNiceness);
}

}  // namespace

std::shared_ptr<AgentProcess> AgentProcess::make(Options options, Loop& loop, Workers& calls,
                                                 std::weak_ptr<AgentListener> listener) {
  const std::shared_ptr<AgentProcess> process(new AgentProcess(loop, calls, std::move(listener)));
  options.buffers.line_bytes = kLongestMessage;
  options.delivery.partial_messages = true;
  options.delivery.replay_user_messages = true;
  options.delivery.line_stream = true;
  options.delivery.on_ready = [weak = process->weak_from_this()] {
    if (const auto self = weak.lock()) self->read();
  };
  process->session_.emplace(std::move(options));
  return process;
}

Result<void> AgentProcess::start() {
  if (auto started = session_->start(); !started) return started;
  if (const auto pid = session_->pid()) make_nicer(*pid);
  listening_ = true;
  return {};
}

void AgentProcess::dismiss(Workers& closing, std::function<void()> gone) {
  listening_ = false;
  closing.run([self = shared_from_this(), gone = std::move(gone)]() mutable {
    self->session_->close();
    self.reset();
    gone();
  });
}

Result<void> AgentProcess::send(Prompt prompt) {
  const auto sent = session_->send(std::move(prompt));
  if (!sent) return sent.error();
  return {};
}

void AgentProcess::answer(const std::string& request_id, const RawJson& body) {
  (void)session_->answer(request_id, body);
}

Result<void> AgentProcess::call(std::function<void(Session&)> call) {
  return calls_->run(
      [self = shared_from_this(), call = std::move(call)] { call(*self->session_); });
}

void AgentProcess::read() {
  const auto listener = listener_.lock();
  // Whatever it is told, the listener may dismiss the agent.
  while (listener && listening_) {
    auto line = session_->try_receive_line();
    if (!line && line.error().code() == ErrorCode::timeout) return;
    if (!line) return listener->on_agent_end();
    pass_on(*listener, *line);
  }
}

void AgentProcess::pass_on(AgentListener& listener, ReceivedLine& line) {
  if (line.error) return listener.on_agent_bad_line(*line.error, line.text);
  if (auto* request = std::get_if<ControlRequest>(&line.message)) {
    auto* ask = std::get_if<control::CanUseTool>(&*request->request);
    if (ask == nullptr) {
      // Nobody here can fill in forms.
      (void)session_->decline(request->request_id);
      return;
    }
    return listener.on_agent_request(request->request_id, std::move(*ask),
                                     events::member(line.text, "request"));
  }
  if (const auto* cancelled = std::get_if<ControlCancelRequest>(&line.message)) {
    return listener.on_agent_withdrawal(cancelled->request_id);
  }
  if (std::holds_alternative<ControlResponse>(line.message)) {
    ready_ = session_->initialized();
    if (ready_) listener.on_agent_ready(*ready_);
    return;
  }
  if (!line.text.empty()) return listener.on_agent_message(line.message, line.text);
  // What the client library says in the place of the agent.
  listener.on_agent_message(line.message, encode_message(line.message));
}

}  // namespace parley::server
