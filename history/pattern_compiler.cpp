// Turns an expression into a program: recursive descent, one function per level of the grammar.
#include <algorithm>

#include "history/pattern_program.hpp"
#include "wire/utf8.hpp"

namespace parley::history {

namespace {

constexpr std::size_t kMostSteps = 20000;
constexpr unsigned kMostRepeats = 1000;
constexpr int kMaxGroups = 200;

using Bytes = std::bitset<256>;

Bytes range(unsigned from, unsigned to) {
  Bytes set;
  for (unsigned i = from; i <= to; ++i) set.set(i);
  return set;
}

Bytes word_bytes() { return range('0', '9') | range('a', 'z') | range('A', 'Z') | range('_', '_'); }

/// A character in JSON as it is: printable ASCII but the quote, the backslash and, because some
/// writers escape them, slash and angle brackets.
bool is_plain_in_json(char c) {
  return c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '/' && c != '<' && c != '>' &&
         c != '&' && c != '\'';
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

class PatternCompiler {
 public:
  PatternCompiler(std::string_view expression, bool ignore_case)
      : text_(expression), ignore_case_(ignore_case), program_(std::make_shared<Program>()) {}

  Result<Pattern> run() {
    alternatives();
    if (why_ == nullptr && at_ < text_.size()) fail("unmatched )");
    if (why_ != nullptr) {
      return Error(ErrorCode::kInvalid,
                   std::string(why_) + " at character " + std::to_string(at_ + 1),
                   "regular expression " + std::string(text_));
    }
    emit({Op::kEnd});
    Pattern pattern;
    pattern.ignore_case_ = ignore_case_;
    pattern.needle_ = longest_plain();
    pattern.program_ = std::move(program_);
    return pattern;
  }

  static Pattern literal(std::string_view text, bool ignore_case) {
    Pattern pattern;
    pattern.ignore_case_ = ignore_case;
    pattern.literal_ = text;
    if (ignore_case) {
      std::transform(pattern.literal_.begin(), pattern.literal_.end(), pattern.literal_.begin(),
                     lower);
    }
    std::string run;
    for (const char c : pattern.literal_ + "\n") {
      if (is_plain_in_json(c)) {
        run += c;
      } else {
        if (run.size() > pattern.needle_.size()) pattern.needle_ = run;
        run.clear();
      }
    }
    return pattern;
  }

 private:
  using Program = Pattern::Program;
  using Op = Program::Op;
  using Step = Program::Step;

  void fail(const char* why) {
    if (why_ == nullptr) why_ = why;
  }
  [[nodiscard]] bool more() const { return why_ == nullptr && at_ < text_.size(); }
  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(program_->steps.size());
  }
  void emit(Step step) {
    if (program_->steps.size() >= kMostSteps) return fail("the expression is too large");
    program_->steps.push_back(step);
  }
  void insert(std::uint32_t place, Step step) {
    if (program_->steps.size() >= kMostSteps) return fail("the expression is too large");
    // What comes later moves by one. Who jumped here from before means the new step, who jumped
    // here from behind means the old one.
    for (std::uint32_t i = 0; i < here(); ++i) {
      Step& other = program_->steps[i];
      if (other.op != Op::kSplit && other.op != Op::kJump) continue;
      const auto moves = [&](std::uint32_t to) {
        return to > place || (to == place && i >= place);
      };
      if (moves(other.a)) ++other.a;
      if (other.op == Op::kSplit && moves(other.b)) ++other.b;
    }
    program_->steps.insert(program_->steps.begin() + place, step);
  }
  void emit_bytes(Bytes set) {
    if (ignore_case_) {
      for (unsigned c = 'a'; c <= 'z'; ++c) {
        if (set[c] || set[c - 32]) set.set(c).set(c - 32);
      }
    }
    program_->sets.push_back(set);
    emit({Op::kBytes, static_cast<std::uint32_t>(program_->sets.size() - 1)});
  }

  void alternatives() {
    const std::uint32_t begin = here();
    sequence();
    while (more() && text_[at_] == '|') {
      if (depth_ == 0) has_alternatives_ = true;
      ++at_;
      insert(begin, {Op::kSplit, begin + 1, here() + 2});
      const std::uint32_t jump = here();
      emit({Op::kJump});
      program_->steps[begin].b = here();
      sequence();
      if (why_ == nullptr) program_->steps[jump].a = here();
    }
  }

  void sequence() {
    while (more() && text_[at_] != '|' && text_[at_] != ')') {
      const std::uint32_t begin = here();
      const std::size_t from = at_;
      item();
      if (why_ != nullptr) return;
      repeat(begin, from);
    }
  }

  /// `from` is where the item stands in the expression, to know whether it is a plain character.
  void repeat(std::uint32_t begin, std::size_t from) {
    unsigned least = 1, most = 1;
    bool endless = false;
    const std::size_t item_end = at_;
    if (more() && (text_[at_] == '*' || text_[at_] == '+' || text_[at_] == '?')) {
      least = text_[at_] == '+' ? 1 : 0;
      endless = text_[at_] != '?';
      ++at_;
    } else if (more() && text_[at_] == '{') {
      if (!counts(least, most, endless)) return;
    } else {
      if (item_end == from + 1) return add_plain(text_[from]);
      return break_plain();
    }
    if (more() && text_[at_] == '?') ++at_;  // lazy: the same language
    break_plain();
    const std::vector<Step> unit(program_->steps.begin() + begin, program_->steps.end());
    program_->steps.resize(begin);
    for (unsigned i = 0; i < least; ++i) copy(unit, begin);
    if (endless) {
      const std::uint32_t loop = here();
      emit({Op::kSplit, loop + 1, 0});
      copy(unit, begin);
      emit({Op::kJump, loop});
      if (why_ == nullptr) program_->steps[loop].b = here();
    } else {
      std::vector<std::uint32_t> exits;
      for (unsigned i = least; i < most && why_ == nullptr; ++i) {
        exits.push_back(here());
        emit({Op::kSplit, here() + 1, 0});
        copy(unit, begin);
      }
      for (const std::uint32_t exit : exits) {
        if (why_ == nullptr) program_->steps[exit].b = here();
      }
    }
  }

  void copy(const std::vector<Step>& unit, std::uint32_t compiled_at) {
    const std::uint32_t shift = here() - compiled_at;
    for (Step step : unit) {
      if (step.op == Op::kSplit || step.op == Op::kJump) step.a += shift;
      if (step.op == Op::kSplit) step.b += shift;
      emit(step);
    }
  }

  bool counts(unsigned& least, unsigned& most, bool& endless) {
    ++at_;
    const auto number = [&](unsigned& out) {
      if (!more() || text_[at_] < '0' || text_[at_] > '9') return false;
      out = 0;
      while (more() && text_[at_] >= '0' && text_[at_] <= '9' && out <= kMostRepeats) {
        out = out * 10 + static_cast<unsigned>(text_[at_++] - '0');
      }
      return true;
    };
    if (!number(least)) return fail("expected a number after {"), false;
    most = least;
    if (more() && text_[at_] == ',') {
      ++at_;
      endless = !number(most);
    }
    if (!more() || text_[at_] != '}') return fail("expected }"), false;
    ++at_;
    if (least > kMostRepeats || (!endless && (most > kMostRepeats || most < least))) {
      return fail("bad repetition"), false;
    }
    if (endless) most = least;
    return true;
  }

  void item() {
    const char c = text_[at_++];
    switch (c) {
      case '(': return group();
      case '[': return set();
      case '.': return any_but(range('\n', '\n'));
      case '^': return emit({Op::kLineBegin});
      case '$': return emit({Op::kLineEnd});
      case '\\': return escape();
      case '*':
      case '+':
      case '?': --at_; return fail("nothing to repeat");
      default: emit_bytes(range(static_cast<unsigned char>(c), static_cast<unsigned char>(c)));
    }
  }

  void group() {
    if (++groups_ > kMaxGroups) return fail("too many groups");
    if (text_.substr(at_).starts_with("?:")) {
      at_ += 2;
    } else if (at_ < text_.size() && text_[at_] == '?') {
      return fail("look-around and named groups are not supported");
    }
    break_plain();
    ++depth_;
    alternatives();
    --depth_;
    if (!more() || text_[at_] != ')') return fail("expected )");
    ++at_;
  }

  /// One character that is none of these ASCII bytes; other characters are sequences of bytes.
  void any_but(const Bytes& excluded) {
    const std::uint32_t ascii = here();
    emit({Op::kSplit, ascii + 1, ascii + 3});
    emit_bytes_exactly(range(0, 0x7F) & ~excluded);
    const std::uint32_t jump = here();
    emit({Op::kJump});
    emit_bytes_exactly(range(0xC2, 0xF4));
    const std::uint32_t loop = here();
    emit_bytes_exactly(range(0x80, 0xBF));
    emit({Op::kSplit, loop, here() + 1});
    if (why_ == nullptr) program_->steps[jump].a = here();
  }
  void emit_bytes_exactly(const Bytes& set) {
    const bool ignored = std::exchange(ignore_case_, false);
    emit_bytes(set);
    ignore_case_ = ignored;
  }

  static std::optional<Bytes> class_named(char c) {
    Bytes set;
    switch (lower(c)) {
      case 'd': set = range('0', '9'); break;
      case 'w': set = word_bytes(); break;
      case 's': set = range('\t', '\r') | range(' ', ' '); break;
      default: return std::nullopt;
    }
    return set;
  }
  static std::optional<unsigned char> control_named(char c) {
    switch (c) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      default: return std::nullopt;
    }
  }

