#include "agent/tools/shell/shell_jobs.hpp"

#include <algorithm>

#include "agent/tools/files/files.hpp"
#include "support/random.hpp"

namespace parley::agent {
namespace {

/// What is given of a task's output.
constexpr std::size_t kShownTail = std::size_t{256} << 10;

/// A command as the list of tasks deals with it. The job is there once it has started, and for as
/// long as ShellJobs keeps it: only that may destroy it, because it waits for the job's thread.
struct StartedCommand {
  std::weak_ptr<ShellJob> job;
  std::stop_source moved;
};

std::string tail_of(const std::filesystem::path& file) {
  const Result<std::string> bytes = read_bytes(file, ShellJob::kMostOutput);
  if (!bytes) return {};
  return decode_text(std::string(suffix(*bytes, kShownTail))).text;
}

BackgroundTasks::Actions actions_of(const std::shared_ptr<StartedCommand>& command,
                                    const std::filesystem::path& output_file) {
  BackgroundTasks::Actions actions;
  actions.stop = [command] {
    if (const auto job = command->job.lock()) job->kill();
  };
  actions.leave_call = [command] { command->moved.request_stop(); };
  actions.output = [output_file] { return tail_of(output_file); };
  actions.wait = [command](std::chrono::milliseconds timeout, const std::stop_token& stop) {
    const auto job = command->job.lock();
    return !job || job->wait_until(std::chrono::steady_clock::now() + timeout, stop);
  };
  return actions;
}

}  // namespace

ShellJobs::ShellJobs(std::filesystem::path scratch_folder, BackgroundTasks& tasks)
    : folder_(std::move(scratch_folder)),
      mark_(random_text(16, kLettersAndDigits)),
      tasks_(tasks) {}

ShellJobs::~ShellJobs() { end(); }

void ShellJobs::end() {
  tasks_.on_change(nullptr);
  std::vector<std::unique_ptr<Entry>> entries;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
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
  BackgroundTask task;
  task.id = "b" + random_text(8, kLettersAndDigits);
  task.tool_use_id = std::move(request.tool_use_id);
  task.description = request.description.empty() ? request.command : request.description;
  task.command = std::move(request.command);
  task.output_file = folder_ / (task.id + ".output");
  task.backgrounded = request.background;
  task.parent_id = std::move(request.parent_id);
  const std::filesystem::path cwd_file = folder_ / (task.id + ".cwd");
  request.process.mark = mark_ + "." + task.id;
  if (request.argv) request.process.argv = request.argv(cwd_file);

  const auto command = std::make_shared<StartedCommand>();
  std::shared_ptr<ShellJob> started;
  const std::string id = task.id;
  const std::filesystem::path output_file = task.output_file;
  const auto begin = [&]() -> Result<void> {
    Result<std::shared_ptr<ShellJob>> job =
        ShellJob::start({std::move(request.process), output_file, [this, id] { ended(id); }});
    if (!job) return job.error();
    command->job = started = *job;
    const std::lock_guard lock(mutex_);
    if (over_) {
      (*job)->kill();
      return Error(ErrorCode::closed, "the session has ended");
    }
    ran_ = true;
    entries_.push_back(std::make_unique<Entry>(Entry{id, *job, cwd_file}));
    return {};
  };
  auto added =
      tasks_.add(std::move(task), actions_of(command, output_file), request.background, begin);
  if (!added) return added.error();
  return Started{id, std::move(started), cwd_file, command->moved.get_token()};
}

void ShellJobs::close(const std::string& id) {
  std::error_code ignored;
  {
    const std::lock_guard lock(mutex_);
    Entry* const found = entry(id);
    if (!found) return;
    std::filesystem::remove(found->job->output_file(), ignored);
    std::filesystem::remove(found->cwd_file, ignored);
    found->closed = true;
  }
  tasks_.forget(id);
  drop_gone();
}

void ShellJobs::ended(const std::string& id) {
  tasks_.end(id, [&](BackgroundTask& task) {
    const std::lock_guard lock(mutex_);
    const Entry* const found = entry(id);
    if (found == nullptr) return;
    using Status = BackgroundTask::Status;
    task.exit_code = found->job->exit_code();
    task.status = *task.exit_code == 0 ? Status::completed : Status::failed;
    if (!task.backgrounded) return;
    // Nobody follows a command into the folder where it ended after its call was answered.
    std::error_code ignored;
    std::filesystem::remove(found->cwd_file, ignored);
  });
}

ShellJobs::Entry* ShellJobs::entry(const std::string& id) const {
  for (const auto& one : entries_) {
    if (one->id == id) return one.get();
  }
  return nullptr;
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
