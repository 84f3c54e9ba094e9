#include "mutator.hpp"

#include <algorithm>

#include "tests/support/recording.hpp"

namespace parley::test {

namespace {

using std::string_view_literals::operator""sv;

// One item per line would fill pages.
// clang-format off
/// Inserted anywhere: tokens, near-tokens, bytes that look like white space and are none.
constexpr std::string_view kTokens[] = {
    "{", "}", "[", "]", ",", ":", "\"", "\\", "/", "null", "true", "false", "nul", "NaN",
    "Infinity", "undefined", "-", "+", ".", "e", "E", "0", "00", "1", "-0", "1.0", "1e400",
    "1e-400", "0x1F", "1_000", "//", "/**/", "#", "'", "`", "{}", "[]", "\"\"", ",,", "\"a\":1",
    "\"a\":", "[[", "]]", "}}", "{\"__proto__\":1}", "\"__proto__\":[],", " ", "\t", "\n", "\r",
    "\r\n", "\f", "\v", "\0"sv, "\x01", "\x1F", "\x7F", "\x80", "\xBF", "\xC0\x80", "\xC2", "\xC3\xA9",
    "\xE2\x82\xAC", "\xE2\x82", "\xED\xA0\x80", "\xED\xB0\x80", "\xEF\xBB\xBF", "\xEF\xBF\xBE",
    "\xF0\x9F\x8E\x89", "\xF0\x9F\x8E", "\xF4\x90\x80\x80", "\xFF", "\xC2\xA0", "\xE2\x80\xA8",
    "\xE2\x80\xA9", "\xE3\x80\x80"};

constexpr std::string_view kEscapes[] = {
    "\\n", "\\t", "\\r", "\\b", "\\f", "\\/", "\\\\", "\\\"", "\\u0000", "\\u0041", "\\u00e9",
    "\\u20AC", "\\ud83c\\udf89", "\\uD83C\\uDF89", "\\ud800", "\\udbff", "\\udc00", "\\udfff",
    "\\ud800\\ud800", "\\udc00\\ud800", "\\ud83c\\u0041", "\\ufffd", "\\uFEFF", "\\u2028", "\\u",
    "\\u1", "\\u12", "\\u123", "\\u12g4", "\\U0041", "\\x41", "\\a", "\\'", "\\0", "\\ ", "\\",
    "\\\n", "\\u{41}", "\\ud83c\\", "\\ud83c\\n"};

constexpr std::string_view kSpaces[] = {" ", "  ", "\t", "\n", "\r", "\r\n", " \n\t ", "\f", "\v",
                                        "\xC2\xA0", "\xEF\xBB\xBF", "\xE2\x80\x83"};
// clang-format on

}  // namespace

std::vector<std::string> small_seeds() {
  // One item per line would fill pages.
  // clang-format off
  return {"null", "true", "false", "0", "-0", "12", "-12.5e3", "\"\"", "\"text\"", "[]", "{}",
          "[1,2,3]", R"({"a":1})", R"({"a":{"b":[null,true,{"c":"d"}]},"e":1.5e-7})",
          R"("\"\\\/\b\f\n\r\t\u00e9\ud83c\udf89")", " { \"a\" : [ 1 , 2 ] , \"b\" : { } } ",
          R"({"a":1,"a":2,"b":3,"a":4})", R"([[[[[[]]]]],{"x":{"y":{}}}])",
          "\"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8E\x89\"", "\t\r\n [ \n] ",
          R"({"":"","1":0,"0":1,"__proto__":{"x":1},"constructor":null})",
          "[0,-0,0.0,1e0,1E+2,1e-2,123456789012345678901234567890,5e-324,1.7976931348623157e308]",
          R"(["\u0000","\u001f","\u007f","\u0080","\u2028","\uffff","\ud800","\udfff"])"};
  // clang-format on
}

std::vector<std::string> recorded_seeds(std::size_t count) {
  constexpr std::size_t kLongest = 2500;
  std::vector<std::string> lines;
  for (const Recording& recording : recordings()) {
    for (RecordedLine& line : recording.lines()) {
      if (line.text.size() <= kLongest) lines.push_back(std::move(line.text));
    }
  }
  std::vector<std::string> out;
  const std::size_t step = std::max<std::size_t>(1, lines.size() / count);
  for (std::size_t i = 0; i < lines.size(); i += step) out.push_back(std::move(lines[i]));
  return out;
}

std::string Mutator::next() {
  switch (below(10)) {
    case 0: return number();
    case 1: return value(0);
    default: break;
  }
  std::string text = pick(seeds_);
  // One in twenty stays as it is; most get one change, which most often breaks them.
  if (one_in(20)) return text;
  do {
    mutate(text);
  } while (one_in(3));
  return text;
}

std::string Mutator::number() {
  const auto digits = [&](std::size_t most) {
    std::string out(1 + below(most), '0');
    for (char& c : out) c = static_cast<char>('0' + below(10));
    return out;
  };
  std::string text;
  if (one_in(3)) text += '-';
  text += one_in(4) ? "0" : digits(one_in(8) ? 400 : one_in(3) ? 20 : 5);
  // A leading zero is refused at once; most of those are mended.
  if (text.size() > 1 && text[0] == '0' && !one_in(4)) text[0] = '7';
  if (one_in(2)) text += "." + digits(one_in(8) ? 400 : 18);
  if (one_in(3)) {
    text += one_in(2) ? 'e' : 'E';
    if (one_in(2)) text += one_in(2) ? '+' : '-';
    text += one_in(20) ? digits(25) : digits(3);
  }
  if (one_in(10)) mutate(text);
  return text;
}

std::string Mutator::string_token() {
  std::string text = "\"";
  for (std::size_t i = below(6); i > 0; --i) {
    switch (below(6)) {
      case 0: text += pick(kEscapes); break;
      case 1: text += "\xC3\xA9"; break;
      case 2: text += "\xF0\x9F\x8E\x89"; break;
      default: text.append(below(40), static_cast<char>('a' + below(26)));
    }
  }
  return text + "\"";
}

std::string Mutator::value(int depth) {
  const auto space = [&] { return one_in(6) ? std::string(pick(kSpaces)) : std::string(); };
  switch (below(depth > 4 ? 5 : 8)) {
    case 0: return "null";
    case 1: return one_in(2) ? "true" : "false";
    case 2: return string_token();
    case 3: return number();
    case 4: return one_in(2) ? "[]" : "{}";
    case 5: {  // rarely, a tower around the depth limit
      if (!one_in(40)) return "[" + space() + "1" + space() + "]";
      const std::size_t height = 1000 + below(60);
      return std::string(height, '[') + std::string(height - (one_in(9) ? 1 : 0), ']');
    }
    case 6: {
      std::string text = "[" + space() + value(depth + 1);
      for (std::size_t i = below(4); i > 0; --i) text += "," + space() + value(depth + 1) + space();
      return text + "]";
    }
    default: {
      std::string text = "{" + space() + string_token() + space() + ":" + value(depth + 1);
      for (std::size_t i = below(4); i > 0; --i) {
        text += "," + space() + string_token() + ":" + space() + value(depth + 1);
      }
      return text + "}";
    }
  }
}

void Mutator::mutate_number(std::string& text) {
  const std::size_t at = text.find_first_of("-0123456789", text.empty() ? 0 : below(text.size()));
  if (at == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of("-+.eE0123456789", at), text.size());
  text.replace(at, end - at, number());
}

void Mutator::mutate_escape(std::string& text) {
  const std::size_t at = text.find('"', text.empty() ? 0 : below(text.size()));
  if (at != std::string::npos) text.insert(at + below(2), pick(kEscapes));
}

void Mutator::mutate(std::string& text) {
  const std::size_t at = below(text.size() + 1);
  const std::size_t some = std::min(text.size() - at, 1 + below(one_in(4) ? 60 : 3));
  switch (below(16)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
      break;
    case 2:
    case 3: text.erase(at, some); break;
    case 4: text.insert(at, std::string(text, at, some)); break;
    case 5:
    case 6: text.insert(at, pick(kTokens)); break;
    case 7:
      if (at < text.size()) text.replace(at, 1, pick(kTokens));
      break;
    case 8: {  // the beginning of one text and the end of another
      const std::string& other = pick(seeds_);
      text = text.substr(0, at) + other.substr(below(other.size() + 1));
      break;
    }
    case 9: text.insert(at, pick(kSpaces)); break;
    case 10: text.resize(at); break;
    case 11:
      if (at + 1 < text.size()) std::swap(text[at], text[at + 1]);
      break;
    case 12: mutate_number(text); break;
    case 13:
    case 14: mutate_escape(text); break;
    default: {  // around or behind the whole
      const std::string_view space = pick(kSpaces);
      text = one_in(2) ? std::string(space) + text : text + std::string(space);
    }
  }
}

}  // namespace parley::test
