#include "agent/agent.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <filesystem>
#include <future>
#include <thread>

#include "agent/assembly/agent_session.hpp"
#include "agent/connection/message_parts.hpp"
#include "agent/control/client_input.hpp"
#include "agent/signals.hpp"
#include "agent/tools/shell/process_table.hpp"
#include "support/files/io.hpp"

namespace parley::agent {
namespace {

/// How long a prompt on the command line waits for more on a stdin that says nothing.
constexpr int kStdinPatienceMs = 3000;
/// How long the end waits for a turn whose tools have to be ended.
constexpr std::chrono::milliseconds kTurnPatience{3000};
/// How long what is there to be done without a prompt waits for a client that says nothing.
constexpr std::chrono::milliseconds kFirstWordsPatience{3000};
constexpr std::size_t kLongestTextInput = std::size_t{64} << 20;

constexpr const char* kNoTerminal =
    "Error: parley-agent has no terminal interface. Use -p \"prompt\", or --input-format "
    "stream-json with --output-format stream-json --verbose.";
constexpr const char* kNoInput =
    "Error: Input must be provided either through stdin or as a prompt argument when using --print";
constexpr const char* kNothingDeferred =
    "Error: The session has no deferred tool call to carry out. Provide a prompt to go on with it.";

/// Everything on stdin. With `patience` only if something comes in that time.
std::string read_text_input(bool patience) {
  std::string text;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (patience && ::poll(&input, 1, kStdinPatienceMs) == 0) {
    complain("Warning: no stdin data received in 3s, proceeding without it.");
    return text;
  }
  (void)!read_all(STDIN_FILENO, text, kLongestTextInput);
  return text;
}

/// The prompt of a run that is not a conversation; empty if there is none.
std::string text_prompt(const Flags& flags) {
  std::string prompt = flags.prompt.value_or("");
  if (::isatty(STDIN_FILENO) == 1) return prompt;
  const std::string input = read_text_input(!prompt.empty());
  if (!prompt.empty() && !input.empty()) prompt += "\n";
  return prompt + input;
}

/// Why a session cannot begin, as a client expects to hear it.
int refuse(Output& output, Format format, const Error& error) {
  complain(error.message());
  if (error.code() != ErrorCode::not_found) return 1;
  ResultMessage result;
  result.subtype = ResultSubtype::error_during_execution;
  result.is_error = true;
  result.duration_ms = result.duration_api_ms = 0;
  result.num_turns = 0;
  write_null(result.extra, "stop_reason");
  result.total_cost_usd = 0;
  Usage usage;
  add_usage(usage, {});
  result.usage = usage;
  result.modelUsage.emplace();
  result.permission_denials.emplace();
  result.errors = std::vector<std::string>{error.message()};
  result.result_index = 0;
  output.send(std::move(result));
  if (format != Format::text) output.finish();
  return 1;
}

/// The program while it runs: what main, the signals and the reader use.
struct Program {
  Output& output;
  AgentSession session;
  RunningTurn& running() { return session.control().running; }
  Asker& asker() { return session.control().asker; }
  PromptQueue& prompts() { return session.control().prompts; }
};

/// Ends the process and what tools started, without waiting for threads that wait for input.
[[noreturn]] void leave(Program& program, int code) {
  program.session.end_tools();
  kill_children(kHookVariable);
  std::_Exit(code);
}

/// Set by who ends the process from another thread than the main one.
std::atomic<bool> leaving = false;

/// The same in the middle of a turn, without another word.
[[noreturn]] void leave_now(Program& program, int code) {
  leaving = true;
  program.output.mute();
  program.asker().close();
  program.running().interrupt();
  if (program.running().wait_idle(kTurnPatience)) leave(program, code);
  kill_children(kHookVariable);
  std::_Exit(code);
}

void on_signal(Program& program, int signal) {
  if (signal != SIGINT) leave_now(program, 128 + signal);
  program.asker().withdraw_all();
  program.prompts().abandon();
  // A second one does not wait for the turn to end.
  RunningTurn& running = program.running();
  if (running.interrupted_by_signal() || !running.interrupt(true)) leave_now(program, 0);
}

/// How long background commands are waited for when no more prompts can come; 0 means for ever.
std::optional<std::chrono::milliseconds> background_patience(const Environment& environment) {
  std::int64_t value = 600'000;
  const auto found = environment.find("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS");
  if (found != environment.end()) {
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), value);
  }
  if (value <= 0) return std::nullopt;
  return std::chrono::milliseconds(value);
}