  void escape() {
    if (at_ >= text_.size()) return fail("nothing after the backslash");
    const char c = text_[at_++];
    if (const auto named = class_named(c)) {
      return c == lower(c) ? emit_bytes(*named) : any_but(*named);
    }
    if (c == 'b') return emit({Op::kWord});
    if (c == 'B') return emit({Op::kNotWord});
    if (const auto control = control_named(c)) return emit_bytes(range(*control, *control));
    if (c >= '1' && c <= '9') return fail("back references are not supported");
    if (lower(c) >= 'a' && lower(c) <= 'z') return fail("unknown escape");
    emit_bytes(range(static_cast<unsigned char>(c), static_cast<unsigned char>(c)));
  }

  void set() {
    Bytes bytes;
    bool negated = false;
    if (more() && text_[at_] == '^') {
      negated = true;
      ++at_;
    }
    for (bool first = true;; first = false) {
      if (!more()) return fail("expected ]");
      char c = text_[at_++];
      if (c == ']' && !first) break;
      if (c == '\\') {
        if (!more()) return fail("nothing after the backslash");
        c = text_[at_++];
        if (const auto named = class_named(c)) {
          bytes |= c == lower(c) ? *named : range(0, 0x7F) & ~*named;
          continue;
        }
        if (const auto control = control_named(c)) c = static_cast<char>(*control);
      }
      if (static_cast<unsigned char>(c) >= 0x80) {
        return fail("only ASCII is supported within [ ]");
      }
      unsigned char to = static_cast<unsigned char>(c);
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        to = static_cast<unsigned char>(text_[at_ + 1]);
        at_ += 2;
        if (to >= 0x80 || to < static_cast<unsigned char>(c)) return fail("bad range");
      }
      bytes |= range(static_cast<unsigned char>(c), to);
    }
    if (negated) return any_but(bytes);
    emit_bytes(bytes);
  }

