#include "history/pattern.hpp"

#include <algorithm>

#include "history/find_bytes.hpp"
#include "history/pattern_program.hpp"

namespace parley::history {
namespace {

/// Steps of a search, of some nanoseconds each, between two questions whether it is still wanted.
constexpr std::size_t kWorkBetweenQuestions = std::size_t{1} << 20;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_word(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

/// Runs a program over a text, all ways at once: each step remembers the earliest beginning of a
/// match that leads to it.
class PatternRun {
 public:
  PatternRun(const Pattern::Program& program, std::string_view text)
      : program_(program),
        text_(text),
        now_(program.steps.size()),
        next_(program.steps.size()),
        marked_(program.steps.size()) {}

  std::optional<Match> find(std::size_t from, const std::function<bool()>& over) {
    std::optional<Match> best;
    std::size_t work = 0;
    for (std::size_t at = from; at <= text_.size(); ++at) {
      work += now_.order.size() + 1;
      if (work >= kWorkBetweenQuestions && over) {
        if (over()) return std::nullopt;
        work = 0;
      }
      if (!best) add(now_, 0, at, at);
      if (best && now_.order.empty()) break;
      for (const std::uint32_t step : now_.order) {
        const std::size_t begin = now_.begin[step];
        if (best && begin > best->begin) continue;
        const auto& instruction = program_.steps[step];
        if (instruction.op == Op::kEnd) {
          if (at > begin && (!best || begin < best->begin || at > best->end)) best = {begin, at};
        } else if (at < text_.size() &&
                   program_.sets[instruction.a][static_cast<unsigned char>(text_[at])]) {
          add(next_, step + 1, at + 1, begin);
        }
      }
      now_.order.clear();
      std::swap(now_, next_);
    }
    return best;
  }

 private:
  using Op = Pattern::Program::Op;
  struct Ways {
    explicit Ways(std::size_t steps) : begin(steps) {}
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> begin;  ///< By step, valid for those in `order`.
  };

  [[nodiscard]] bool holds(Op op, std::size_t at) const {
    const bool at_word = is_word(text_, at) != (at > 0 && is_word(text_, at - 1));
    switch (op) {
      case Op::kLineBegin: return at == 0 || text_[at - 1] == '\n';
      case Op::kLineEnd: return at == text_.size() || text_[at] == '\n';
      case Op::kWord: return at_word;
      default: return !at_word;
    }
  }

  /// Adds a step and what it leads to without reading a byte.
  void add(Ways& ways, std::uint32_t first, std::size_t at, std::size_t begin) {
    open_.push_back(first);
    const std::uint64_t mark =
        at + 1;  // one per position: a step is at most once in the ways of it
    while (!open_.empty()) {
      const std::uint32_t step = open_.back();
      open_.pop_back();
      if (marked_[step] == mark) continue;  // earlier beginnings come first
      marked_[step] = mark;
      const auto& instruction = program_.steps[step];
      switch (instruction.op) {
        case Op::kSplit:
          open_.push_back(instruction.b);
          open_.push_back(instruction.a);
          break;
        case Op::kJump: open_.push_back(instruction.a); break;
        case Op::kBytes:
        case Op::kEnd:
          ways.begin[step] = begin;
          ways.order.push_back(step);
          break;
        default:
          if (holds(instruction.op, at)) open_.push_back(step + 1);
      }
    }
  }

  const Pattern::Program& program_;
  std::string_view text_;
  Ways now_, next_;
  std::vector<std::uint64_t> marked_;
  std::vector<std::uint32_t> open_;
};

std::optional<Match> Pattern::find(std::string_view text, std::size_t from,
                                   const std::function<bool()>& over) const {
  if (program_) return PatternRun(*program_, text).find(from, over);
  const std::size_t at =
      ignore_case_ ? find_ignoring_case(text, literal_, from) : find_bytes(text, literal_, from);
  if (at == std::string_view::npos) return std::nullopt;
  return Match{at, at + literal_.size()};
}

std::size_t find_ignoring_case(std::string_view text, std::string_view needle, std::size_t from) {
  const auto matches = [&](std::size_t at) {
    for (std::size_t i = 0; i < needle.size(); ++i) {
      if (lower(text[at + i]) != needle[i]) return false;
    }
    return true;
  };
  if (text.size() < needle.size()) return std::string_view::npos;
  const std::size_t last_place = text.size() - needle.size();
#if defined(__SSE2__)
  // As find_bytes(), but a byte may be in either case: setting 0x20 makes letters lower, and what
  // that makes of other characters is sorted out by the comparison.
  const std::size_t last = needle.size() - 1;
  const __m128i bit = _mm_set1_epi8(0x20);
  const auto lowered = [](char c) { return static_cast<char>(c | 0x20); };
  const __m128i first_byte = _mm_set1_epi8(lowered(needle.front()));
  const __m128i last_byte = _mm_set1_epi8(lowered(needle.back()));
  for (; from + last + 16 <= text.size(); from += 16) {
    const auto load = [&](std::size_t offset) {
      return _mm_or_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + offset)),
                          bit);
    };
    const __m128i hits = _mm_and_si128(_mm_cmpeq_epi8(load(from), first_byte),
                                       _mm_cmpeq_epi8(load(from + last), last_byte));
    auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t place = from + static_cast<std::size_t>(__builtin_ctz(mask));
      if (matches(place)) return place;
    }
  }
#endif
  for (; from <= last_place; ++from) {
    if (matches(from)) return from;
  }
  return std::string_view::npos;
}

}  // namespace parley::history
