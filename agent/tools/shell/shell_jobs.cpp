#include "agent/tools/shell/shell_jobs.hpp"

#include <algorithm>

#include "agent/tools/files/files.hpp"
#include "support/random.hpp"

namespace parley::agent {
namespace {

/// What is given of a task's output.
constexpr std::size_t kShownTail = std::size_t{256} << 10;

}  // namespace

ShellJobs::ShellJobs(std::filesystem::path scratch_folder)
    : folder_(std::move(scratch_folder)), mark_(random_text(16, kLettersAndDigits)) {}

ShellJobs::~ShellJobs() {
  on_change(nullptr);
  std::vector<std::unique_ptr<Entry>> entries;
  {
    const std::lock_guard lock(mutex_);
    entries.swap(entries_);
  }
  // All are told before any is waited for.
  for (const auto& entry : entries) entry->job->kill();
  entries.clear();
  // Also what has left its session and closed its output.
  if (ran_) kill_marked(mark_ + ".");
  // Gone if it is empty: the output of background tasks may still be wanted.
  std::error_code ignored;
  std::filesystem::remove(folder_, ignored);
}

Result<ShellJobs::Started> ShellJobs::start(Request request) {
  drop_gone();
  auto entry = std::make_unique<Entry>();
  BackgroundTask& task = entry->task;
  task.id = "b" + random_text(8, kLettersAndDigits);
  task.tool_use_id = std::move(request.tool_use_id);
  task.description = request.description.empty() ? request.command : request.description;
  task.command = std::move(request.command);
  task.output_file = folder_ / (task.id + ".output");
  task.backgrounded = request.background;
  entry->announced = request.background;
  entry->cwd_file = folder_ / (task.id + ".cwd");
  request.process.mark = mark_ + "." + task.id;
  if (request.argv) request.process.argv = request.argv(entry->cwd_file);

  // Held while it starts: it may end at once, and the listener must hear of the start first.
  const std::lock_guard in_order(telling_);
  const BackgroundTask told = task;
  Result<std::shared_ptr<ShellJob>> job = ShellJob::start(
      {std::move(request.process), told.output_file, [this, id = told.id] { ended(id); }});
  if (!job) return job.error();
  Started started{told.id, *job, entry->cwd_file};
  entry->job = std::move(job).value();
  {
    const std::lock_guard lock(mutex_);
    ran_ = true;
    entries_.push_back(std::move(entry));
  }
  if (told.backgrounded) tell(told);
  return started;
}

void ShellJobs::announce(const std::string& id) {
  const std::lock_guard in_order(telling_);
  BackgroundTask told;
  {
    const std::lock_guard lock(mutex_);
    Entry* const found = entry(id);
    if (!found || found->announced || found->task.status != BackgroundTask::Status::running) return;
    found->announced = true;
    told = found->task;
  }
  tell(told);
}

void ShellJobs::move_to_background(const std::string& id) {
  const std::lock_guard in_order(telling_);
  BackgroundTask told;
  {
    const std::lock_guard lock(mutex_);
    Entry* const found = entry(id);
    if (!found) return;
    found->announced = true;
    found->task.backgrounded = true;
    told = found->task;
  }
  tell(told);
}

void ShellJobs::close(const std::string& id) {
  std::error_code ignored;
  {
    const std::lock_guard lock(mutex_);
    Entry* const found = entry(id);
    if (!found) return;
    std::filesystem::remove(found->task.output_file, ignored);
    std::filesystem::remove(found->cwd_file, ignored);
    found->closed = true;
  }
  drop_gone();
}

void ShellJobs::on_change(std::function<void(const BackgroundTask&)> listener) {
  const std::lock_guard in_order(telling_);
  listener_ = std::move(listener);
}

std::vector<BackgroundTask> ShellJobs::tasks() const {
  const std::lock_guard lock(mutex_);
  std::vector<BackgroundTask> list;
  for (const auto& one : entries_) {
    if (one->task.backgrounded) list.push_back(one->task);
  }
  return list;
}

bool ShellJobs::stop(const std::string& id) {
  const std::lock_guard lock(mutex_);
  Entry* const found = entry(id);
  if (!found || found->task.status != BackgroundTask::Status::running) return false;
  found->stopped = true;
  found->job->kill();
  return true;
}

std::optional<std::string> ShellJobs::output(const std::string& id) const {
  std::filesystem::path file;
  {
    const std::lock_guard lock(mutex_);
    const Entry* const found = entry(id);
    if (!found || !found->task.backgrounded) return std::nullopt;
    file = found->task.output_file;
  }
  const Result<std::string> bytes = read_bytes(file, ShellJob::kMostOutput);
  if (!bytes) return std::string();
  return decode_text(std::string(suffix(*bytes, kShownTail))).text;
}

bool ShellJobs::wait(const std::string& id, std::chrono::milliseconds timeout,
                     const std::stop_token& stop) {
  std::shared_ptr<ShellJob> job;
  {
    const std::lock_guard lock(mutex_);
    const Entry* const found = entry(id);
    if (!found) return true;
    job = found->job;
  }
  return job->wait_until(std::chrono::steady_clock::now() + timeout, stop);
}

void ShellJobs::ended(const std::string& id) {
  const std::lock_guard in_order(telling_);
  BackgroundTask told;
  {
    const std::lock_guard lock(mutex_);
    Entry* const found = entry(id);
    if (!found) return;
    using Status = BackgroundTask::Status;
    const int code = found->job->exit_code();
    found->task.exit_code = code;
    found->task.status = found->stopped ? Status::killed
                         : code == 0    ? Status::completed
                                        : Status::failed;
    if (found->task.backgrounded) {
      // Nobody follows a command into the folder where it ended after its call was answered.
      std::error_code ignored;
      std::filesystem::remove(found->cwd_file, ignored);
    }
    if (!found->announced) return;
    told = found->task;
  }
  tell(told);
}

ShellJobs::Entry* ShellJobs::entry(const std::string& id) const {
  for (const auto& one : entries_) {
    if (one->task.id == id) return one.get();
  }
  return nullptr;
}

void ShellJobs::tell(const BackgroundTask& task) {
  if (listener_) listener_(task);
}

void ShellJobs::drop_gone() {
  // Destroyed outside the lock: that waits for the thread of the job.
  std::vector<std::unique_ptr<Entry>> dropped;
  const std::lock_guard lock(mutex_);
  for (auto& one : entries_) {
    if (one->closed && one->job->gone()) dropped.push_back(std::move(one));
  }
  std::erase(entries_, nullptr);
}

}  // namespace parley::agent
