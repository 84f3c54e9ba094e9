#include "workspace.hpp"

#include <stdlib.h>

#include <fstream>

#include "support/files/io.hpp"

namespace parley::agent::testing {

namespace fs = std::filesystem;

Workspace::Workspace(const std::function<void(ToolState::Setup&)>& change) {
  root_ = fs::canonical(temporary_.path());
  fs::create_directories(root_ / "work");
  ToolState::Setup setup;
  setup.cwd = root_ / "work";
  setup.results_folder = root_ / "results";
  setup.scratch_folder = root_ / "scratch";
  setup.environment = {{"PATH", "/usr/bin:/bin"}, {"HOME", root_.string()}};
  setup.plan_file = root_ / "plan.md";
  if (change) change(setup);
  state_ = std::make_unique<ToolState>(std::move(setup));
}

Workspace::~Workspace() { close(); }

ToolOutput Workspace::call(std::string_view name, const Json& input, std::stop_token stop) {
  const Tool* const tool = find_tool(name);
  if (!tool) return ToolOutput::error(no_such_tool(name), true);
  const RawJson raw = tool->normal_input(RawJson(input.dump()));
  if (Result<void> fits = check_schema(*tool, raw); !fits)
    return ToolOutput::bad_input(fits.error());
  const ToolCall call{"toolu_1", raw, std::move(stop), *state_};
  if (Result<void> fine = tool->check(call); !fine) {
    return ToolOutput::error(fine.error().message(), true);
  }
  return tool->run(call);
}

void Workspace::write(const std::string& name, std::string_view content) {
  const fs::path file = path(name);
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
}

std::string Workspace::read(const std::string& name) const {
  return read_file(path(name)).value_or("");
}

std::string Workspace::path(const std::string& name) const {
  const fs::path work = root_ / "work";
  return name.empty() ? work.string() : (work / name).string();
}

std::string text_of(const ToolOutput& output) {
  const std::string* const text = std::get_if<std::string>(&output.content);
  return text ? *text : std::string();
}

Json result_of(const ToolOutput& output) { return output.result.json().value(); }

bool is_alive(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return false;
  const std::size_t name_end = line.rfind(')');
  return name_end != std::string::npos && line.substr(name_end + 2, 1) != "Z";
}

}  // namespace parley::agent::testing
