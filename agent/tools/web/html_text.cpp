#include "agent/tools/web/html_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "support/text/text.hpp"
#include "support/text/utf8.hpp"

namespace parley::agent {
namespace {

/// Characters 161 to 255, in order; 160, the blank that does not break, is a blank like any other.
constexpr std::array<std::string_view, 95> kLatin1{
    "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",    "copy",
    "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn", "sup2",
    "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",   "raquo",
    "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde", "Auml",
    "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave", "Iacute",
    "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",
    "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",  "szlig",
    "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil", "egrave",
    "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",    "ntilde",
    "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave", "uacute",
    "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

struct Entity {
  std::string_view name;
  unsigned point;
};
constexpr std::array kOtherEntities{
    Entity{"amp", '&'},       Entity{"lt", '<'},        Entity{"gt", '>'},
    Entity{"quot", '"'},      Entity{"apos", '\''},     Entity{"nbsp", ' '},
    Entity{"ensp", ' '},      Entity{"emsp", ' '},      Entity{"thinsp", ' '},
    Entity{"OElig", 0x152},   Entity{"oelig", 0x153},   Entity{"Scaron", 0x160},
    Entity{"scaron", 0x161},  Entity{"Yuml", 0x178},    Entity{"Zcaron", 0x17D},
    Entity{"zcaron", 0x17E},  Entity{"zwnj", 0x200C},   Entity{"zwj", 0x200D},
    Entity{"ndash", 0x2013},  Entity{"mdash", 0x2014},  Entity{"lsquo", 0x2018},
    Entity{"rsquo", 0x2019},  Entity{"sbquo", 0x201A},  Entity{"ldquo", 0x201C},
    Entity{"rdquo", 0x201D},  Entity{"bdquo", 0x201E},  Entity{"dagger", 0x2020},
    Entity{"bull", 0x2022},   Entity{"hellip", 0x2026}, Entity{"permil", 0x2030},
    Entity{"prime", 0x2032},  Entity{"Prime", 0x2033},  Entity{"lsaquo", 0x2039},
    Entity{"rsaquo", 0x203A}, Entity{"euro", 0x20AC},   Entity{"trade", 0x2122},
    Entity{"larr", 0x2190},   Entity{"uarr", 0x2191},   Entity{"rarr", 0x2192},
    Entity{"darr", 0x2193},   Entity{"harr", 0x2194},   Entity{"rArr", 0x21D2},
    Entity{"minus", 0x2212},  Entity{"infin", 0x221E},  Entity{"asymp", 0x2248},
    Entity{"ne", 0x2260},     Entity{"le", 0x2264},     Entity{"ge", 0x2265},
    Entity{"check", 0x2713},  Entity{"alpha", 0x3B1},   Entity{"beta", 0x3B2},
    Entity{"gamma", 0x3B3},   Entity{"delta", 0x3B4},   Entity{"epsilon", 0x3B5},
    Entity{"lambda", 0x3BB},  Entity{"mu", 0x3BC},      Entity{"pi", 0x3C0},
    Entity{"sigma", 0x3C3},   Entity{"omega", 0x3C9}};

/// 0 if nobody is called so.
unsigned named_character(std::string_view name) {
  for (const Entity& entity : kOtherEntities) {
    if (entity.name == name) return entity.point;
  }
  const auto* const found = std::find(kLatin1.begin(), kLatin1.end(), name);
  return found == kLatin1.end() ? 0 : static_cast<unsigned>(found - kLatin1.begin()) + 161;
}

/// Of what stands between & and ;. Empty if unknown.
std::string entity_text(std::string_view name) {
  unsigned point = 0;
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    const bool hex = name.starts_with('x') || name.starts_with('X');
    if (hex) name.remove_prefix(1);
    const auto [end, problem] =
        std::from_chars(name.data(), name.data() + name.size(), point, hex ? 16 : 10);
    const bool surrogate = point >= 0xD800 && point < 0xE000;
    if (problem != std::errc() || end != name.data() + name.size() || point > 0x10FFFF ||
        surrogate) {
      return {};
    }
  } else {
    point = named_character(name);
  }
  if (point == 0) return {};
  char buffer[4];
  return {buffer, detail::put_utf8(point, buffer)};
}

/// The character that the text begins with, if it is one by name or number, taken off the text;
/// else nothing.
std::string take_entity(std::string_view& html) {
  const std::size_t end = html.substr(0, 12).find(';');
  if (end == std::string_view::npos) return {};
  std::string text = entity_text(html.substr(1, end - 1));
  if (!text.empty()) html.remove_prefix(end + 1);
  return text;
}

std::string with_entities(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (const std::string character = text[0] == '&' ? take_entity(text) : std::string();
        !character.empty()) {
      out += character;
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string attribute(std::string_view tag, std::string_view name) {
  const std::string text = lower(tag), wanted = std::string(name) + "=";
  std::size_t at = text.find(wanted);
  // Not the end of another name, such as data-href.
  while (at != std::string::npos && at > 0 &&
         kBlanks.find(text[at - 1]) == std::string_view::npos) {
    at = text.find(wanted, at + 1);
  }
  if (at == std::string::npos) return {};
  std::string_view rest = tag.substr(at + wanted.size());
  if (rest.empty()) return {};
  const char quote = rest.front();
  if (quote != '"' && quote != '\'')
    return with_entities(rest.substr(0, rest.find_first_of(" \t\n>")));
  rest.remove_prefix(1);
  return with_entities(rest.substr(0, rest.find(quote)));
}

class Converter {
 public:
  std::string convert(std::string_view html) {
    while (!html.empty()) {
      if (html.starts_with("<!--")) {
        skip(html, "-->");
      } else if (html[0] == '<' && html.size() > 1 &&
                 (std::isalpha(static_cast<unsigned char>(html[1])) || html[1] == '/' ||
                  html[1] == '!' || html[1] == '?')) {
        tag(html);
      } else if (html[0] == '&') {
        entity(html);
      } else {
        character(html[0]);
        html.remove_prefix(1);
      }
    }
    while (!out_.empty() && (out_.back() == '\n' || out_.back() == ' ')) out_.pop_back();
    return std::move(out_);
  }

 private:
  static void skip(std::string_view& html, std::string_view end) {
    const std::size_t at = html.find(end);
    html.remove_prefix(at == std::string_view::npos ? html.size() : at + end.size());
  }

  /// To the closing tag of that name, in either case, or to the end.
  static void skip_to_end_of(std::string_view name, std::string_view& html) {
    for (std::size_t at = html.find("</"); at != std::string_view::npos;
         at = html.find("</", at + 2)) {
      if (lower(html.substr(at + 2, name.size())) != name) continue;
      html.remove_prefix(at);
      return;
    }
    html = {};
  }

  /// Where the > is that ends the tag: one in the value of an attribute does not.
  std::size_t tag_end(std::string_view html) {
    for (std::size_t at = 1; at < html.size(); ++at) {
      const char c = html[at];
      if (c == '>') return at;
      const bool value = (c == '"' || c == '\'') && html[at - 1] == '=';
      if (!value || (c == '"' ? no_double_ : no_single_)) continue;
      const std::size_t close = html.find(c, at + 1);
      if (close == std::string_view::npos) {
        // There is none in all the rest, and it need not be searched again.
        (c == '"' ? no_double_ : no_single_) = true;
      } else {
        at = close;
      }
    }
    return html.size();
  }

  void tag(std::string_view& html) {
    const std::size_t end = tag_end(html);
    const std::string_view inside = html.substr(1, end - 1);
    html.remove_prefix(std::min(end + 1, html.size()));
    const bool closes = inside.starts_with('/');
    const std::string_view named = closes ? inside.substr(1) : inside;
    const std::string name = lower(named.substr(0, named.find_first_of(" \t\r\n/")));
    if (!closes && (name == "script" || name == "style" || name == "noscript" || name == "svg" ||
                    name == "template")) {
      skip_to_end_of(name, html);
      return;
    }
    if (name == "pre") pre_ = !closes;
    if (name == "br") {
      line();
    } else if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6') {
      paragraph();
      if (!closes) out_ += std::string(static_cast<std::size_t>(name[1] - '0'), '#') + " ";
    } else if (name == "li" && !closes) {
      line();
      out_ += "- ";
    } else if (name == "a") {
      link(inside, closes);
    } else if (name == "tr" || name == "div" || name == "li" || name == "ul" || name == "ol") {
      line();
    } else if (name == "p" || name == "table" || name == "pre" || name == "blockquote" ||
               name == "section" || name == "article" || name == "title") {
      paragraph();
    } else if (name == "td" || name == "th") {
      character(' ');
    }
  }

  void link(std::string_view inside, bool closes) {
    if (!closes) {
      target_ = attribute(inside, "href");
      if (!target_.empty()) out_ += '[';
    } else if (!target_.empty()) {
      out_ += "](" + target_ + ")";
      target_.clear();
    }
  }

  void entity(std::string_view& html) {
    const std::string text = take_entity(html);
    out_ += text.empty() ? "&" : text;
    if (text.empty()) html.remove_prefix(1);
  }

  void character(char c) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank || pre_) {
      out_ += c;
    } else if (!out_.empty() && out_.back() != ' ' && out_.back() != '\n') {
      out_ += ' ';
    }
  }

  void line() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }
  void paragraph() {
    line();
    if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
  }

  std::string out_, target_;
  bool pre_ = false;
  bool no_double_ = false, no_single_ = false;  ///< No more of these quotes up to the end.
};

}  // namespace

std::string html_text(std::string_view html) { return Converter().convert(html); }

}  // namespace parley::agent
