// Compiles an expression, from its end to its beginning: each part is told where to go on.
#include <algorithm>
#include <memory>
#include <optional>

#include "model/pattern_program.hpp"
#include "wire/utf8.hpp"

namespace parley::model {
namespace {

using Kind = Instruction::Kind;

constexpr std::size_t kMostParts = 20'000;
constexpr int kDeepest = 100;
constexpr int kMostRepeats = 1000;

/// A part of an expression, before it is known what follows it.
struct Part {
  enum class What { kBytes, kAssertion, kSequence, kChoice, kRepeat, kLook };
  What what = What::kSequence;
  Bytes bytes = {};                   // kBytes
  Kind assertion = Kind::kTextBegin;  // kAssertion, kLook
  std::vector<Part> parts = {};       // the rest
  int least = 0, most = 0;            // kRepeat; most < 0: without end
};

/// What stops parsing: a sentence and where.
struct Problem {
  std::string why;
  std::size_t at;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Part parse() {
    read_flags();
    Part all = choice();
    if (at_ < text_.size()) fail("there is no group for this \")\"");
    return all;
  }

 private:
  [[noreturn]] void fail(std::string why) const { throw Problem{std::move(why), at_}; }
  [[nodiscard]] bool more() const { return at_ < text_.size(); }
  bool eat(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void read_flags() {
    while (text_.substr(at_).starts_with("(?") && at_ + 2 < text_.size() &&
           std::string_view("ism").find(text_[at_ + 2]) != std::string_view::npos) {
      for (at_ += 2; more() && text_[at_] != ')'; ++at_) {
        switch (text_[at_]) {
          case 'i': ignore_case_ = true; break;
          case 's': dot_all_ = true; break;
          case 'm': lines_ = true; break;
          default: fail("unknown flag; there are (?i), (?s) and (?m)");
        }
      }
      if (!eat(")")) fail("this \"(?\" is not closed");
    }
  }

  Part choice() {
    if (++depth_ > kDeepest) fail("nested too deeply");
    Part all{.what = Part::What::kChoice};
    do {
      all.parts.push_back(sequence());
    } while (eat("|"));
    --depth_;
    return all.parts.size() == 1 ? std::move(all.parts.front()) : all;
  }

  Part sequence() {
    Part all{.what = Part::What::kSequence};
    while (more() && text_[at_] != '|' && text_[at_] != ')') all.parts.push_back(repeated());
    return all;
  }

  Part repeated() {
    Part part = atom();
    int least = 0;
    int most = -1;
    if (eat("+")) {
      least = 1;
    } else if (eat("?")) {
      most = 1;
    } else if (!eat("*") && !braces(least, most)) {
      return part;
    }
    eat("?");  // lazy: finds the same texts
    if (part.what == Part::What::kAssertion) fail("there is nothing to repeat");
    Part repeat{.what = Part::What::kRepeat, .least = least, .most = most};
    repeat.parts.push_back(std::move(part));
    return repeat;
  }

  /// {3}, {3,}, {3,5}; anything else is an ordinary brace.
  bool braces(int& least, int& most) {
    const std::size_t from = at_;
    const auto give_up = [&] {
      at_ = from;
      return false;
    };
    if (!eat("{")) return false;
    const auto low = number();
    if (eat(",")) {
      const auto high = number();
      if (!low && !high) return give_up();
      least = low.value_or(0);
      most = high.value_or(-1);
    } else {
      if (!low) return give_up();
      least = most = *low;
    }
    if (!eat("}")) return give_up();
    if (most >= 0 && most < least) fail("the repeats go from more to less");
    return true;
  }

  std::optional<int> number() {
    const std::size_t from = at_;
    int value = 0;
    while (more() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + (text_[at_++] - '0');
      if (value > kMostRepeats) fail("more than 1000 repeats");
    }
    return at_ == from ? std::nullopt : std::optional(value);
  }

  Part atom() {
    const char c = text_[at_];
    switch (c) {
      case '(': return group();
      case '[': return set();
      case '\\': return escape();
      case '.': {
        ++at_;
        Bytes all = Bytes().set();
        return one_of(dot_all_ ? all : all.reset('\n'));
      }
      case '^': ++at_; return assertion(lines_ ? Kind::kLineBegin : Kind::kTextBegin);
      case '$': ++at_; return assertion(lines_ ? Kind::kLineEnd : Kind::kEnd);
      case '*':
      case '+':
      case '?': fail("there is nothing to repeat");
      default: return character();
    }
  }

  Part group() {
    const std::size_t open = at_;
    Part part;
    if (eat("(?=") || eat("(?!")) {
      part.what = Part::What::kLook;
      part.assertion = text_[at_ - 1] == '=' ? Kind::kAhead : Kind::kNotAhead;
      part.parts.push_back(choice());
    } else if (eat("(?:")) {
      part = choice();
    } else if (text_.substr(at_).starts_with("(?")) {
      fail("of the groups that begin with \"(?\" there are only (?:...), (?=...) and (?!...)");
    } else {
      ++at_;
      part = choice();
    }
    if (!eat(")")) throw Problem{"this group is not closed", open};
    return part;
  }

  Part set() {
    const std::size_t open = at_++;
    const bool inverted = eat("^");
    Bytes bytes;
    for (bool first = true; first || !eat("]"); first = false) {
      if (!more()) throw Problem{"this set is not closed", open};
      Bytes low = set_item();
      const bool range = text_.substr(at_).starts_with("-") && at_ + 1 < text_.size() &&
                         text_[at_ + 1] != ']' && low.count() == 1;
      if (range) {
        ++at_;
        const Bytes high = set_item();
        if (high.count() != 1) fail("a range ends with a single character");
        const std::size_t from = low._Find_first();
        const std::size_t to = high._Find_first();
        if (from > to) fail("the range goes backwards");
        for (std::size_t byte = from; byte <= to; ++byte) low.set(byte);
      }
      bytes |= low;
    }
    return one_of(inverted ? ~with_case(bytes) : bytes);
  }

  Bytes set_item() {
    if (text_[at_] == '\\') {
      const Part part = escape();
      if (part.what != Part::What::kBytes) fail("this escape has no place in a set");
      return part.bytes;
    }
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte >= 0x80) fail("sets have ASCII characters only");
    ++at_;
    return Bytes().set(byte);
  }

