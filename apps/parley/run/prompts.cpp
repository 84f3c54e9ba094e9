#include "apps/parley/run/prompts.hpp"

#include <algorithm>
#include <iostream>

#include "apps/parley/run/edit.hpp"
#include "apps/parley/terminal.hpp"
#include "support/text/text.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
namespace {

constexpr const char* kNobody =
    "Nobody is at the terminal to allow this. It can be allowed with --allow or --permission-mode.";
constexpr const char* kNoAnswer = "The user gave no answer.";

/// Offers keys and waits for one of `keys`, in either case. Nothing if there is no answer.
std::optional<char> choose(Keyboard& keyboard, const std::string& offer, std::string_view keys) {
  std::cerr << offer << ": " << std::flush;
  while (const auto typed = keyboard.key()) {
    const char key = lower(*typed);
    if (keys.find(key) == std::string_view::npos) continue;  // a slip of the finger
    std::cerr << (key == Keyboard::kEnter ? "" : std::string(1, key)) << '\n';
    return key;
  }
  std::cerr << '\n';
  return std::nullopt;
}

/// One question with choices; the labels that were chosen. Nothing if there is no answer.
std::optional<std::vector<std::string>> choices(Keyboard& keyboard,
                                                const tools::Question& question) {
  // The agent offers at most four; what has no key of its own is answered in words.
  const std::size_t count = std::min<std::size_t>(question.options.size(), 9);
  const bool several = question.multiSelect.value_or(false);
  std::cerr << coloured_note(printable(question.question), kBold) << '\n';
  std::string keys = several ? "o\n" : "o";
  for (std::size_t i = 0; i < count; ++i) {
    keys += static_cast<char>('1' + i);
    std::cerr << "  " << i + 1 << ". " << on_one_line(question.options[i].label) << "  "
              << coloured_note(on_one_line(question.options[i].description), kDim) << '\n';
  }
  std::vector<std::string> chosen;
  for (;;) {
    const auto key = choose(keyboard,
                            several ? "number to choose or drop, Enter when done, [o]wn words"
                                    : "number, or [o]wn words",
                            keys);
    if (!key) return std::nullopt;
    if (*key == Keyboard::kEnter) {
      if (!chosen.empty()) return chosen;
      continue;
    }
    if (*key == 'o') {
      const auto words = keyboard.line("your answer: ");
      if (!words) return std::nullopt;
      if (!words->empty()) return std::vector{*words};
      continue;
    }
    const std::string& label = question.options[static_cast<std::size_t>(*key - '1')].label;
    if (!several) return std::vector{label};
    if (std::erase(chosen, label) == 0) chosen.push_back(label);
    std::string all;
    for (const std::string& one : chosen) all += (all.empty() ? "" : ", ") + on_one_line(one);
    std::cerr << coloured_note("  chosen: " + (all.empty() ? "nothing" : all), kDim) << '\n';
  }
}

}  // namespace

void RunPrompts::serve(Options& options) {
  options.on_permission = [this](const PermissionAsk& ask) { return permission(ask); };
  options.on_question = [this](const QuestionAsk& ask) { return questions(ask); };
  options.on_plan = [this](const PlanAsk& ask) { return plan(ask); };
}

PermissionAnswer RunPrompts::permission(const PermissionAsk& ask) {
  if (!Keyboard::present()) return deny(kNobody);
  const auto guard = view_.lock();
  if (ask.stop.stop_requested()) return deny(kNoAnswer);
  view_.break_line();
  Keyboard keyboard(ask.stop);
  std::cerr << coloured_note("Allow " + call_line(ask.tool_name, ask.input) + "?", kBold) << '\n';
  if (!ask.subagent().empty()) {
    std::cerr << coloured_note("  a subagent wants it", kDim) << '\n';
  }
  if (ask.decision_reason) {
    std::cerr << coloured_note("  " + on_one_line(*ask.decision_reason), kDim) << '\n';
  }
  const bool can_always = ask.permission_suggestions && !ask.permission_suggestions->empty() &&
                          !ask.suppress_always_allow_rule.value_or(false);
  const std::string offer = std::string("[y]es, [n]o, ") + (can_always ? "[a]lways, " : "") +
                            "[e]dit, [s]how all of it, no for a [r]eason";
  for (;;) {
    const auto key = choose(keyboard, offer, can_always ? "ynaesr" : "ynesr");
    if (!key) return deny(kNoAnswer);
    switch (*key) {
      case 'y': return allow();
      case 'n': return deny("The user does not want this.");
      case 'a': return allow().with_changes(PermissionChanges().suggested(ask));
      case 'e': {
        auto input = edited(keyboard, ask.input);
        if (input) return allow().with_input(*std::move(input));
        std::cerr << coloured_note(printable(input.error().what()), kRed) << '\n';
        break;
      }
      case 's': {
        const auto json = ask.input.json();
        std::cerr << printable(json ? json->dump(2) : ask.input.text) << '\n';
        break;
      }
      default:
        if (const auto reason = keyboard.line("reason: "); !reason || !reason->empty()) {
          return deny(reason.value_or(kNoAnswer));
        }
    }
  }
}

QuestionAnswers RunPrompts::questions(const QuestionAsk& ask) {
  if (!Keyboard::present()) return QuestionAnswers::declined(ask, "Nobody is there to answer.");
  const auto guard = view_.lock();
  if (ask.stop.stop_requested()) return QuestionAnswers::declined(ask, kNoAnswer);
  view_.break_line();
  Keyboard keyboard(ask.stop);
  QuestionAnswers answers(ask);
  for (std::size_t i = 0; i < ask.questions.size(); ++i) {
    const auto chosen = choices(keyboard, ask.questions[i]);
    if (!chosen) return QuestionAnswers::declined(ask, kNoAnswer);
    answers.choose_all(i, *chosen);
  }
  return answers;
}

PlanAnswer RunPrompts::plan(const PlanAsk& ask) {
  if (!Keyboard::present()) return reject_plan("Nobody is there to approve the plan.");
  const auto guard = view_.lock();
  if (ask.stop.stop_requested()) return reject_plan(kNoAnswer);
  view_.break_line();
  Keyboard keyboard(ask.stop);
  std::cerr << printable(ask.plan) << '\n'
            << coloured_note("Go ahead with this plan?", kBold) << '\n';
  for (;;) {
    const auto key =
        choose(keyboard, "[y]es, yes and [a]ccept edits, [n]o, no but [c]hange it", "yanc");
    if (!key) return reject_plan(kNoAnswer);
    switch (*key) {
      case 'y': return approve_plan();
      case 'a': return approve_plan(PermissionMode::acceptEdits);
      case 'n': return reject_plan("The user does not approve the plan.");
      default:
        if (const auto words = keyboard.line("what to change: "); !words || !words->empty()) {
          return reject_plan(words.value_or(kNoAnswer));
        }
    }
  }
}

}  // namespace parley::app