  // What every match must contain: runs of plain characters outside of groups and alternatives.
  void add_plain(char c) {
    if (depth_ > 0 || !is_plain_in_json(c) ||
        std::string_view(".^$[]()*+?{}|").find(c) != std::string_view::npos) {
      return break_plain();
    }
    plain_.back() += ignore_case_ ? lower(c) : c;
  }
  void break_plain() {
    if (depth_ == 0) plain_.emplace_back();
  }
  [[nodiscard]] std::string longest_plain() const {
    std::string longest;
    if (has_alternatives_) return longest;
    for (const std::string& run : plain_) {
      if (run.size() > longest.size()) longest = run;
    }
    return longest;
  }

  std::string_view text_;
  bool ignore_case_;
  std::shared_ptr<Program> program_;
  std::size_t at_ = 0;
  const char* why_ = nullptr;
  int groups_ = 0, depth_ = 0;
  bool has_alternatives_ = false;  ///< At the top: then nothing is in every match.
  std::vector<std::string> plain_ = {""};
};

Result<Pattern> Pattern::literal(std::string_view text, bool ignore_case) {
  if (text.empty()) return Error(ErrorCode::kInvalid, "there is nothing to search for", "pattern");
  return PatternCompiler::literal(text, ignore_case);
}

Result<Pattern> Pattern::regex(std::string_view expression, bool ignore_case) {
  if (expression.empty()) {
    return Error(ErrorCode::kInvalid, "there is nothing to search for", "pattern");
  }
  return PatternCompiler(expression, ignore_case).run();
}

}  // namespace parley::history
