#include "agent/tools/web/html_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "support/utf8.hpp"

namespace parley::agent {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

struct Entity {
  std::string_view name, text;
};
constexpr std::array kEntities{
    Entity{"amp", "&"},        Entity{"lt", "<"},         Entity{"gt", ">"},
    Entity{"quot", "\""},      Entity{"apos", "'"},       Entity{"nbsp", " "},
    Entity{"mdash", "\u2014"}, Entity{"ndash", "\u2013"}, Entity{"hellip", "\u2026"},
    Entity{"copy", "\u00A9"},  Entity{"laquo", "\u00AB"}, Entity{"raquo", "\u00BB"}};

/// Of what stands between & and ;. Empty if unknown.
std::string entity_text(std::string_view name) {
  for (const Entity& entity : kEntities) {
    if (entity.name == name) return std::string(entity.text);
  }
  if (!name.starts_with('#')) return {};
  name.remove_prefix(1);
  const bool hex = name.starts_with('x') || name.starts_with('X');
  if (hex) name.remove_prefix(1);
  unsigned point = 0;
  const auto [end, problem] =
      std::from_chars(name.data(), name.data() + name.size(), point, hex ? 16 : 10);
  if (problem != std::errc() || end != name.data() + name.size() || point == 0 ||
      point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) {
    return {};
  }
  char buffer[4];
  return {buffer, detail::put_utf8(point, buffer)};
}

std::string attribute(std::string_view tag, std::string_view name) {
  const std::string text = lower(tag);
  const std::size_t at = text.find(std::string(name) + "=");
  if (at == std::string::npos) return {};
  std::string_view rest = tag.substr(at + name.size() + 1);
  if (rest.empty()) return {};
  const char quote = rest.front();
  if (quote != '"' && quote != '\'')
    return std::string(rest.substr(0, rest.find_first_of(" \t\n>")));
  rest.remove_prefix(1);
  return std::string(rest.substr(0, rest.find(quote)));
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

  void tag(std::string_view& html) {
    const std::size_t end = std::min(html.find('>'), html.size());
    const std::string_view inside = html.substr(1, end - 1);
    html.remove_prefix(std::min(end + 1, html.size()));
    const bool closes = inside.starts_with('/');
    const std::string_view named = closes ? inside.substr(1) : inside;
    const std::string name = lower(named.substr(0, named.find_first_of(" \t\r\n/")));
    if (!closes && (name == "script" || name == "style" || name == "noscript" || name == "svg")) {
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
    const std::size_t end = html.substr(0, 12).find(';');
    const std::string text =
        end == std::string_view::npos ? std::string() : entity_text(html.substr(1, end - 1));
    if (text.empty()) {
      out_ += '&';
      html.remove_prefix(1);
      return;
    }
    out_ += text;
    html.remove_prefix(end + 1);
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
};

}  // namespace

std::string html_text(std::string_view html) { return Converter().convert(html); }

}  // namespace parley::agent
