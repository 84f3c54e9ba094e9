#include "agent/connection/asker.hpp"

#include "support/random.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {

Asker::Reply Asker::ask(ControlBody body, std::stop_token stop,
                        std::optional<std::chrono::milliseconds> timeout,
                        const std::function<void()>& on_sent, const std::string& who) {
  return send_and_wait(std::move(body), std::move(stop), timeout, on_sent, Withdrawal::by_anybody,
                       who);
}

Asker::Reply Asker::ask_while_working(ControlBody body, std::stop_token stop) {
  return send_and_wait(std::move(body), std::move(stop), std::nullopt, {}, Withdrawal::by_stop, {});
}

Asker::Reply Asker::pass_on(ControlBody body, std::stop_token stop,
                            std::chrono::milliseconds timeout,
                            const std::function<void()>& on_sent) {
  return send_and_wait(std::move(body), std::move(stop), timeout, on_sent, Withdrawal::never, {});
}

void Asker::tell(ControlBody body) {
  const std::lock_guard lock(mutex_);
  if (!closed_) messages_.send(ControlRequest{make_uuid(), std::move(body), {}});
}

Asker::Reply Asker::send_and_wait(ControlBody body, std::stop_token stop,
                                  std::optional<std::chrono::milliseconds> timeout,
                                  const std::function<void()>& on_sent, Withdrawal withdrawal,
                                  const std::string& who) {
  const std::string id = make_uuid();
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return {};
    if (stop.stop_requested()) return {End::withdrawn, {}, {}};
    ControlRequest request{id, std::move(body), {}};
    waiting_[id] = {request, who, withdrawal};
    messages_.send(std::move(request));
  }
  if (on_sent) on_sent();
  std::unique_lock lock(mutex_);
  const auto done = [&] { return waiting_[id].answer.has_value(); };
  bool in_time = true;
  if (timeout) {
    in_time = changed_.wait_for(lock, stop, *timeout, done);
  } else {
    changed_.wait(lock, stop, done);
  }
  auto found = waiting_.extract(id);
  if (found.mapped().answer) return *std::move(found.mapped().answer);
  lock.unlock();
  if (withdrawal != Withdrawal::never) cancel(id);
  return {in_time || stop.stop_requested() ? End::withdrawn : End::timeout, {}, {}};
}

void Asker::cancel(const std::string& id) { messages_.send(ControlCancelRequest{id, {}}); }

void Asker::answered(const ControlResponse& response) {
  const std::lock_guard lock(mutex_);
  std::string id;
  Reply answer;
  if (const auto* success = std::get_if<ControlSuccess>(&response.response)) {
    id = success->request_id;
    answer = {End::answered, success->response.value_or(RawJson("{}")), {}};
  } else if (const auto* failure = std::get_if<ControlFailure>(&response.response)) {
    id = failure->request_id;
    answer = {End::failed, {}, failure->error};
  } else {
    return;
  }
  const auto found = waiting_.find(id);
  if (found == waiting_.end() || found->second.answer) return;
  found->second.answer = std::move(answer);
  changed_.notify_all();
}

void Asker::set_awaited(const std::string& agent, const std::string& by) {
  const std::lock_guard lock(mutex_);
  awaited_by_[agent] = by;
}

void Asker::set_alone(const std::string& agent) {
  const std::lock_guard lock(mutex_);
  awaited_by_.erase(agent);
}

bool Asker::belongs_to(std::string who, const std::set<std::string>& whose) const {
  for (;;) {
    if (whose.contains(who)) return true;
    const auto found = awaited_by_.find(who);
    if (found == awaited_by_.end()) return false;
    who = found->second;
  }
}

void Asker::withdraw(const std::set<std::string>& whose, const std::function<void()>& on_told) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, waiting] : waiting_) {
    if (waiting.answer || waiting.withdrawal != Withdrawal::by_anybody) continue;
    if (!belongs_to(waiting.who, whose)) continue;
    cancel(id);
    waiting.answer = Reply{End::withdrawn, {}, {}};
  }
  if (on_told) on_told();
  changed_.notify_all();
}

void Asker::withdraw_all(const std::function<void()>& on_told) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, waiting] : waiting_) {
    if (waiting.answer || waiting.withdrawal != Withdrawal::by_anybody) continue;
    cancel(id);
    waiting.answer = Reply{End::withdrawn, {}, {}};
  }
  if (on_told) on_told();
  changed_.notify_all();
}

void Asker::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (auto& [id, waiting] : waiting_) {
    if (!waiting.answer) waiting.answer = Reply{};
  }
  changed_.notify_all();
}

std::vector<ControlRequest> Asker::pending() const {
  const std::lock_guard lock(mutex_);
  std::vector<ControlRequest> requests;
  for (const auto& [id, waiting] : waiting_) {
    if (!waiting.answer) requests.push_back(waiting.request);
  }
  return requests;
}

}  // namespace parley::agent