  Part escape() {
    if (++at_ >= text_.size()) fail("a backslash at the end");
    const char c = text_[at_++];
    switch (c) {
      case 'd': return one_of(range('0', '9'));
      case 'D': return one_of(~range('0', '9'));
      case 'w': return one_of(words());
      case 'W': return one_of(~words());
      case 's': return one_of(blanks());
      case 'S': return one_of(~blanks());
      case 'b': return assertion(Kind::kWordBoundary);
      case 'B': return assertion(Kind::kNoWordBoundary);
      case 'A': return assertion(Kind::kTextBegin);
      case 'Z': return assertion(Kind::kTextEnd);
      case 'n': return one_of(Bytes().set('\n'));
      case 'r': return one_of(Bytes().set('\r'));
      case 't': return one_of(Bytes().set('\t'));
      default: break;
    }
    if (is_word_byte(c) && c != '_') {
      --at_;
      fail(std::string("unknown escape \\") + c);
    }
    --at_;
    return character();
  }

  /// A character that stands for itself; outside ASCII it has several bytes.
  Part character() {
    const int size = detail::utf8_length(text_.data() + at_, text_.data() + text_.size());
    if (size == 0) fail("not UTF-8");
    Part all{.what = Part::What::kSequence};
    for (int i = 0; i < size; ++i) {
      all.parts.push_back(one_of(Bytes().set(static_cast<unsigned char>(text_[at_++]))));
    }
    return size == 1 ? std::move(all.parts.front()) : all;
  }

