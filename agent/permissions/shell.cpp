#include "agent/permissions/shell.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace parley::agent::shell {
namespace {

constexpr std::size_t kMaxText = 64 * 1024;
constexpr std::size_t kMaxCommands = 500;
constexpr int kMaxDepth = 40;

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }
bool is_meta(char c) { return std::string_view(" \t\n;&|<>()").find(c) != std::string_view::npos; }

/// Whether HOME is only ever read in the text, and its value stays one word without quotes.
bool home_is_kept(std::string_view text, std::string_view home) {
  if (home.find_first_of(" \t\n*?[]{}\\'\"$`~") != std::string_view::npos) return false;
  for (auto at = text.find("HOME"); at != std::string_view::npos; at = text.find("HOME", at + 1)) {
    const auto before = text.substr(0, at);
    if (!before.ends_with('$') && !before.ends_with("${")) return false;
  }
  return true;
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

  void script() {
    list();
    if (!at_end()) fail("it has a closing word or bracket without its opening one");
    if (!here_documents_.empty()) fail("a here-document has no end");
  }

  /// The text of a here-document whose variables and substitutions count.
  void here_document_body() {
    Word word;
    while (!at_end()) {
      const char c = peek();
      if (c == '\\') {
        pos_ += 2;
      } else if (c == '$') {
        dollar(word, true);
      } else if (c == '`') {
        backticks(word);
      } else {
        ++pos_;
      }
    }
  }

 private:
  // ---- reading characters ----

  bool failed() const { return script_.obstacle == Obstacle::kNotRead; }
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
  void fail(const char* why) {
    if (failed()) return;
    script_.obstacle = Obstacle::kNotRead;
    script_.not_read = why;
  }
  /// The commands can still be read, but they do not say all.
  void meet(Obstacle obstacle) {
    if (script_.obstacle == Obstacle::kNone) script_.obstacle = obstacle;
  }

  void skip_blanks() {
    while (!at_end()) {
      if (peek() == ' ' || peek() == '\t') {
        ++pos_;
      } else if (at("\\\n")) {
        pos_ += 2;
      } else {
        break;
      }
    }
  }
  void skip_comment() {
    if (peek() != '#') return;
    while (!at_end() && peek() != '\n') ++pos_;
  }
  /// Blanks, comments and line ends, with the here-documents that lie behind the line ends.
  void skip_lines() {
    for (;;) {
      skip_blanks();
      skip_comment();
      if (peek() != '\n' || at_end()) return;
      ++pos_;
      here_document_bodies();
    }
  }

  // ---- words ----

  /// The reserved word at the cursor, if it stands there as a word of its own.
  bool at_reserved(std::string_view word) const {
    if (!at(word)) return false;
    const char after = peek(word.size());
    return pos_ + word.size() >= text_.size() || is_meta(after);
  }
  bool take_reserved(std::string_view word) {
    if (!at_reserved(word)) return false;
    pos_ += word.size();
    return true;
  }
  bool at_list_end() const {
    if (peek() == ')' || at(";;") || at(";&")) return true;
    for (const auto* word : {"}", "then", "else", "elif", "fi", "do", "done", "esac"}) {
      if (at_reserved(word)) return true;
    }
    return false;
  }

  Word word() {
    Word out;
    const auto start = pos_;
    if (peek() == '~') out.tilde = true;
    while (!at_end()) {
      const char c = peek();
      if ((c == '<' || c == '>') && peek(1) == '(') {
        pos_ += 2;
        nested_list(out, Obstacle::kProcess);
        continue;
      }
      if (is_meta(c)) break;
      switch (c) {
        case '\\': escape(out); break;
        case '\'': single_quotes(out); break;
        case '"': double_quotes(out); break;
        case '$': dollar(out, false); break;
        case '`': backticks(out); break;
        case '{':
          if (at("{}")) {  // Nothing to expand: what find and xargs replace.
            out.text += "{}";
            pos_ += 2;
            break;
          }
          [[fallthrough]];
        case '}':
          out.braces = true;
          out.text += c;
          ++pos_;
          meet(Obstacle::kBraces);
          break;
        case '*':
        case '?':
        case '[': out.pattern = true; [[fallthrough]];
        default: out.text += c; ++pos_;
      }
    }
    if (!failed()) out.source = text_.substr(start, pos_ - start);
    if (out.source == "[") out.pattern = false;  // The command of that name.
    return out;
  }

  void escape(Word& out) {
    ++pos_;
    if (at_end()) return fail("it ends in a backslash");
    const char c = peek();
    ++pos_;
    if (c == '\n') return;  // The line goes on.
    out.text += c;
    out.quoted = true;
  }

  void single_quotes(Word& out) {
    const auto end = text_.find('\'', pos_ + 1);
    if (end == std::string_view::npos) return fail("a quote is not closed");
    out.text += text_.substr(pos_ + 1, end - pos_ - 1);
    out.quoted = true;
    pos_ = end + 1;
  }

  void double_quotes(Word& out) {
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
          pos_ += 2;
        } else if (next == '$' || next == '`' || next == '"' || next == '\\') {
          out.text += next;
          pos_ += 2;
        } else {
          out.text += c;
          ++pos_;
        }
      } else if (c == '$') {
        dollar(out, true);
      } else if (c == '`') {
        backticks(out);
      } else {
        out.text += c;
        ++pos_;
      }
    }
    fail("a quote is not closed");
  }

  void dollar(Word& out, bool inside_quotes) {
    const char next = peek(1);
    if (at("$((") || next == '[') return fail("it holds arithmetic");
    if (!inside_quotes && next == '"') return fail("it holds $-quotes");
    if (!inside_quotes && next == '\'') return escape_quotes(out);
    if (next == '(') {
      pos_ += 2;
      return nested_list(out,
                         in_loop_words_ ? Obstacle::kLoopSubstitution : Obstacle::kSubstitution);
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
      out.text += '$';
      ++pos_;
      return;
    }
    const auto reference = text_.substr(start, pos_ - start);
    if (!home_.empty() && (reference == "$HOME" || reference == "${HOME}")) {
      out.text += home_;
      return;
    }
    out.variable = true;
    out.text += reference;
    auto name = reference.substr(reference.starts_with("${") ? 2 : 1);
    name = name.substr(0, name.find('}'));
    const bool assigned = std::find(assigned_.begin(), assigned_.end(), name) != assigned_.end();
    meet(assigned ? Obstacle::kAssignedVariable : Obstacle::kVariable);
  }

  /// $'...': only its end matters, because the word is not taken as known.
  void escape_quotes(Word& out) {
    meet(Obstacle::kEscapes);
    out.variable = true;
    pos_ += 2;
    while (!at_end() && peek() != '\'') pos_ += peek() == '\\' ? 2U : 1U;
    if (!take("'")) fail("a quote is not closed");
  }

  /// Behind `$(`, `<(` or `>(`, up to the bracket that closes it.
  void nested_list(Word& out, Obstacle obstacle) {
    meet(obstacle);
    out.substitution = true;
    out.text += "$(...)";
    const bool outer = in_substitution_;
    in_substitution_ = true;
    const auto outer_documents = here_documents_.size();
    list();
    skip_lines();
    if (here_documents_.size() != outer_documents) fail("a here-document has no end");
    if (!take(")")) fail("a substitution is not closed");
    in_substitution_ = outer;
  }

  void backticks(Word& out) {
    meet(in_loop_words_ ? Obstacle::kLoopSubstitution : Obstacle::kSubstitution);
    out.substitution = true;
    out.text += "$(...)";
    ++pos_;
    std::string inner;
    while (!at_end() && peek() != '`') {
      if (peek() == '\\' && (peek(1) == '`' || peek(1) == '\\' || peek(1) == '$')) ++pos_;
      inner += peek();
      ++pos_;
    }
    if (!take("`")) return fail("a substitution is not closed");
    if (depth_ >= kMaxDepth) return fail("it is nested too deeply");
    Parser(inner, script_, home_, depth_ + 1, true).script();
  }

  // ---- here-documents ----

  struct HereDocument {
    std::string end;
    bool strip_tabs = false;
    bool plain = false;  ///< A quoted end word: nothing in the body is replaced.
  };

  void here_document_bodies() {
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

  // ---- commands ----

  void list() {
    if (++depth_ > kMaxDepth) fail("it is nested too deeply");
    for (;;) {
      skip_lines();
      if (at_end() || at_list_end()) break;
      pipeline();
      skip_blanks();
      skip_comment();
      if (at_end() || peek() == '\n') continue;
      if (at_list_end()) break;
      if (take("&&") || take("||")) {
        skip_lines();
        if (at_end() || at_list_end()) fail("a command is missing after && or ||");
        continue;
      }
      if (take(";")) continue;
      if (take("&")) {
        meet(Obstacle::kBackground);
        continue;
      }
      fail("two commands have nothing between them");
    }
    --depth_;
  }

  void pipeline() {
    while (take_reserved("!")) skip_blanks();
    command();
    for (;;) {
      skip_blanks();
      if (at("||") || !take("|")) return;
      take("&");
      script_.pipes = true;
      skip_lines();
      if (at_end() || at_list_end()) return fail("a command is missing after |");
      command();
    }
  }

  void command() {
    for (const auto* word : {"function", "select", "coproc"}) {
      if (at_reserved(word)) return fail("it holds a form of command that is not read");
    }
    if (at("((")) return fail("it holds arithmetic");
    if (take("(")) {
      meet(Obstacle::kSubshell);
      list();
      if (!take(")")) fail("a bracket is not closed");
    } else if (take_reserved("{")) {
      group();
    } else if (take_reserved("if")) {
      conditional();
    } else if (take_reserved("while") || take_reserved("until")) {
      loop();
    } else if (take_reserved("for")) {
      for_loop();
    } else if (take_reserved("case")) {
      choice();
    } else if (take_reserved("[[")) {
      test();
    } else {
      return simple_command();
    }
    trailing_redirects();
  }

  void expect(std::string_view reserved) {
    skip_lines();
    if (!take_reserved(reserved)) fail("a compound command is not complete");
  }

  void group() {
    meet(Obstacle::kGroup);
    list();
    expect("}");
  }

  /// Behind `[[`. Its own operators stand for a word each; those that evaluate their operands as
  /// arithmetic, which can run commands, are not read.
  void test() {
    Command command;
    const auto start = pos_;
    command.words.push_back(Word{.text = "[[", .source = "[["});
    for (;;) {
      skip_blanks();
      if (at_end()) return fail("a test is not closed");
      if (take_reserved("]]")) break;
      if (take("&&") || take("||")) continue;
      if (is_meta(peek())) return fail("it holds a test that is not read");
      command.words.push_back(word());
      for (const auto* operation : {"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R", "=~"}) {
        if (command.words.back().text == operation) return fail("it holds a test that is not read");
      }
    }
    finish(std::move(command), start);
  }

  void conditional() {
    list();
    expect("then");
    list();
    for (;;) {
      skip_lines();
      if (take_reserved("elif")) {
        list();
        expect("then");
        list();
      } else if (take_reserved("else")) {
        list();
        return expect("fi");
      } else {
        return expect("fi");
      }
    }
  }

  /// The condition, and the body between `do` and `done`.
  void loop() {
    script_.loops = true;
    ++loops_;
    list();
    expect("do");
    list();
    expect("done");
    --loops_;
  }

  void for_loop() {
    skip_blanks();
    const Word name = word();
    if (name.text.empty() || !name.literal() || name.quoted) {
      return fail("it holds a form of loop that is not read");
    }
    skip_lines();
    if (take_reserved("in")) {
      for (;;) {
        skip_blanks();
        if (at_end() || peek() == ';' || peek() == '\n' || peek() == '#') break;
        const bool process = (peek() == '<' || peek() == '>') && peek(1) == '(';
        if (is_meta(peek()) && !process) return fail("a loop is not complete");
        in_loop_words_ = true;
        word();
        in_loop_words_ = false;
      }
    }
    take(";");
    loop();
  }

  void choice() {
    meet(Obstacle::kCase);
    skip_blanks();
    word();
    skip_lines();
    if (!take_reserved("in")) return fail("a case is not complete");
    for (;;) {
      skip_lines();
      if (take_reserved("esac")) return;
      if (at_end()) return fail("a case is not complete");
      take("(");
      do {
        skip_blanks();
        if (word().source.empty()) return fail("a case is not complete");
        skip_blanks();
      } while (take("|"));
      if (!take(")")) return fail("a case is not complete");
      list();
      skip_lines();
      if (!take(";;&") && !take(";;") && !take(";&") && !at_reserved("esac")) {
        return fail("a case is not complete");
      }
    }
  }

  /// Behind a compound command: they count as a command without words.
  void trailing_redirects() {
    Command command;
    const auto start = pos_;
    for (;;) {
      skip_blanks();
      if (!redirect(command)) break;
    }
    finish(std::move(command), start);
  }

  void simple_command() {
    Command command;
    const auto start = pos_;
    for (;;) {
      skip_blanks();
      if (at_end() || peek() == '#') break;
      if (redirect(command)) continue;
      const char c = peek();
      if (c == '(') return function(command);
      if (is_meta(c) && !((c == '<' || c == '>') && peek(1) == '(')) break;
      if (command.words.empty() && assignment(command)) continue;
      const auto before = pos_;
      command.words.push_back(word());
      if (!failed() && pos_ == before) return fail("a character has no meaning here");
      // `{fd}> file` keeps a number in a variable.
      const auto& source = command.words.back().source;
      if ((peek() == '<' || peek() == '>') && source.starts_with('{') && source.ends_with('}')) {
        return fail("it opens a file into a variable");
      }
    }
    if (!failed() && command.words.empty() && command.assignments.empty() &&
        command.redirects.empty()) {
      return fail("a command is missing");
    }
    finish(std::move(command), start);
  }

  /// At the bracket behind its name. The body is a command like any other.
  void function(const Command& command) {
    const bool name = command.words.size() == 1 && command.assignments.empty() &&
                      command.redirects.empty() && command.words[0].literal();
    if (name && !at("()")) skip_blanks();
    if (!name || !take("()")) return fail("it holds a pattern that is not read");
    meet(Obstacle::kFunction);
    skip_lines();
    if (depth_ >= kMaxDepth) return fail("it is nested too deeply");
    if (take_reserved("{")) {
      group();
    } else if (take("(")) {
      list();
      if (!take(")")) fail("a bracket is not closed");
    } else {
      fail("it holds a function that is not read");
    }
  }

  bool assignment(Command& command) {
    std::size_t length = 0;
    if (!is_name_start(peek())) return false;
    while (is_name(peek(length))) ++length;
    const bool add = peek(length) == '+';
    const char next = peek(length + (add ? 1 : 0));
    if (next == '[') {
      fail("it assigns to an array");
      return true;
    }
    if (next != '=') return false;
    Assignment out;
    out.name = text_.substr(pos_, length);
    pos_ += length + (add ? 2 : 1);
    if (peek() == '(') {
      fail("it assigns to an array");
      return true;
    }
    out.value = word();
    assigned_.push_back(out.name);
    command.assignments.push_back(std::move(out));
    return true;
  }

  /// Takes one redirect if there is one at the cursor.
  bool redirect(Command& command) {
    std::size_t digits = 0;
    while (is_digit(peek(digits))) ++digits;
    const bool both = digits == 0 && at("&>");
    const char c = both ? '>' : peek(digits);
    if (c != '<' && c != '>') return false;
    if (peek(digits + 1) == '(' && !both) {
      if (digits == 0) return false;  // A process substitution: part of a word.
      fail("a redirect is not read");
      return true;
    }
    pos_ += digits + (both ? 1 : 0);
    Redirect out;
    if (take("<<<")) {
      out.kind = Redirect::Kind::kText;
    } else if (take("<<")) {
      here_document(command);
      return true;
    } else if (take("<>") || take(">>") || take(">|")) {
      out.kind = Redirect::Kind::kWrite;
    } else if (take(">&") || take("<&")) {
      // A number or a dash names an open file; anything else would be a file to write.
      out.kind = text_[pos_ - 2] == '>' ? Redirect::Kind::kWrite : Redirect::Kind::kRead;
      skip_blanks();
      out.target = word();
      const auto& text = out.target.text;
      const bool number = !text.empty() && out.target.literal() &&
                          text.find_first_not_of("0123456789-") == std::string::npos &&
                          text.find('-') >= text.size() - 1;
      if (number) out.kind = Redirect::Kind::kDuplicate;
      if (text.empty()) fail("a redirect has no target");
      command.redirects.push_back(std::move(out));
      return true;
    } else {
      out.kind = c == '<' ? Redirect::Kind::kRead : Redirect::Kind::kWrite;
      ++pos_;
    }
    skip_blanks();
    const auto before = pos_;
    out.target = word();
    if (pos_ == before) fail("a redirect has no target");
    if (out.kind == Redirect::Kind::kText) script_.texts.push_back(out.target.text);
    command.redirects.push_back(std::move(out));
    return true;
  }

  void here_document(Command& command) {
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
    if (!document.plain) meet(Obstacle::kHereDocument);
    here_documents_.push_back(document);
    command.redirects.push_back(Redirect{Redirect::Kind::kText, {}});
  }

  void finish(Command command, std::size_t start) {
    if (failed()) return;
    if (command.words.empty() && command.assignments.empty() && command.redirects.empty()) return;
    auto source = text_.substr(start, pos_ - start);
    source = source.substr(0, source.find_last_not_of(" \t\n") + 1);
    command.source = source;
    command.in_loop = loops_ > 0;
    command.in_substitution = in_substitution_;
    if (script_.commands.size() >= kMaxCommands) return fail("it holds too many commands");
    script_.commands.push_back(std::move(command));
  }

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

}  // namespace

Script analyse(std::string_view text, std::string_view home) {
  Script script;
  const auto refuse = [&](const char* why) {
    script.obstacle = Obstacle::kNotRead;
    script.not_read = why;
    return script;
  };
  if (text.size() > kMaxText) return refuse("it is too long");
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f) {
      return refuse("it holds a control character");
    }
  }
  Parser(text, script, home_is_kept(text, home) ? home : std::string_view(), 0, false).script();
  return script;
}

}  // namespace parley::agent::shell
