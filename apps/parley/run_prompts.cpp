#include "apps/parley/run_prompts.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <iostream>
#include <sstream>

#include "apps/parley/terminal.hpp"
#include "transport/unique_fd.hpp"

namespace parley::app {
namespace {

constexpr int kBold = 1, kDim = 2;
constexpr const char* kNobody =
    "Nobody is at the terminal to allow this. It can be allowed with --allow or --permission-mode.";

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// The labels that "1" or "1, 3" stands for; the text itself if it is no list of numbers.
std::vector<std::string> chosen(const std::string& line, const tools::Question& question) {
  std::vector<std::string> labels;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, ',');) {
    part = trimmed(part);
    std::size_t number = 0;
    const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == part.data() + part.size();
    if (!whole || number < 1 || number > question.options.size()) return {line};
    labels.push_back(question.options[number - 1].label);
  }
  return labels;
}

}  // namespace

RunPrompts::RunPrompts(RunView& view) : view_(view), someone_there_(::isatty(STDIN_FILENO) == 1) {}

void RunPrompts::serve(Options& options) {
  options.on_permission = [this](const PermissionAsk& ask) { return permission(ask); };
  options.on_question = [this](const QuestionAsk& ask) { return questions(ask); };
  options.on_plan = [this](const PlanAsk& ask) { return plan(ask); };
}

PermissionAnswer RunPrompts::permission(const PermissionAsk& ask) {
  if (!someone_there_) return deny(kNobody);
  const auto guard = view_.lock();
  view_.break_line();
  const bool can_always = ask.permission_suggestions && !ask.permission_suggestions->empty() &&
                          !ask.suppress_always_allow_rule.value_or(false);
  std::cerr << coloured_note("Allow " + call_line(ask.tool_name, ask.input) + "?", kBold) << '\n';
  if (ask.decision_reason) {
    std::cerr << coloured_note("  " + on_one_line(*ask.decision_reason), kDim) << '\n';
  }
  for (;;) {
    std::cerr << (can_always ? "[y]es, [n]o, [a]lways, or a reason against: "
                             : "[y]es, [n]o, or a reason against: ")
              << std::flush;
    const auto line = read_line(ask.stop);
    if (!line) return deny("The user gave no answer.");
    const std::string answer = trimmed(*line);
    if (answer.empty()) continue;
    if (answer == "y" || answer == "Y" || answer == "yes") return allow();
    if (answer == "n" || answer == "N" || answer == "no") {
      return deny("The user does not want this.");
    }
    if (can_always && (answer == "a" || answer == "A" || answer == "always")) {
      return allow().with_changes(PermissionChanges().suggested(ask));
    }
    if (answer.size() == 1) continue;  // a slip of the finger
    return deny(answer);
  }
}

QuestionAnswers RunPrompts::questions(const QuestionAsk& ask) {
  if (!someone_there_) return QuestionAnswers::declined(ask, "Nobody is there to answer.");
  const auto guard = view_.lock();
  view_.break_line();
  QuestionAnswers answers(ask);
  for (std::size_t i = 0; i < ask.questions.size(); ++i) {
    const tools::Question& question = ask.questions[i];
    const bool several = question.multiSelect.value_or(false);
    std::cerr << coloured_note(printable(question.question), kBold) << '\n';
    for (std::size_t k = 0; k < question.options.size(); ++k) {
      std::cerr << "  " << k + 1 << ". " << on_one_line(question.options[k].label) << "  "
                << coloured_note(on_one_line(question.options[k].description), kDim) << '\n';
    }
    std::string line;
    while (line.empty()) {
      std::cerr << (several ? "Numbers (1,3) or your own words: " : "A number or your own words: ")
                << std::flush;
      const auto typed = read_line(ask.stop);
      if (!typed) return QuestionAnswers::declined(ask, "The user gave no answer.");
      line = trimmed(*typed);
    }
    const auto labels = chosen(line, question);
    if (several) {
      answers.choose_all(i, labels);
    } else {
      answers.choose(i, labels.size() == 1 ? labels.front() : line);
    }
  }
  return answers;
}

PlanAnswer RunPrompts::plan(const PlanAsk& ask) {
  if (!someone_there_) return reject_plan("Nobody is there to approve the plan.");
  const auto guard = view_.lock();
  view_.break_line();
  std::cerr << printable(ask.plan) << '\n';
  for (;;) {
    std::cerr << coloured_note("Go ahead with this plan?", kBold)
              << " [y]es, [n]o, or what to change: " << std::flush;
    const auto line = read_line(ask.stop);
    if (!line) return reject_plan("The user gave no answer.");
    const std::string answer = trimmed(*line);
    if (answer == "y" || answer == "Y" || answer == "yes") return approve_plan();
    if (answer == "n" || answer == "N" || answer == "no") {
      return reject_plan("The user does not approve the plan.");
    }
    if (answer.size() > 1) return reject_plan(answer);
  }
}

std::optional<std::string> RunPrompts::read_line(const std::stop_token& stop) {
  const UniqueFd withdrawn(::eventfd(0, EFD_CLOEXEC));
  const std::stop_callback wake(stop, [&] { (void)!::eventfd_write(withdrawn.get(), 1); });
  for (;;) {
    if (const auto end = typed_.find('\n'); end != std::string::npos) {
      std::string line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      return line;
    }
    std::array<pollfd, 2> ready{{{STDIN_FILENO, POLLIN, 0}, {withdrawn.get(), POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0) continue;
    if (ready[1].revents != 0) {
      std::cerr << '\n';
      return std::nullopt;
    }
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count <= 0) return std::nullopt;
    typed_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace parley::app
