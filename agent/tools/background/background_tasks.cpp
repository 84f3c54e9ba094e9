#include "agent/tools/background/background_tasks.hpp"

#include <algorithm>

#include "support/random.hpp"

namespace parley::agent {

using Status = BackgroundTask::Status;

std::string make_run_id() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  std::string time;
  for (; left > 0; left /= 36) time += "0123456789abcdefghijklmnopqrstuvwxyz"[left % 36];
  std::reverse(time.begin(), time.end());
  return "0" + time + "-" + random_text(8, kHexDigits);
}

void BackgroundTasks::on_change(Listener listener) {
  const std::lock_guard in_order(telling_);
  listener_ = std::move(listener);
}

Result<void> BackgroundTasks::add(BackgroundTask task, Actions actions, bool worth_telling,
                                  const std::function<Result<void>()>& begin) {
  if (task.run_id.empty()) task.run_id = make_run_id();
  const BackgroundTask told = task;
  // Held while it starts: it may end at once, and the listener must hear of the start first.
  const std::lock_guard in_order(telling_);
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [&](const auto& one) { return one->task.id == told.id; });
    entries_.push_back(
        std::make_unique<Entry>(Entry{std::move(task), std::move(actions), worth_telling}));
  }
  if (auto begun = begin(); !begun) {
    forget(told.id);
    return begun;
  }
  if (worth_telling && listener_) listener_(told, Change::started);
  return {};
}

template <class F>
bool BackgroundTasks::update(const std::string& id, Change what, const F& change) {
  const std::lock_guard in_order(telling_);
  BackgroundTask told;
  bool tell = false;
  {
    const std::lock_guard lock(mutex_);
    Entry* const found = entry(id);
    if (found == nullptr || found->task.status != Status::running) return false;
    if (!change(*found)) return false;
    tell = found->told;
    told = found->task;
  }
  if (tell && listener_) listener_(told, what);
  return true;
}

void BackgroundTasks::announce(const std::string& id) {
  update(id, Change::started, [](Entry& entry) { return !std::exchange(entry.told, true); });
}

void BackgroundTasks::end(const std::string& id,
                          const std::function<void(BackgroundTask&)>& fill_in) {
  const bool was_running = update(id, Change::ended, [&](Entry& entry) {
    fill_in(entry.task);
    entry.actions.leave_call = {};
    return true;
  });
  if (was_running) return;
  const std::lock_guard in_order(telling_);
  std::optional<BackgroundTask> gone;
  {
    const std::lock_guard lock(mutex_);
    const Entry* const found = entry(id);
    if (found != nullptr && found->told) gone = found->task;
  }
  if (gone && listener_) listener_(*gone, Change::gone);
}

void BackgroundTasks::adopt_children(const std::string& parent) {
  for (const BackgroundTask& task : running()) {
    if (task.parent_id != parent) continue;
    update(task.id, Change::adopted, [](Entry& entry) {
      entry.task.parent_id.clear();
      return true;
    });
  }
}

void BackgroundTasks::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& one) { return one->task.id == id; });
}

std::function<void()> BackgroundTasks::mark_moved(const std::string& id) {
  std::function<void()> leave;
  bool was_told = false;
  const std::lock_guard in_order(telling_);
  BackgroundTask told;
  {
    const std::lock_guard lock(mutex_);
    Entry* const found = entry(id);
    if (found == nullptr || found->task.status != Status::running) return {};
    if (found->task.backgrounded || !found->actions.leave_call) return {};
    found->task.backgrounded = true;
    was_told = std::exchange(found->told, true);
    leave = found->actions.leave_call;
    told = found->task;
  }
  if (listener_) listener_(told, was_told ? Change::moved : Change::started);
  return leave;
}

std::function<void()> BackgroundTasks::mark_stopped(const std::string& id, bool is_news) {
  std::function<void()> stop;
  update(id, Change::ended, [&](Entry& entry) {
    stop = entry.actions.stop;
    entry.task.status = Status::killed;
    entry.task.is_news = is_news;
    return true;
  });
  return stop;
}

bool BackgroundTasks::stop(const std::string& id, bool is_news) {
  const std::function<void()> stop = mark_stopped(id, is_news);
  if (stop) stop();
  return static_cast<bool>(stop);
}

std::vector<BackgroundTask> BackgroundTasks::tasks() const {
  const std::lock_guard lock(mutex_);
  std::vector<BackgroundTask> list;
  for (const auto& one : entries_) {
    if (one->task.backgrounded) list.push_back(one->task);
  }
  return list;
}

std::vector<BackgroundTask> BackgroundTasks::running() const {
  const std::lock_guard lock(mutex_);
  std::vector<BackgroundTask> list;
  for (const auto& one : entries_) {
    if (one->told && one->task.status == Status::running) list.push_back(one->task);
  }
  return list;
}

std::optional<BackgroundTask> BackgroundTasks::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const Entry* const found = entry(id);
  if (found == nullptr) return std::nullopt;
  return found->task;
}

std::optional<std::string> BackgroundTasks::output(const std::string& id) const {
  std::function<std::string()> read;
  {
    const std::lock_guard lock(mutex_);
    const Entry* const found = entry(id);
    if (found == nullptr || !found->task.backgrounded) return std::nullopt;
    read = found->actions.output;
  }
  return read ? read() : std::string();
}

bool BackgroundTasks::wait(const std::string& id, std::chrono::milliseconds timeout,
                           const std::stop_token& stop) {
  std::function<bool(std::chrono::milliseconds, const std::stop_token&)> wait;
  {
    const std::lock_guard lock(mutex_);
    const Entry* const found = entry(id);
    if (found == nullptr) return true;
    wait = found->actions.wait;
  }
  return !wait || wait(timeout, stop);
}

BackgroundTasks::Entry* BackgroundTasks::entry(const std::string& id) const {
  for (const auto& one : entries_) {
    if (one->task.id == id) return one.get();
  }
  return nullptr;
}

}  // namespace parley::agent