  [[nodiscard]] Part one_of(const Bytes& bytes) const {
    return {.what = Part::What::kBytes, .bytes = with_case(bytes)};
  }
  static Part assertion(Kind kind) { return {.what = Part::What::kAssertion, .assertion = kind}; }

  [[nodiscard]] Bytes with_case(Bytes bytes) const {
    if (!ignore_case_) return bytes;
    for (std::size_t upper = 'A'; upper <= 'Z'; ++upper) {
      const std::size_t lower = upper + ('a' - 'A');
      if (bytes[upper] || bytes[lower]) bytes.set(upper).set(lower);
    }
    return bytes;
  }
  static Bytes range(char from, char to) {
    Bytes bytes;
    for (char c = from; c <= to; ++c) bytes.set(static_cast<unsigned char>(c));
    return bytes;
  }
  static Bytes words() {
    return range('a', 'z') | range('A', 'Z') | range('0', '9') | range('_', '_');
  }
  static Bytes blanks() {
    Bytes bytes;
    for (const char c : std::string_view(" \t\n\r\f\v")) bytes.set(static_cast<unsigned char>(c));
    return bytes;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool ignore_case_ = false, dot_all_ = false, lines_ = false;
};

class Compiler {
 public:
  Pattern::Program compile(const Part& part) {
    const std::size_t match = add({.kind = Kind::kMatch});
    program_.start = emit(part, match);
    return std::move(program_);
  }

 private:
  std::size_t add(Instruction instruction) {
    program_.code.push_back(instruction);
    return program_.code.size() - 1;
  }

  /// The code of the part in front of what is at `next`; returns where it begins.
  std::size_t emit(const Part& part, std::size_t next) {
    // Counted are parts, not instructions: repeats of nothing make none.
    if (++emitted_ > kMostParts) throw Problem{"it is too large", 0};
    switch (part.what) {
      case Part::What::kBytes:
        program_.sets.push_back(part.bytes);
        return add({.kind = Kind::kByte, .next = next, .bytes = program_.sets.size() - 1});
      case Part::What::kAssertion: return add({.kind = part.assertion, .next = next});
      case Part::What::kSequence:
        for (auto item = part.parts.rbegin(); item != part.parts.rend(); ++item) {
          next = emit(*item, next);
        }
        return next;
      case Part::What::kChoice: {
        std::size_t all = emit(part.parts.back(), next);
        for (auto item = part.parts.rbegin() + 1; item != part.parts.rend(); ++item) {
          all = add({.kind = Kind::kSplit, .next = emit(*item, next), .other = all});
        }
        return all;
      }
      case Part::What::kRepeat: return emit_repeat(part, next);
      case Part::What::kLook: {
        const std::size_t match = add({.kind = Kind::kMatch});
        const std::size_t body = emit(part.parts.front(), match);
        return add({.kind = part.assertion, .next = next, .other = body});
      }
    }
    return next;
  }

  std::size_t emit_repeat(const Part& part, std::size_t next) {
    const Part& body = part.parts.front();
    const std::size_t end = next;
    if (part.most < 0) {
      const std::size_t loop = add({.kind = Kind::kSplit, .other = end});
      const std::size_t begin = emit(body, loop);
      program_.code[loop].next = begin;
      next = loop;
    }
    for (int i = part.least; i < part.most; ++i) {
      next = add({.kind = Kind::kSplit, .next = emit(body, next), .other = end});
    }
    for (int i = 0; i < part.least; ++i) next = emit(body, next);
    return next;
  }

  Pattern::Program program_;
  std::size_t emitted_ = 0;
};

}  // namespace

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Result<Pattern> Pattern::parse(std::string_view expression) {
  try {
    Compiler compiler;
    return Pattern(std::make_shared<const Program>(compiler.compile(Parser(expression).parse())));
  } catch (const Problem& problem) {
    return Error(ErrorCode::kInvalid, "bad regular expression: " + problem.why + " (at character " +
                                          std::to_string(problem.at + 1) + ")");
  }
}

}  // namespace parley::model
