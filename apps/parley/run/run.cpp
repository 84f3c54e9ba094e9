// `parley run`: one prompt, one turn, in a terminal or in a script.
#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <thread>

#include "apps/parley/commands.hpp"
#include "apps/parley/run/prompts.hpp"
#include "apps/parley/run/view.hpp"
#include "apps/parley/serve/own_agent.hpp"
#include "apps/parley/terminal.hpp"
#include "client/ledger/ledger.hpp"

namespace parley::app {
namespace {

struct RunCommand {
  std::string prompt, mode;
  std::vector<std::string> files;
  bool json = false;
  Options options;
};

int fail(const Error& error) {
  std::cerr << "parley run: " << printable(error.what()) << '\n';
  if (error.code() != ErrorCode::not_found) return kFailure;
  std::cerr << "The option --cli names it, too; `parley doctor` says more.\n";
  return kNotFound;
}

Result<Prompt> prompt_of(const RunCommand& command) {
  std::string text = command.prompt;
  if (text.empty() || text == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
    text.erase(text.find_last_not_of("\r\n") + 1);
  }
  if (text.empty()) return Error(ErrorCode::invalid, "the prompt is empty");
  Prompt prompt(std::move(text));
  for (const std::string& file : command.files) {
    if (auto added = prompt.add_file(file); !added) return added.error();
  }
  return prompt;
}

/// Shows the turn to its end. `no_key` is set if it failed for want of a key.
Result<ResultMessage> watch(Session& session, RunView& view, bool& no_key) {
  for (;;) {
    auto message = session.receive();
    if (!message) return message.error();
    view.show(*message);
    if (const auto* answer = message->get_if<AssistantMessage>()) {
      no_key = answer->error == AssistantError::authentication_failed;
    }
    if (auto* result = std::get_if<ResultMessage>(&*message)) return std::move(*result);
  }
}

/// What the first Ctrl-C does to a session: interrupts its turn, or ends it if there is none yet.
class OnInterrupt {
 public:
  OnInterrupt(Session& session, RunView& view, const std::stop_token& token)
      : session_(session), view_(view), callback_(token, [this] { react(); }) {}

  void turn_begins() { turn_ = true; }

 private:
  void react() {
    // Not here: the thread that calls this has to wait for the second Ctrl-C.
    worker_ = std::jthread([this] {
      if (!turn_) return session_.close();
      view_.note("interrupting; Ctrl-C again ends the program");
      (void)session_.interrupt();
    });
  }

  Session& session_;
  RunView& view_;
  std::atomic<bool> turn_ = false;
  std::jthread worker_;
  std::stop_callback<std::function<void()>> callback_;
};

int run(RunCommand command) {
  const auto prompt = prompt_of(command);
  if (!prompt) return fail(prompt.error()), kUsage;
  // Before the session starts its threads, so that they leave Ctrl-C to this object.
  const Interrupt interrupt;
  RunView view(command.json);
  RunPrompts prompts(view);
  prompts.serve(command.options);
  Session session(std::move(command.options));
  OnInterrupt on_interrupt(session, view, interrupt.token());
  const auto ended = [&](const Error& error) {
    if (!interrupt.token().stop_requested()) return fail(error);
    view.note("interrupted");
    return kInterrupted;
  };

  if (auto connected = session.connect(); !connected) return ended(connected.error());
  on_interrupt.turn_begins();
  if (auto sent = session.send(*prompt); !sent) return ended(sent.error());
  bool no_key = false;
  const auto result = watch(session, view, no_key);
  if (!result) return ended(result.error());
  view.show_end(*result, session.spending());
  const auto error = error_of(*result);
  if (!error) return kSuccess;
  const int code = ended(*error);
  if (no_key && error->message().find("ANTHROPIC_API_KEY") == std::string::npos) {
    std::cerr << kHowToBegin << '\n';
  }
  return code;
}

void add_options(CLI::App& app, RunCommand& command) {
  Options& options = command.options;
  options.process.client_app = "parley-run";
  app.add_option("prompt", command.prompt, "What to ask; read from standard input if not given");
  app.add_option("-f,--file", command.files,
                 "An image, PDF or text file to go with it (again for more)")
      ->allow_extra_args(false)
      ->check(CLI::ExistingFile);
  app.add_option("-m,--model", options.model, "The model");
  std::vector<std::string> modes;
  for (const std::string_view mode : parley_enum(Tag<PermissionMode>{})) modes.emplace_back(mode);
  app.add_option("--permission-mode", command.mode, "What the agent may do without asking")
      ->check(CLI::IsMember(modes));
  app.add_option("--allow", options.tools.allowed, "A tool, or \"Bash(git *)\", to run unasked")
      ->allow_extra_args(false);
  app.add_option("--deny", options.tools.disallowed, "A tool that must not run")
      ->allow_extra_args(false);
  app.add_option("-C,--cwd", options.cwd, "The working folder")->check(CLI::ExistingDirectory);
  auto* resume = app.add_option("-r,--resume", options.resume.id, "Go on with this session");
  app.add_flag("-c,--continue", options.resume.latest,
               "Go on with the latest session of the folder")
      ->excludes(resume);
  app.add_option("--max-turns", options.limits.max_turns,
                 "Stop after so many answers of the model");
  app.add_option("--cli", options.cli.program, "The agent CLI; looked for if not given");
  app.add_flag("--json", command.json, "Print the messages as they come, one per line");
  app.add_flag("--partial", options.delivery.partial_messages,
               "With --json: also pieces of answers");
  app.footer(
      "Exit codes: 0 done, 1 the turn failed, 2 wrong usage, 127 no CLI found, 130 interrupted.\n"
      "Ctrl-C interrupts the turn; a second one ends the program.");
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  const auto command = std::make_shared<RunCommand>();
  CLI::App* run_app = app.add_subcommand("run", "Give an agent a prompt and watch it work");
  add_options(*run_app, *command);
  run_app->callback([command, &exit_code] {
    if (!command->json) command->options.delivery.partial_messages = true;
    command->options.cli.fallbacks = own_agents();
    if (!command->mode.empty()) {
      command->options.permissions.mode = Enum<PermissionMode>(command->mode).known();
      command->options.permissions.allow_bypass = command->mode == "bypassPermissions";
    }
    exit_code = run(std::move(*command));
  });
}

}  // namespace parley::app
