// Runs a compiled pattern: all states at once, byte by byte.
#include "model/pattern.hpp"

#include "model/pattern_program.hpp"

namespace parley::model {
namespace {

using Kind = Instruction::Kind;

class Run {
 public:
  Run(const Pattern::Program& program, std::string_view text)
      : program_(program), text_(text), seen_(program.code.size(), 0) {}

  /// Whether a match begins at `at`, or with `anywhere` at or behind it.
  bool match(std::size_t start, std::size_t at, bool anywhere) {
    states_.clear();
    for (;; ++at) {
      ++round_;
      following_.clear();
      for (const std::size_t state : states_) {
        if (reach(state, at)) return true;
      }
      if (at == first_ || anywhere) {
        if (reach(start, at)) return true;
      }
      if (at == text_.size()) return false;
      step(at);
      if (states_.empty() && !anywhere) return false;
    }
  }

  static bool matches(const Pattern::Program& program, std::string_view text, std::size_t start,
                      std::size_t at, bool anywhere) {
    Run run(program, text);
    run.first_ = at;
    return run.match(start, at, anywhere);
  }

 private:
  /// Follows everything that takes no byte. True if that ends in a match.
  bool reach(std::size_t from, std::size_t at) {
    waiting_.push_back(from);
    while (!waiting_.empty()) {
      const std::size_t state = waiting_.back();
      waiting_.pop_back();
      if (seen_[state] == round_) continue;
      seen_[state] = round_;
      const Instruction& instruction = program_.code[state];
      switch (instruction.kind) {
        case Kind::kMatch: return true;
        case Kind::kByte: following_.push_back(state); break;
        case Kind::kSplit:
          waiting_.push_back(instruction.other);
          waiting_.push_back(instruction.next);
          break;
        default:
          if (holds(instruction, at)) waiting_.push_back(instruction.next);
      }
    }
    return false;
  }

  void step(std::size_t at) {
    states_.clear();
    const auto byte = static_cast<unsigned char>(text_[at]);
    for (const std::size_t state : following_) {
      const Instruction& instruction = program_.code[state];
      if (program_.sets[instruction.bytes][byte]) states_.push_back(instruction.next);
    }
  }

  [[nodiscard]] bool holds(const Instruction& instruction, std::size_t at) const {
    const bool begin = at == 0;
    const bool end = at == text_.size();
    const bool boundary =
        (!begin && is_word_byte(text_[at - 1])) != (!end && is_word_byte(text_[at]));
    switch (instruction.kind) {
      case Kind::kTextBegin: return begin;
      case Kind::kTextEnd: return end;
      case Kind::kEnd: return end || (at + 1 == text_.size() && text_[at] == '\n');
      case Kind::kLineBegin: return begin || text_[at - 1] == '\n';
      case Kind::kLineEnd: return end || text_[at] == '\n';
      case Kind::kWordBoundary: return boundary;
      case Kind::kNoWordBoundary: return !boundary;
      case Kind::kAhead: return matches(program_, text_, instruction.other, at, false);
      case Kind::kNotAhead: return !matches(program_, text_, instruction.other, at, false);
      case Kind::kByte:
      case Kind::kSplit:
      case Kind::kMatch: break;
    }
    return false;
  }

  const Pattern::Program& program_;
  const std::string_view text_;
  std::size_t first_ = 0;
  std::size_t round_ = 0;
  std::vector<std::size_t> seen_;  ///< In which round a state was reached last.
  std::vector<std::size_t> states_, following_, waiting_;
};

}  // namespace

bool Pattern::found_in(std::string_view text) const {
  return Run::matches(*program_, text, program_->start, 0, true);
}

}  // namespace parley::model
