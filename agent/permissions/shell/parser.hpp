// The parser behind shell.hpp, for its own files only: words, redirects and commands each have one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shell.hpp"

namespace parley::agent::shell {

inline constexpr int kMaxDepth = 40;

inline bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_name(char c) { return is_name_start(c) || is_digit(c); }
inline bool is_meta(char c) {
  return std::string_view(" \t\n;&|<>()").find(c) != std::string_view::npos;
}

/// Reads from left to right in one pass. After a failure `at_end()` holds, so that every loop ends.
class Parser {
 public:
  Parser(std::string_view text, Script& script, std::string_view home, int depth,
         bool in_substitution)
      : text_(text),
        script_(script),
        home_(home),
        depth_(depth),
        in_substitution_(in_substitution) {}

  void script();
  /// The text of a here-document whose variables and substitutions count.
  void here_document_body();

 private:
  struct HereDocument {
    std::string end;
    bool strip_tabs = false;
    bool plain = false;  ///< A quoted end word: nothing in the body is replaced.
  };

  // ---- characters ----

  bool failed() const { return script_.obstacle == Obstacle::not_read; }
  bool at_end() const { return failed() || pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return !failed() && pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  bool at(std::string_view what) const {
    return !failed() && text_.substr(std::min(pos_, text_.size())).starts_with(what);
  }
  bool take(std::string_view what) {
    if (!at(what)) return false;
    pos_ += what.size();
    return true;
  }
  /// A continued line that join_lines() left alone.
  void fail_at_continued_line() { fail("a line goes on in the next one where that is not read"); }
  void fail(const char* why) {
    if (failed()) return;
    script_.obstacle = Obstacle::not_read;
    script_.not_read = why;
  }
  /// The commands can still be read, but they do not say all.
  void meet(Obstacle obstacle) {
    if (script_.obstacle == Obstacle::none) script_.obstacle = obstacle;
  }

  // ---- words ----

  void skip_blanks();
  void skip_comment();
  bool at_reserved(std::string_view word) const;
  bool take_reserved(std::string_view word);
  Word word();
  static void add_plain(Word& out, char c);
  static void add_plain(Word& out, std::string_view text);
  static void add_special(Word& out, char c);
  void escape(Word& out);
  void single_quotes(Word& out);
  void double_quotes(Word& out);
  void dollar(Word& out, bool inside_quotes);
  void escape_quotes(Word& out);
  void nested_list(Word& out, Obstacle obstacle);
  void backticks(Word& out, bool inside_quotes);

  // ---- redirects ----

  bool redirect(Command& command);
  void here_document(Command& command);
  void here_document_bodies();

  // ---- commands ----

  void skip_lines();
  bool at_list_end() const;
  void list();
  void pipeline();
  void command();
  void expect(std::string_view reserved);
  void group();
  void test();
  void conditional();
  void loop();
  void for_loop();
  void choice();
  void trailing_redirects();
  void simple_command();
  void function(const Command& command);
  bool assignment(Command& command);
  void finish(Command command, std::size_t start);

  std::string_view text_;
  std::size_t pos_ = 0;
  Script& script_;
  std::string_view home_;
  int depth_ = 0;
  int loops_ = 0;
  bool in_substitution_ = false;
  bool in_loop_words_ = false;
  std::vector<HereDocument> here_documents_;
  std::vector<std::string> assigned_;
};

}  // namespace parley::agent::shell
