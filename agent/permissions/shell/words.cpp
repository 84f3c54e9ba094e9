// Words of a shell script: quotes, escapes, variables and substitutions.
#include <algorithm>

#include "agent/permissions/shell/parser.hpp"

namespace parley::agent::shell {

void Parser::skip_blanks() {
  while (!at_end()) {
    if (peek() == ' ' || peek() == '\t') {
      ++pos_;
    } else if (at("\\\n")) {
      fail_at_continued_line();
    } else {
      break;
    }
  }
}

void Parser::skip_comment() {
  if (peek() != '#') return;
  while (!at_end() && peek() != '\n') ++pos_;
}

/// The reserved word at the cursor, if it stands there as a word of its own.
bool Parser::at_reserved(std::string_view word) const {
  if (!at(word)) return false;
  const char after = peek(word.size());
  return pos_ + word.size() >= text_.size() || is_meta(after);
}

bool Parser::take_reserved(std::string_view word) {
  if (!at_reserved(word)) return false;
  pos_ += word.size();
  return true;
}

/// A character that stands for itself.
void Parser::add_plain(Word& out, char c) {
  out.text += c;
  if (c == '*' || c == '?' || c == '[' || c == '\\') out.glob += '\\';
  out.glob += c;
}

void Parser::add_plain(Word& out, std::string_view text) {
  for (const char c : text) add_plain(out, c);
}

/// A character that makes the word a pattern.
void Parser::add_special(Word& out, char c) {
  if (!out.pattern) out.fixed = out.text.size();
  out.pattern = true;
  out.text += c;
  out.glob += c;
}

Word Parser::word() {
  Word out;
  const auto start = pos_;
  if (peek() == '#') fail("a comment stands where a word should");
  if (peek() == '~') out.tilde = true;
  while (!at_end()) {
    const char c = peek();
    if ((c == '<' || c == '>') && peek(1) == '(') {
      pos_ += 2;
      nested_list(out, Obstacle::process);
      continue;
    }
    if (is_meta(c)) break;
    switch (c) {
      case '\\': escape(out); break;
      case '\'': single_quotes(out); break;
      case '"': double_quotes(out); break;
      case '$': dollar(out, false); break;
      case '`': backticks(out, false); break;
      case '{':
        if (at("{}")) {  // Nothing to expand: what find and xargs replace.
          add_plain(out, "{}");
          pos_ += 2;
          break;
        }
        [[fallthrough]];
      case '}':
        out.braces = true;
        add_plain(out, c);
        ++pos_;
        meet(Obstacle::braces);
        break;
      case '*':
      case '?':
      case '[':
        add_special(out, c);
        ++pos_;
        break;
      case '~':
        // In words like name=~/x and name=a:~/x it stands for a folder, too.
        if (out.text.ends_with('=') || out.text.ends_with(':')) {
          out.variable = true;
          meet(Obstacle::variable);
        }
        [[fallthrough]];
      default: add_plain(out, c); ++pos_;
    }
  }
  if (!failed()) out.source = text_.substr(start, pos_ - start);
  // With a quote in front of the first slash the tilde stands for itself.
  if (out.tilde &&
      out.source.substr(0, out.source.find('/')).find_first_of("\"'\\") != std::string::npos) {
    fail("a part of a tilde is quoted");
  }
  if (out.source == "[") out.pattern = false;  // The command of that name.
  return out;
}

void Parser::escape(Word& out) {
  ++pos_;
  if (at_end()) return fail("it ends in a backslash");
  const char c = peek();
  ++pos_;
  if (c == '\n') return fail_at_continued_line();
  add_plain(out, c);
  out.quoted = true;
}

void Parser::single_quotes(Word& out) {
  const auto end = text_.find('\'', pos_ + 1);
  if (end == std::string_view::npos) return fail("a quote is not closed");
  add_plain(out, text_.substr(pos_ + 1, end - pos_ - 1));
  out.quoted = true;
  pos_ = end + 1;
}

void Parser::double_quotes(Word& out) {
  out.quoted = true;
  ++pos_;
  while (!at_end()) {
    const char c = peek();
    if (c == '"') {
      ++pos_;
      return;
    }
    if (c == '\\') {
      const char next = peek(1);
      if (next == '\n') {
        return fail_at_continued_line();
      } else if (next == '$' || next == '`' || next == '"' || next == '\\') {
        add_plain(out, next);
        pos_ += 2;
      } else {
        add_plain(out, c);
        ++pos_;
      }
    } else if (c == '$') {
      dollar(out, true);
    } else if (c == '`') {
      backticks(out, true);
    } else {
      add_plain(out, c);
      ++pos_;
    }
  }
  fail("a quote is not closed");
}

void Parser::dollar(Word& out, bool inside_quotes) {
  const char next = peek(1);
  if (at("$((") || next == '[') return fail("it holds arithmetic");
  if (!inside_quotes && next == '"') return fail("it holds $-quotes");
  if (!inside_quotes && next == '\'') return escape_quotes(out);
  if (next == '(') {
    pos_ += 2;
    return nested_list(out, in_loop_words_ ? Obstacle::loop_substitution : Obstacle::substitution);
  }
  const auto start = pos_;
  if (next == '{') {
    pos_ += 2;
    // A plain name, or a name with a simple change. What could hold commands is not read.
    while (!at_end() && peek() != '}') {
      if (std::string_view("$`\"'\\{@!\n<>").find(peek()) != std::string_view::npos) {
        return fail("it holds a nested expansion");
      }
      ++pos_;
    }
    if (!take("}")) return fail("an expansion is not closed");
  } else if (is_name_start(next)) {
    ++pos_;
    while (is_name(peek()) && !at_end()) ++pos_;
  } else if (is_digit(next) ||
             (next != '\0' && std::string_view("@*#?$!-").find(next) != std::string_view::npos)) {
    pos_ += 2;
  } else {
    add_plain(out, '$');
    ++pos_;
    return;
  }
  const auto reference = text_.substr(start, pos_ - start);
  if (!home_.empty() && (reference == "$HOME" || reference == "${HOME}")) {
    add_plain(out, home_);
    return;
  }
  out.variable = true;
  add_plain(out, reference);
  auto name = reference.substr(reference.starts_with("${") ? 2 : 1);
  name = name.substr(0, name.find('}'));
  const bool assigned = std::find(assigned_.begin(), assigned_.end(), name) != assigned_.end();
  meet(assigned ? Obstacle::assigned_variable : Obstacle::variable);
}

/// $'...': only its end matters, because the word is not taken as known.
void Parser::escape_quotes(Word& out) {
  meet(Obstacle::escapes);
  out.variable = true;
  pos_ += 2;
  while (!at_end() && peek() != '\'') pos_ += peek() == '\\' ? 2U : 1U;
  if (!take("'")) fail("a quote is not closed");
}

/// Behind `$(`, `<(` or `>(`, up to the bracket that closes it.
void Parser::nested_list(Word& out, Obstacle obstacle) {
  meet(obstacle);
  out.substitution = true;
  add_plain(out, "$(...)");
  const bool outer = in_substitution_;
  in_substitution_ = true;
  const auto outer_documents = here_documents_.size();
  list();
  skip_lines();
  if (here_documents_.size() != outer_documents) fail("a here-document has no end");
  if (!take(")")) fail("a substitution is not closed");
  in_substitution_ = outer;
}

void Parser::backticks(Word& out, bool inside_quotes) {
  meet(in_loop_words_ ? Obstacle::loop_substitution : Obstacle::substitution);
  out.substitution = true;
  add_plain(out, "$(...)");
  ++pos_;
  std::string inner;
  while (!at_end() && peek() != '`') {
    if (inside_quotes && at("\\\"")) return fail("a quote is escaped in backticks");
    if (peek() == '\\' && (peek(1) == '`' || peek(1) == '\\' || peek(1) == '$')) ++pos_;
    inner += peek();
    ++pos_;
  }
  if (!take("`")) return fail("a substitution is not closed");
  if (depth_ >= kMaxDepth) return fail("it is nested too deeply");
  Parser(inner, script_, home_, depth_ + 1, true).script();
}

}  // namespace parley::agent::shell
