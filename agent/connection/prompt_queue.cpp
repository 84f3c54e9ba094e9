#include "agent/connection/prompt_queue.hpp"

#include <algorithm>

namespace parley::agent {

int PromptQueue::rank(const Waiting& waiting) {
  const auto& priority = waiting.prompt.priority;
  if (!priority) return 1;
  return *priority == MessagePriority::now ? 0 : *priority == MessagePriority::later ? 2 : 1;
}

bool PromptQueue::push(UserMessage prompt, const std::function<void()>& on_queued) {
  const std::lock_guard lock(mutex_);
  if (!prompt.uuid.empty() && !seen_.insert(prompt.uuid).second) return false;
  if (on_queued) on_queued();
  const bool alone = idle_ && queue_.empty();
  queue_.push_back({std::move(prompt), alone});
  changed_.notify_all();
  return true;
}

void PromptQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void PromptQueue::hold_open() {
  const std::lock_guard lock(mutex_);
  ++held_open_;
}

void PromptQueue::release() {
  const std::lock_guard lock(mutex_);
  --held_open_;
  changed_.notify_all();
}

void PromptQueue::abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  changed_.notify_all();
}

std::vector<UserMessage> PromptQueue::next(std::optional<std::chrono::milliseconds> patience) {
  std::unique_lock lock(mutex_);
  idle_ = queue_.empty();
  const auto ready = [this] {
    return !queue_.empty() || (closed_ && held_open_ == 0) || abandoned_;
  };
  changed_.wait(lock, [&] { return ready() || (closed_ && patience); });
  if (!ready()) changed_.wait_for(lock, *patience, ready);
  if (abandoned_ || queue_.empty()) return {};
  idle_ = false;
  return take();
}

std::vector<UserMessage> PromptQueue::take() {
  std::vector<UserMessage> taken;
  if (queue_.front().alone) {
    taken.push_back(std::move(queue_.front().prompt));
    queue_.pop_front();
    return taken;
  }
  int best = 2;
  for (const Waiting& waiting : queue_) best = std::min(best, rank(waiting));
  for (auto it = queue_.begin(); it != queue_.end();) {
    if (rank(*it) != best) {
      ++it;
      continue;
    }
    taken.push_back(std::move(it->prompt));
    it = queue_.erase(it);
  }
  return taken;
}

void PromptQueue::tools_started() {
  const std::lock_guard lock(mutex_);
  for (Waiting& waiting : queue_) waiting.before_tools = true;
}

std::vector<UserMessage> PromptQueue::take_for_running_turn() {
  const std::lock_guard lock(mutex_);
  std::vector<UserMessage> taken;
  for (auto it = queue_.begin(); it != queue_.end();) {
    if (it->before_tools || rank(*it) == 2) {
      ++it;
      continue;
    }
    taken.push_back(std::move(it->prompt));
    it = queue_.erase(it);
  }
  return taken;
}

bool PromptQueue::cancel(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(queue_.begin(), queue_.end(), [&](const Waiting& waiting) {
    return waiting.prompt.uuid == uuid;
  });
  if (found == queue_.end()) return false;
  queue_.erase(found);
  return true;
}

std::vector<std::string> PromptQueue::waiting(bool withdraw) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> uuids;
  for (const Waiting& waiting : queue_) {
    if (!waiting.prompt.uuid.empty()) uuids.push_back(waiting.prompt.uuid);
  }
  if (withdraw) queue_.clear();
  return uuids;
}

std::size_t PromptQueue::size() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void PromptQueue::mark_seen(const std::set<std::string>& uuids) {
  const std::lock_guard lock(mutex_);
  seen_.insert(uuids.begin(), uuids.end());
}

}  // namespace parley::agent