/// Reads what the client says. The future is there when its first words have been dealt with, or
/// when it has hung up.
std::future<void> start_reading(Program& program) {
  std::promise<void> promise;
  std::future<void> first_words = promise.get_future();
  std::thread([&program, promise = std::move(promise)]() mutable {
    bool told = false;
    const auto tell = [&] {
      if (!std::exchange(told, true)) promise.set_value();
    };
    ClientInput input(program.session.control());
    if (const auto complaint = read_stdin(input, tell)) {
      complain(*complaint);
      leave_now(program, 1);
    }
    program.asker().close();
    program.prompts().close();
    tell();
  }).detach();
  return first_words;
}

bool resumes(const Flags& flags) { return flags.resume || flags.continue_latest; }

int refuse_to_run(const char* why) {
  complain(why);
  return 1;
}

int exit_code(Program& program) {
  if (program.running().interrupted_by_signal()) return 0;
  const auto result = program.output.last_result();
  return result && result->is_error.value_or(false) ? 1 : 0;
}

}  // namespace

int run_agent(const std::vector<std::string>& arguments, const Environment& environment) {
  const CommandLine line = parse_command_line(arguments);
  if (line.end) {
    (void)!write_all(STDOUT_FILENO, line.end->out);
    (void)!write_all(STDERR_FILENO, line.end->err);
    return line.end->code;
  }
  std::error_code error;
  const std::string cwd = std::filesystem::current_path(error).string();
  if (error) {
    complain("Error: the working folder cannot be used: " + error.message());
    return 1;
  }
  adopt_orphans();
  SessionConfig config(line.flags, environment, cwd);
  Output output(config.flags.output, config.flags.verbose);
  const bool is_text = config.flags.input == Format::text;
  std::string text;
  if (is_text) {
    if (!config.flags.print) return refuse_to_run(kNoTerminal);
    text = text_prompt(config.flags);
  }
  const auto loaded = config.load();
  output.set_session_id(config.session_id);
  if (!loaded) return refuse(output, config.flags.output, loaded.error());
  Program program{output, {config, output}};
  AgentSession& session = program.session;
  if (auto resumed = session.resume(); !resumed) {
    return refuse(output, config.flags.output, resumed.error());
  }
  watch_signals([&program](int signal) { on_signal(program, signal); });
  session.start_servers();
  session.run_start_hooks();
  PromptQueue& prompts = program.prompts();
  const auto& deferred = session.turns().deferred;
  if (is_text) {
    if (!text.empty()) prompts.push(prompt_of(text));
    if (prompts.size() == 0 && !deferred) {
      session.run_end_hooks();
      return refuse_to_run(resumes(config.flags) ? kNothingDeferred : kNoInput);
    }
    prompts.close();
    program.asker().close();
  } else {
    const std::future<void> first_words = start_reading(program);
    // What `initialize` says counts for what was put off, and for what a hook has to say.
    if (deferred || prompts.size() > 0) first_words.wait_for(kFirstWordsPatience);
  }
  RunningTurn& running = program.running();
  if (deferred && !running.interrupted_by_signal()) Turn(session.turns()).run_deferred();
  const auto patience = background_patience(environment);
  while (!output.broken() && !running.interrupted_by_signal()) {
    std::vector<UserMessage> next = prompts.next(patience);
    if (next.empty()) break;
    Turn(session.turns()).run(std::move(next));
  }
  while (leaving) ::pause();
  session.run_end_hooks();
  output.finish();
  leave(program, exit_code(program));
}

}  // namespace parley::agent
