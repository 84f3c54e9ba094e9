// Redirects of a shell script, and the here-documents that they announce.
#include <algorithm>
#include <utility>

#include "agent/permissions/shell/parser.hpp"

namespace parley::agent::shell {

/// Takes one redirect if there is one at the cursor.
bool Parser::redirect(Command& command) {
  std::size_t digits = 0;
  while (is_digit(peek(digits))) ++digits;
  const bool both = digits == 0 && at("&>");
  const char c = both ? '>' : peek(digits);
  if (c != '<' && c != '>') return false;
  // What is too large for a descriptor is a word to bash.
  if (digits > 2) {
    fail("a redirect has a number that is not read");
    return true;
  }
  if (peek(digits + 1) == '(' && !both) {
    if (digits == 0) return false;  // A process substitution: part of a word.
    fail("a redirect is not read");
    return true;
  }
  pos_ += digits + (both ? 1 : 0);
  Redirect out;
  if (take("<<<")) {
    out.kind = Redirect::Kind::text;
  } else if (take("<<")) {
    here_document(command);
    return true;
  } else if (take("<>") || take(">>") || take(">|")) {
    out.kind = Redirect::Kind::write;
  } else if (take(">&") || take("<&")) {
    // A number or a dash names an open file; anything else would be a file to write.
    out.kind = text_[pos_ - 2] == '>' ? Redirect::Kind::write : Redirect::Kind::read;
    skip_blanks();
    out.target = word();
    const auto& text = out.target.text;
    const bool number = !text.empty() && out.target.literal() &&
                        text.find_first_not_of("0123456789-") == std::string::npos &&
                        text.find('-') >= text.size() - 1;
    if (number) out.kind = Redirect::Kind::duplicate;
    if (text.empty()) fail("a redirect has no target");
    command.redirects.push_back(std::move(out));
    return true;
  } else {
    out.kind = c == '<' ? Redirect::Kind::read : Redirect::Kind::write;
    ++pos_;
  }
  skip_blanks();
  const auto before = pos_;
  out.target = word();
  if (pos_ == before) fail("a redirect has no target");
  if (out.kind == Redirect::Kind::text) script_.texts.push_back(out.target.text);
  command.redirects.push_back(std::move(out));
  return true;
}

void Parser::here_document(Command& command) {
  HereDocument document;
  document.strip_tabs = take("-");
  skip_blanks();
  const Word end = word();
  // The end word is compared as text; with an expansion in it nobody agrees on what that is.
  if (end.text.empty() || end.variable || end.substitution ||
      end.text.find('\n') != std::string::npos) {
    return fail("a here-document has an end that is not read");
  }
  document.end = end.text;
  document.plain = end.quoted;
  if (!document.plain) meet(Obstacle::here_document);
  here_documents_.push_back(document);
  command.redirects.push_back(Redirect{Redirect::Kind::text, {}});
}

void Parser::here_document_bodies() {
  for (const auto& document : std::exchange(here_documents_, {})) {
    std::string body;
    for (;;) {
      if (at_end()) return fail("a here-document has no end");
      auto end = text_.find('\n', pos_);
      auto line = text_.substr(pos_, end == std::string_view::npos ? end : end - pos_);
      pos_ = end == std::string_view::npos ? text_.size() : end + 1;
      if (document.strip_tabs)
        line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
      if (line == document.end) break;
      body += line;
      body += '\n';
    }
    if (!document.plain) {
      if (depth_ >= kMaxDepth) return fail("it is nested too deeply");
      Parser(body, script_, home_, depth_ + 1, true).here_document_body();
    }
    script_.texts.push_back(std::move(body));
  }
}

void Parser::here_document_body() {
  Word word;
  while (!at_end()) {
    const char c = peek();
    if (at("\\\n")) {
      fail_at_continued_line();
    } else if (c == '\\') {
      pos_ += 2;
    } else if (c == '$') {
      dollar(word, true);
    } else if (c == '`') {
      backticks(word, true);
    } else {
      ++pos_;
    }
  }
}

}  // namespace parley::agent::shell
