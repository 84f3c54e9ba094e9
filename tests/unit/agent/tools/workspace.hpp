// A folder of its own with the tools' state over it, and calls as the agent makes them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "agent/tools/tool_state.hpp"
#include "agent/tools/toolbox.hpp"
#include "support/files/temporary.hpp"

namespace parley::agent::testing {

class Workspace {
 public:
  /// `change` may fill in what the defaults leave open.
  explicit Workspace(const std::function<void(ToolState::Setup&)>& change = {});
  ~Workspace();

  /// Schema, check and run, as the agent does it.
  ToolOutput call(std::string_view tool, const Json& input, std::stop_token stop = {});

  void write(const std::string& name, std::string_view content);
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] std::string path(const std::string& name = {}) const;

  ToolState& state() { return *state_; }
  /// Ends the session, as the end of the agent does.
  void close() { state_.reset(); }

 private:
  TemporaryFolder temporary_ = TemporaryFolder::make("parley-tools-").value();
  std::filesystem::path root_;
  std::unique_ptr<ToolState> state_;
};

/// What the model reads, where that is a text.
std::string text_of(const ToolOutput& output);
Json result_of(const ToolOutput& output);
/// Whether a process lives (one that was killed and not yet collected does not).
bool is_alive(int pid);

}  // namespace parley::agent::testing
