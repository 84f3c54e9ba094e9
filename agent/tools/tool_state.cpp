#include "agent/tools/tool_state.hpp"

#include <mutex>

#include "agent/tools/planning/task_list.hpp"
#include "agent/tools/shell/shell_jobs.hpp"

namespace parley::agent {

namespace fs = std::filesystem;

struct ToolState::Impl {
  explicit Impl(Setup given)
      : setup(std::move(given)), cwd(setup.cwd), jobs(setup.scratch_folder) {}

  const Setup setup;
  mutable std::mutex mutex;
  fs::path cwd;
  std::map<std::string, std::string> variables = setup.environment;
  std::map<fs::path, KnownFile> files;
  Json todos = Json::array();
  TaskList tasks;
  ShellJobs jobs;
};

ToolState::ToolState(Setup setup) : impl_(std::make_unique<Impl>(std::move(setup))) {}
ToolState::~ToolState() = default;

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
  const std::lock_guard lock(impl_->mutex);
  return impl_->variables;
}

void ToolState::set_variables(const std::map<std::string, std::string>& variables) {
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [name, value] : variables) impl_->variables[name] = value;
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

void ToolState::on_task_change(std::function<void(const BackgroundTask&)> listener) {
  impl_->jobs.on_change(std::move(listener));
}
std::vector<BackgroundTask> ToolState::tasks() const { return impl_->jobs.tasks(); }
bool ToolState::stop_task(const std::string& id) { return impl_->jobs.stop(id); }
std::optional<std::string> ToolState::task_output(const std::string& id) const {
  return impl_->jobs.output(id);
}

Json ToolState::todos() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->todos;
}

void ToolState::set_todos(Json todos) {
  const std::lock_guard lock(impl_->mutex);
  impl_->todos = std::move(todos);
}

ShellJobs& ToolState::shells() { return impl_->jobs; }
TaskList& ToolState::task_list() { return impl_->tasks; }

}  // namespace parley::agent
