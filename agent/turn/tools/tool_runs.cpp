#include "agent/turn/tools/tool_runs.hpp"

#include <algorithm>

#include "agent/turn/tools/execute_call.hpp"

namespace parley::agent {
namespace {

/// Calls that run beside each other, however many a response has.
constexpr int kMostAtOnce = 10;
/// Results that come so close to each other are told in the order of their calls.
constexpr std::chrono::milliseconds kTogether{20};
/// How long the beginning of a call waits for the response to go on.
constexpr std::chrono::milliseconds kOpeningPatience{200};

}  // namespace

ToolRuns::ToolRuns(TurnContext& context, const std::stop_token& stop, std::string prompt_id)
    : context_(context),
      outer_(stop, [this] { stop_.request_stop(); }),
      prompt_id_(std::move(prompt_id)) {}

ToolRuns::~ToolRuns() {
  stop_.request_stop();
  wait();
}

void ToolRuns::start(const ToolUseBlock& call, const std::string& source_uuid) {
  const SharedTool tool = context_.tools.known(call.name);
  std::unique_lock lock(mutex_);
  if (runs_.empty()) context_.prompts.tools_started();
  ToolRun& added = runs_.emplace_back();
  added.call = call;
  added.source_uuid = source_uuid;
  added.concurrent = tool != nullptr && tool->concurrent(call.input);
  threads_.emplace_back([this, &added] { run(added); });
  changed_.wait(lock, [&] { return added.settled; });
}

void ToolRuns::settle(ToolRun& run) {
  const std::lock_guard lock(mutex_);
  run.settled = true;
  changed_.notify_all();
}

/// Leaves the showing to the thread that reads the response, unless that takes too long.
void ToolRuns::open(ToolRun& run, std::function<void()> show) {
  std::unique_lock lock(mutex_);
  run.opening = std::move(show);
  run.settled = true;
  changed_.notify_all();
  changed_.wait_for(lock, kOpeningPatience, [&] { return !run.opening; });
  if (run.opening) std::exchange(run.opening, {})();
}

void ToolRuns::show_openings() {
  const std::lock_guard lock(mutex_);
  for (ToolRun& run : runs_) {
    if (run.opening) std::exchange(run.opening, {})();
  }
  changed_.notify_all();
}

std::vector<const ToolRun*> ToolRuns::by_results() const {
  std::vector<const ToolRun*> list;
  for (const ToolRun& run : runs_) list.push_back(&run);
  for (std::size_t i = 1; i < list.size(); ++i) {
    for (std::size_t at = i; at > 0 && list[at]->ended + kTogether < list[at - 1]->ended; --at) {
      std::swap(list[at], list[at - 1]);
    }
  }
  return list;
}

void ToolRuns::record_results() {
  const std::lock_guard lock(mutex_);
  recording_ = true;
  for (const ToolRun& run : runs_) {
    if (run.done) record(run);
  }
}

void ToolRuns::wait() {
  std::vector<std::jthread> threads;
  {
    const std::lock_guard lock(mutex_);
    threads.swap(threads_);
  }
  threads.clear();  // joins
  if (stop_.stop_requested()) notes_.interrupted();
}

const ToolRun* ToolRuns::deferred() const {
  const auto last =
      std::find_if(runs_.rbegin(), runs_.rend(), [](const ToolRun& run) { return run.deferred; });
  return last == runs_.rend() ? nullptr : &*last;
}

/// Blocks until the calls before this one allow it to begin.
void ToolRuns::wait_for_earlier_calls(ToolRun& run) {
  std::unique_lock lock(mutex_);
  const auto may_start = [&] {
    int before = 0;
    for (const ToolRun& other : runs_) {
      if (&other == &run) return true;
      if (other.done) continue;
      if (!(other.concurrent && run.concurrent) || ++before == kMostAtOnce) return false;
    }
    return true;
  };
  if (may_start()) return;
  run.settled = true;
  changed_.notify_all();
  changed_.wait(lock, may_start);
}

void ToolRuns::run(ToolRun& run) {
  wait_for_earlier_calls(run);
  const std::optional<CallOutcome> outcome = execute(run);
  if (outcome) {
    run.block = result_block(run.call, *outcome);
    run.message = result_message(run.block, *outcome);
  }
  std::unique_lock lock(mutex_);
  if (outcome) context_.messages.send(run.message);
  run.deferred = !outcome;
  run.ended = std::chrono::steady_clock::now();
  run.settled = true;
  run.done = true;
  if (recording_) record(run);
  changed_.notify_all();
  lock.unlock();
  if (outcome && outcome->output.after_shown) outcome->output.after_shown();
}

/// None if the call is put off.
std::optional<CallOutcome> ToolRuns::execute(ToolRun& run) {
  const CallScope scope{context_,
                        notes_,
                        stop_,
                        prompt_id_,
                        run.call,
                        run.source_uuid,
                        [this, &run] { settle(run); },
                        [this, &run](std::function<void()> show) { open(run, std::move(show)); }};
  try {
    return execute_call(scope);
  } catch (const std::exception& error) {
    // A tool that fails in an unforeseen way costs its call, not the session.
    return CallOutcome{ToolOutput::error("The tool failed: " + std::string(error.what())), {}, {}};
  }
}

void ToolRuns::record(const ToolRun& run) {
  context_.transcript.add(run.deferred ? deferral_line(run.call, context_.permissions.mode())
                                       : result_line(run.message, prompt_id_, run.source_uuid));
}

}  // namespace parley::agent
