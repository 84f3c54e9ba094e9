// Bash: a command in a fresh shell each time, in the folder where the last one ended.
#include <charconv>
#include <cmath>

#include "agent/tools/files/files.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/shell/command_words.hpp"
#include "agent/tools/shell/sandbox.hpp"
#include "agent/tools/shell/shell_jobs.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"
#include "support/process/spawn.hpp"
#include "support/text/javascript_text.hpp"
#include "support/text/utf8.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kDefaultTimeoutMs = 120'000;
constexpr std::int64_t kMostTimeoutMs = 600'000;
// In characters.
/// The model reads at most this much; the rest is kept in a file.
constexpr std::size_t kShownOutput = 30'000;
/// What it reads of longer output instead, and of longer errors.
constexpr std::size_t kPreview = 2'000;
constexpr std::size_t kShownError = 10'000;
/// A command that takes longer than this is worth a word to the client.
constexpr milliseconds kWorthAnnouncing{2'500};
constexpr std::chrono::minutes kLongestInBackground{30};

std::int64_t variable(const std::map<std::string, std::string>& environment, const char* name,
                      std::int64_t fallback) {
  const auto found = environment.find(name);
  if (found == environment.end()) return fallback;
  std::int64_t value = 0;
  const std::string& text = found->second;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && value > 0 ? value : fallback;
}

milliseconds timeout_of(const tools::BashInput& input, const ToolState& state) {
  const auto environment = state.environment();
  const std::int64_t fallback = variable(environment, "BASH_DEFAULT_TIMEOUT_MS", kDefaultTimeoutMs);
  const std::int64_t most =
      std::max(fallback, variable(environment, "BASH_MAX_TIMEOUT_MS", kMostTimeoutMs));
  return milliseconds(std::clamp<std::int64_t>(input.timeout.value_or(fallback), 1, most));
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

/// Blank lines around the output are noise, its indentation is not.
std::string without_blank_lines_around(std::string_view text) {
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos ||
        text.substr(0, end).find_first_not_of(" \t\r") != std::string_view::npos) {
      break;
    }
    text.remove_prefix(end + 1);
  }
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return std::string(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

std::string shortened(std::string text) {
  const std::size_t length = utf16_length(text);
  if (length <= kShownError) return text;
  const std::string head(first_units(text, kShownError / 2));
  return head + "\n\n... [" + std::to_string(length - kShownError) +
         " characters truncated] ...\n\n" + std::string(last_units(text, kShownError / 2));
}

std::string seconds_text(milliseconds time) {
  return std::to_string(
             std::max<std::int64_t>(1, std::llround(static_cast<double>(time.count()) / 1000))) +
         "s";
}

Json bash_result(const std::string& output, const std::string& errors = {}) {
  return Json::object(
      {{"stdout", output}, {"stderr", errors}, {"interrupted", false}, {"isImage", false}});
}

class BashTool final : public TypedTool<tools::BashInput> {
 public:
  std::string_view name() const override { return "Bash"; }

  std::string description() const override {
    return "Runs a command in bash and returns its output, errors included.\n\n"
           "Each call is a fresh shell, but it starts in the folder where the last one ended: `cd` "
           "within the working folders lasts, variables do not. Standard input is empty, so a "
           "command that asks questions fails instead of waiting.\n"
           "- Quote paths that contain spaces. Prefer absolute paths to `cd`.\n"
           "- Use Read, Edit, Write, Glob and Grep for files where they are offered, rather than "
           "cat, sed, find and grep.\n"
           "- `timeout` is in milliseconds: 120000 if left out, 600000 at most. A command that "
           "takes longer goes on in the background.\n"
           "- Set `run_in_background` for servers, watchers and other long work. You are told when "
           "it ends; do not poll for it with sleep.\n"
           "- Output beyond 30000 characters is stored in a file, and you see its beginning.\n"
           "- Say in `description`, in a few plain words, what the command does.";
  }

  Json input_schema() const override {
    return schema::object(
        {{"command", schema::string("The command line"), true},
         {"timeout", schema::number("Milliseconds, at most 600000")},
         {"description", schema::string("What the command does, in five to ten words")},
         {"run_in_background", schema::boolean("Answer at once and let the command go on")},
         {"dangerouslyDisableSandbox",
          schema::boolean("Run outside the sandbox, where the settings allow that")}});
  }

  std::string summary(const RawJson& input) const override {
    const Result<Json> json = input.json();
    if (!json) return {};
    const std::string_view description = (*json)["description"].as_string();
    return std::string(description.empty() ? (*json)["command"].as_string() : description);
  }

 protected:
  Result<void> examine(const tools::BashInput& input, const ToolCall& call) const override {
    if (wants_sandbox(input, call.state) && !bubblewrap(call.state)) {
      return refusal(
          "The settings want commands to run in a sandbox (sandbox.enabled), and bubblewrap "
          "(bwrap), "
          "which makes it, is not installed here. The command was not run. The user can install "
          "bubblewrap or turn sandbox.enabled off; do not look for another way to run it.");
    }
    const std::optional<std::string> sleep = standalone_sleep(input.command);
    if (!sleep || input.run_in_background.value_or(false)) return {};
    return refusal(
        "Blocked: standalone " + *sleep +
        ". To wait for a condition, run a loop that tests it with run_in_background: true "
        "(`until <check>; do sleep 2; done`): you are told when it ends. To wait for a "
        "command, start that command with run_in_background: true. Several shorter "
        "sleeps are no way around this.");
  }

  Intent intent_of(const tools::BashInput& input, const ToolCall& /*call*/) const override {
    Intent intent;
    intent.kind = Intent::Kind::kCommand;
    intent.command = input.command;
    return intent;
  }

  ToolOutput perform(const tools::BashInput& input, const ToolCall& call) const override {
    const bool background = input.run_in_background.value_or(false);
    Result<ShellJobs::Started> started = start(input, call, background);
    if (!started) return ToolOutput::error(started.error().what());
    if (background) return in_background(*started, {}, call, std::nullopt);

    const milliseconds timeout = timeout_of(input, call.state);
    const Clock::time_point begin = Clock::now();
    std::stop_source over;  // either the call is stopped, or it is to be answered already
    const std::stop_callback stopped(call.stop, [&over] { over.request_stop(); });
    const std::stop_callback moved(started->moved, [&over] { over.request_stop(); });
    bool ended =
        started->job->wait_until(begin + std::min(timeout, kWorthAnnouncing), over.get_token());
    if (!ended && !over.stop_requested() && timeout > kWorthAnnouncing) {
      call.state.background_tasks().announce(started->id);
      ended = started->job->wait_until(begin + timeout, over.get_token());
    }
    if (call.stop.stop_requested() && !ended) return interrupted(*started, call);
    if (!ended && started->moved.stop_requested()) {
      return in_background(*started, output_of(*started->job), call, std::nullopt);
    }
    if (!ended) return in_background(*started, output_of(*started->job), call, timeout);
    return finished(input, *started, call);
  }

 private:
  static bool wants_sandbox(const tools::BashInput& input, const ToolState& state) {
    const SandboxSetup& sandbox = state.setup().sandbox;
    const bool left = sandbox.may_be_left && input.dangerouslyDisableSandbox.value_or(false);
    return sandbox.enabled && !left;
  }

  static std::optional<fs::path> bubblewrap(const ToolState& state) {
    const auto environment = state.environment();
    const auto path = environment.find("PATH");
    return find_program("bwrap", path == environment.end() ? "/usr/bin:/bin" : path->second);
  }

  static Result<ShellJobs::Started> start(const tools::BashInput& input, const ToolCall& call,
                                          bool background) {
    ToolState& state = call.state;
    std::error_code error;
    fs::path folder = state.cwd();
    if (!fs::is_directory(folder, error)) folder = state.start_folder();

    ShellJobs::Request request;
    request.tool_use_id = call.id;
    request.command = input.command;
    request.description = input.description.value_or("");
    request.background = background;
    request.parent_id = state.agent_id();
    request.process.cwd = folder;
    request.process.environment = state.environment();
    request.argv = [&](const fs::path& cwd_file) {
      return command_line(input, state, folder, cwd_file);
    };
    return state.shells().start(std::move(request));
  }

  static std::vector<std::string> command_line(const tools::BashInput& input, ToolState& state,
                                               const fs::path& folder, const fs::path& cwd_file) {
    // `eval` keeps the command's own syntax errors from swallowing the rest of the line.
    std::vector<std::string> argv{
        "/bin/bash", "-c",
        "eval " + shell_quoted(input.command) + " && pwd -P >| " + shell_quoted(cwd_file.string())};
    if (!wants_sandbox(input, state)) return argv;
    // It was there when the call was examined; should it be gone, nothing runs at all.
    return sandboxed(bubblewrap(state).value_or("/nonexistent/bwrap"), state.setup().sandbox,
                     state.start_folder(), state.scratch_folder(), folder, argv);
  }

  static std::string output_of(const ShellJob& job) {
    return without_blank_lines_around(to_utf8(job.head()));
  }

  static ToolOutput interrupted(const ShellJobs::Started& started, const ToolCall& call) {
    started.job->kill();
    started.job->wait_until(Clock::now() + std::chrono::seconds(10), {});
    std::string output = output_of(*started.job);
    call.state.shells().close(started.id);
    return ToolOutput::error(output + (output.empty() ? "" : "\n") +
                             "The command was interrupted.");
  }

  static ToolOutput in_background(const ShellJobs::Started& started, const std::string& so_far,
                                  const ToolCall& call, std::optional<milliseconds> timed_out) {
    const std::string file = started.job->output_file().string();
    std::string text = so_far.empty() ? "" : so_far + "\n";
    if (timed_out) {
      started.job->kill_at(Clock::now() + kLongestInBackground);
      if (const auto leave = call.state.background_tasks().mark_moved(started.id)) leave();
      text += "Command did not complete within its " + seconds_text(*timed_out) +
              " timeout and was moved to the background (ID: " + started.id +
              "). Output is being written to: " + file +
              ". You will be notified when it completes. If it is still running after 30m in the "
              "background, it will be stopped and you will be notified. It is running now: do not "
              "start a second copy while it runs. If it is no longer needed, stop it with "
              "TaskStop. ";
      if (so_far.empty()) {
        text +=
            "No output had been read from it when it was moved. A program that buffers its output, "
            "or a pipe into one such as tail, can keep the output file empty until the command "
            "finishes. ";
      }
    } else {
      text +=
          "Command running in background with ID: " + started.id +
          ". Output is being written to: " + file +
          (call.state.agent_id().empty()
               ? ". You will be notified when it completes. "
               : ". You will be notified if it ends while you still work; with your last answer "
                 "it is stopped. ");
    }
    text += "To check interim output, use Read on that file path.";
    Json result = bash_result(so_far);
    result.set("noOutputExpected", false);
    result.set("backgroundTaskId", started.id);
    if (timed_out) result.set("timedOutAfterMs", timed_out->count());
    ToolOutput output = ToolOutput::success(std::move(text), result);
    output.says_no_error = true;
    return output;
  }

  static ToolOutput finished(const tools::BashInput& input, const ShellJobs::Started& started,
                             const ToolCall& call) {
    const int code = started.job->exit_code();
    const std::string moved = follow(started, call.state);
    const std::string full = output_of(*started.job);
    const std::string output(first_units(full, kShownOutput));
    const std::optional<std::string> meaning = exit_meaning(input.command, code);
    if (started.job->overflowed() || (code != 0 && !meaning)) {
      call.state.shells().close(started.id);
      std::string text =
          "Exit code " + std::to_string(code) + (output.empty() ? "" : "\n" + output);
      if (started.job->overflowed()) {
        text = "The command was ended because it wrote more than " +
               size_text(ShellJob::kMostOutput) + ".\n" + text;
      }
      return ToolOutput::error(shortened(std::move(text)) + moved);
    }

    Json result = bash_result(output, moved);
    if (meaning) result.set("returnCodeInterpretation", *meaning);
    result.set("noOutputExpected", is_silent_command(input.command));
    std::string text = output;
    if (output.size() < full.size()) text = stored(started, output, call.state, result);
    call.state.shells().close(started.id);
    text += moved;
    if (text.empty()) text = "(Bash completed with no output)";
    ToolOutput done = ToolOutput::success(std::move(text), result);
    done.says_no_error = true;
    return done;
  }

  /// Keeps the whole output in the session's folder; what the model reads instead.
  static std::string stored(const ShellJobs::Started& started, const std::string& output,
                            const ToolState& state, Json& result) {
    std::error_code error;
    const fs::path file = state.results_folder() / (started.id + ".txt");
    fs::create_directories(file.parent_path(), error);
    fs::copy_file(started.job->output_file(), file, fs::copy_options::overwrite_existing, error);
    if (error) return output + "\n(The rest could not be stored: " + error.message() + ")";
    const std::uint64_t size = started.job->output_bytes();
    result.set("persistedOutputPath", file.string());
    result.set("persistedOutputSize", static_cast<std::int64_t>(size));
    std::string_view preview = first_units(output, kPreview);
    const std::size_t line_end = preview.rfind('\n');
    if (line_end != std::string_view::npos &&
        utf16_length(preview.substr(0, line_end)) > kPreview / 2) {
      preview = preview.substr(0, line_end);
    }
    return "<persisted-output>\nOutput too large (" + size_text(size) +
           "). Full output saved to: " + file.string() + "\n\nPreview (first 2KB):\n" +
           std::string(preview) + "\n...\n</persisted-output>";
  }

  /// Takes over the folder in which the command ended. What is said if it may not stay there.
  static std::string follow(const ShellJobs::Started& started, ToolState& state) {
    const Result<std::string> text = read_bytes(started.cwd_file, 64 << 10);
    if (!text || text->empty()) return {};
    fs::path folder = text->ends_with('\n') ? text->substr(0, text->size() - 1) : *text;
    std::error_code error;
    if (folder == state.cwd() || !fs::is_directory(folder, error)) return {};
    if (fs::equivalent(folder, state.cwd(), error)) return {};
    if (state.is_working_folder(folder)) {
      state.set_cwd(std::move(folder));
      return {};
    }
    state.set_cwd(state.start_folder());
    return "\nShell cwd was reset to " + state.start_folder().string();
  }
};

}  // namespace

std::unique_ptr<Tool> make_bash() { return std::make_unique<BashTool>(); }

}  // namespace parley::agent
