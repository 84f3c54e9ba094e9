#include "agent/tools/tool_state.hpp"

#include <mutex>

#include "agent/tools/background/background_tasks.hpp"
#include "agent/tools/planning/task_list.hpp"
#include "agent/tools/shell/shell_jobs.hpp"

namespace parley::agent {

namespace fs = std::filesystem;

/// What all conversations of a session have together.
struct ToolState::Shared {
  explicit Shared(Setup given)
      : setup(std::move(given)),
        tasks(setup.tasks_folder),
        jobs(setup.scratch_folder, background) {}

  const Setup setup;
  std::mutex mutex;
  std::map<std::string, std::string> variables = setup.environment;  ///< Guarded by the mutex.
  TaskList tasks;
  BackgroundTasks background;
  ShellJobs jobs;
};

struct ToolState::Impl {
  explicit Impl(std::shared_ptr<Shared> with, std::string whose = {})
      : shared(std::move(with)),
        setup(shared->setup),
        agent_id(std::move(whose)),
        cwd(shared->setup.cwd) {}

  const std::shared_ptr<Shared> shared;
  const Setup& setup;
  const std::string agent_id;
  mutable std::mutex mutex;
  fs::path cwd;
  std::map<fs::path, KnownFile> files;
  Json todos = Json::array();
};

ToolState::ToolState(Setup setup)
    : impl_(std::make_unique<Impl>(std::make_shared<Shared>(std::move(setup)))) {}
ToolState::ToolState(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ToolState::~ToolState() = default;

std::unique_ptr<ToolState> ToolState::for_agent(const std::string& agent_id) const {
  auto impl = std::make_unique<Impl>(impl_->shared, agent_id);
  impl->cwd = cwd();
  return std::unique_ptr<ToolState>(new ToolState(std::move(impl)));
}

void ToolState::end() { impl_->shared->jobs.end(); }

const std::string& ToolState::agent_id() const { return impl_->agent_id; }

const ToolState::Setup& ToolState::setup() const { return impl_->setup; }

fs::path ToolState::cwd() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->cwd;
}

void ToolState::set_cwd(fs::path cwd) {
  const std::lock_guard lock(impl_->mutex);
  impl_->cwd = std::move(cwd);
}

const fs::path& ToolState::start_folder() const { return impl_->setup.cwd; }
fs::path ToolState::results_folder() const { return impl_->setup.results_folder; }
fs::path ToolState::scratch_folder() const { return impl_->setup.scratch_folder; }

fs::path ToolState::absolute(const std::string& path) const {
  fs::path full = path;
  if (path == "~" || path.starts_with("~/")) {
    const auto variables = environment();
    const auto home = variables.find("HOME");
    if (home != variables.end())
      full = fs::path(home->second) / path.substr(std::min<std::size_t>(2, path.size()));
  }
  if (full.is_relative()) full = cwd() / full;
  full = full.lexically_normal();
  // "/a/" and "/a" are one place.
  if (!full.has_filename() && full != full.root_path()) full = full.parent_path();
  return full;
}

std::string ToolState::relative(const fs::path& path) const {
  const fs::path here = cwd();
  const fs::path inside = path.lexically_relative(here);
  if (inside.empty() || *inside.begin() == "..") return path.string();
  return inside.string();
}

std::function<bool(const fs::path&)> ToolState::hidden_from(std::string_view tool) const {
  if (!impl_->setup.hidden_from) return {};
  return impl_->setup.hidden_from(tool);
}

bool ToolState::is_working_folder(const fs::path& folder) const {
  if (impl_->setup.is_working_folder) return impl_->setup.is_working_folder(folder);
  const fs::path inside = folder.lexically_relative(impl_->setup.cwd);
  return !inside.empty() && *inside.begin() != "..";
}

std::map<std::string, std::string> ToolState::environment() const {
  const std::lock_guard lock(impl_->shared->mutex);
  return impl_->shared->variables;
}

void ToolState::set_variables(const std::map<std::string, std::string>& variables) {
  const std::lock_guard lock(impl_->shared->mutex);
  for (const auto& [name, value] : variables) impl_->shared->variables[name] = value;
}

std::optional<KnownFile> ToolState::known(const fs::path& file) const {
  const std::lock_guard lock(impl_->mutex);
  const auto found = impl_->files.find(file);
  if (found == impl_->files.end()) return std::nullopt;
  return found->second;
}

void ToolState::note(const fs::path& file, KnownFile known) {
  const std::lock_guard lock(impl_->mutex);
  impl_->files.insert_or_assign(file, std::move(known));
}

Json ToolState::todos() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->todos;
}

void ToolState::set_todos(Json todos) {
  const std::lock_guard lock(impl_->mutex);
  impl_->todos = std::move(todos);
}

BackgroundTasks& ToolState::background_tasks() const { return impl_->shared->background; }
ShellJobs& ToolState::shells() { return impl_->shared->jobs; }
TaskList& ToolState::task_list() { return impl_->shared->tasks; }

}  // namespace parley::agent
