#include "support/regex/regex.hpp"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace parley {
namespace {

/// In RE2's instructions. When its automaton does not fit into memory, RE2 goes through all of them
/// for each byte: this many are some ten microseconds.
constexpr int kLargestProgram = 10'000;
constexpr std::size_t kLongestExpression = 64 * 1024;
/// To find out what more texts have in common is not worth the time.
constexpr std::size_t kMostTexts = 64;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

RE2::Options engine_options(RegexOptions options) {
  RE2::Options engine;
  engine.set_log_errors(false);  // a library does not print
  engine.set_never_capture(true);
  engine.set_case_sensitive(!options.ignore_case);
  return engine;
}

/// An expression cut at the look-aheads behind its leading ^.
struct Parts {
  std::string flags;  ///< "(?i)", if the expression begins so.
  struct Ahead {
    std::string expression;
    bool wanted = true;
  };
  std::vector<Ahead> aheads;
  std::string rest;
};

/// Goes over an expression item by item, as far as needed to find the end of a group.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::string_view left() const { return text_.substr(place()); }
  bool skip(std::string_view word) {
    if (!left().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  /// To the next ) or | that is in no group and no set, or to the end.
  void skip_sequence() {
    for (int depth = 0; !at_end(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
      } else if (c == '[') {
        skip_set();
      } else if (c == '(') {
        ++depth;
      } else if (depth == 0 && (c == ')' || c == '|')) {
        return;
      } else if (c == ')') {
        --depth;
      }
    }
  }
  [[nodiscard]] std::size_t place() const { return std::min(at_, text_.size()); }

 private:
  /// To the ] of a set: one at its beginning is a member.
  void skip_set() {
    ++at_;
    if (!at_end() && text_[at_] == '^') ++at_;
    if (!at_end() && text_[at_] == ']') ++at_;
    for (; !at_end() && text_[at_] != ']'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      if (left().starts_with("[:")) at_ = std::min(text_.find(":]", at_), text_.size() - 1) + 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// nullopt if there is no look-ahead that could be cut off: RE2 decides about such expressions.
std::optional<Parts> cut_look_aheads(std::string_view expression) {
  // In a quotation brackets mean nothing.
  if (expression.find("\\Q") != std::string_view::npos) return std::nullopt;
  Parts parts;
  Scanner scanner(expression);
  for (const char* flags : {"(?i)", "(?s)", "(?is)", "(?si)"}) {
    if (parts.flags.empty() && scanner.skip(flags)) parts.flags = flags;
  }
  if (!scanner.skip("^")) return std::nullopt;
  while (scanner.left().starts_with("(?=") || scanner.left().starts_with("(?!")) {
    const bool wanted = scanner.skip("(?=");
    if (!wanted) scanner.skip("(?!");
    const std::size_t begin = scanner.place();
    do {
      scanner.skip_sequence();
    } while (scanner.skip("|"));
    parts.aheads.push_back(
        {std::string(expression.substr(begin, scanner.place() - begin)), wanted});
    if (!scanner.skip(")")) return std::nullopt;
  }
  if (parts.aheads.empty()) return std::nullopt;
  parts.rest = scanner.left();
  // A quantifier would repeat the look-ahead, and the ^ belongs to the first alternative only.
  if (parts.rest.find_first_of("*+?{") == 0) return std::nullopt;
  scanner.skip_sequence();
  if (!scanner.at_end()) return std::nullopt;
  return parts;
}

/// RE2's words for what is wrong, and ours where its own do not help.
std::string reason(const RE2& engine) {
  const std::string& part = engine.error_arg();
  if (part == "(?=" || part == "(?!") {
    return "look-ahead is supported only right behind a ^ at the beginning of the text, and not "
           "beside |";
  }
  if (part == "(?<") return "look-behind and groups named (?<name>...) are not supported";
  if (part.size() == 2 && part[0] == '\\' && part[1] >= '1' && part[1] <= '9') {
    return "back references are not supported: " + part;
  }
  switch (engine.error_code()) {
    case RE2::ErrorPatternTooLarge: return "the expression is too large";
    case RE2::ErrorRepeatSize:
      return "repetitions are from less to more, and 1000 at most with those around them: " + part;
    case RE2::ErrorMissingParen: return "missing )";
    case RE2::ErrorUnexpectedParen: return "there is no group for this )";
    default: return engine.error();
  }
}

/// Of the first kLongestPart bytes of the shortest text.
std::string longest_common_part(const std::vector<std::string>& texts) {
  constexpr std::size_t kLongestPart = 64;
  const std::string_view shortest =
      std::string_view(
          *std::min_element(texts.begin(), texts.end(),
                            [](const auto& a, const auto& b) { return a.size() < b.size(); }))
          .substr(0, kLongestPart);
  for (std::size_t size = shortest.size(); size > 0; --size) {
    for (std::size_t at = 0; at + size <= shortest.size(); ++at) {
      const std::string_view part = shortest.substr(at, size);
      if (std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
            return text.find(part) != std::string::npos;
          })) {
        return std::string(part);
      }
    }
  }
  return {};
}

}  // namespace

struct Regex::Compiled {
  Compiled(const std::string& text, RegexOptions wanted)
      : options(wanted), engine(text, engine_options(wanted)) {}

  const RegexOptions options;
  const RE2 engine;
  std::vector<std::pair<Regex, bool>> aheads;  ///< Found at the beginning: has to be, must not be.
};

std::optional<Regex> Regex::compile(std::string_view expression, RegexOptions options,
                                    std::string& why) {
  if (expression.size() > kLongestExpression) {
    why = "the expression is too large";
    return std::nullopt;
  }
  const auto anchored = [](const Parts& parts, const std::string& part) {
    return parts.flags + "^(?:" + part + ")";
  };
  const std::optional<Parts> parts = options.lines ? std::nullopt : cut_look_aheads(expression);
  const std::string text = parts ? anchored(*parts, parts->rest)
                                 : (options.lines ? "(?m)" : "") + std::string(expression);
  auto compiled = std::make_shared<Compiled>(text, options);
  if (!compiled->engine.ok()) {
    why = reason(compiled->engine);
    return std::nullopt;
  }
  if (compiled->engine.ProgramSize() > kLargestProgram) {
    why = "the expression is too large";
    return std::nullopt;
  }
  if (parts) {
    for (const Parts::Ahead& ahead : parts->aheads) {
      auto regex = compile(anchored(*parts, ahead.expression), options, why);
      if (!regex) return std::nullopt;
      compiled->aheads.emplace_back(*std::move(regex), ahead.wanted);
    }
  }
  return Regex(std::move(compiled));
}

std::optional<Regex> Regex::compile(std::string_view expression, RegexOptions options) {
  std::string ignored;
  return compile(expression, options, ignored);
}

bool Regex::found_in(std::string_view text) const {
  for (const auto& [ahead, wanted] : compiled_->aheads) {
    if (ahead.found_in(text) != wanted) return false;
  }
  return compiled_->engine.Match(piece(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

std::optional<Regex::Span> Regex::find(std::string_view text, std::size_t from) const {
  if (from > text.size()) return std::nullopt;
  for (const auto& [ahead, wanted] : compiled_->aheads) {
    if (ahead.found_in(text) != wanted) return std::nullopt;
  }
  re2::StringPiece match;
  if (!compiled_->engine.Match(piece(text), from, text.size(), RE2::UNANCHORED, &match, 1)) {
    return std::nullopt;
  }
  const auto begin =
      match.data() == nullptr ? 0 : static_cast<std::size_t>(match.data() - text.data());
  return Span{begin, begin + match.size()};
}

std::string Regex::required_text() const {
  re2::FilteredRE2 filter(0);
  int id = 0;
  if (filter.Add(compiled_->engine.pattern(), engine_options(compiled_->options), &id) !=
      RE2::NoError) {
    return {};
  }
  std::vector<std::string> texts;
  filter.Compile(&texts);
  if (texts.size() > kMostTexts) return {};
  const auto may_match_with = [&](const std::vector<int>& present) {
    std::vector<int> possible;
    filter.AllPotentials(present, &possible);
    return !possible.empty();
  };
  if (texts.empty() || may_match_with({})) return {};
  // Let a text have all of them but some without which it cannot match, the shorter ones first.
  // Every match has one of those left over, and so it has what they share.
  std::vector<int> order(texts.size()), present;
  std::iota(order.begin(), order.end(), 0);
  const auto size_of = [&](int i) { return texts[static_cast<std::size_t>(i)].size(); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return size_of(a) < size_of(b); });
  std::vector<std::string> left_over;
  for (const int i : order) {
    present.push_back(i);
    if (!may_match_with(present)) continue;
    present.pop_back();
    left_over.push_back(texts[static_cast<std::size_t>(i)]);
  }
  return longest_common_part(left_over);
}

}  // namespace parley
