// Commands of a shell script, simple and compound, and what stands between them.
#include <algorithm>
#include <utility>

#include "agent/permissions/shell/parser.hpp"

namespace parley::agent::shell {
namespace {

constexpr std::size_t kMaxCommands = 500;
constexpr std::size_t kMaxWords = 5000;
constexpr std::size_t kMaxPatterns = 50;

}  // namespace

bool is_own_variable(std::string_view name) {
  constexpr std::string_view kNotOwn =
      " histchars auto_resume http_proxy https_proxy ftp_proxy all_proxy no_proxy ";
  if (name.size() == 1) return is_name_start(name[0]) && name[0] != '_';
  return !name.empty() && is_name_start(name[0]) && name != "_" &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
             std::string_view::npos &&
         kNotOwn.find(" " + std::string(name) + " ") == std::string_view::npos;
}

void Parser::script() {
  list();
  if (!at_end()) fail("it has a closing word or bracket without its opening one");
  if (!here_documents_.empty()) fail("a here-document has no end");
}

/// Blanks, comments and line ends, with the here-documents that lie behind the line ends.
void Parser::skip_lines() {
  for (;;) {
    skip_blanks();
    skip_comment();
    if (peek() != '\n' || at_end()) return;
    ++pos_;
    here_document_bodies();
  }
}

bool Parser::at_list_end() const {
  if (peek() == ')' || at(";;") || at(";&")) return true;
  for (const auto* word : {"}", "then", "else", "elif", "fi", "do", "done", "esac"}) {
    if (at_reserved(word)) return true;
  }
  return false;
}

void Parser::list() {
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
      meet(Obstacle::background);
      continue;
    }
    fail("two commands have nothing between them");
  }
  --depth_;
}

void Parser::pipeline() {
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

void Parser::command() {
  for (const auto* word : {"function", "select", "coproc"}) {
    if (at_reserved(word)) return fail("it holds a form of command that is not read");
  }
  if (at("((")) return fail("it holds arithmetic");
  if (take("(")) {
    meet(Obstacle::subshell);
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

void Parser::expect(std::string_view reserved) {
  skip_lines();
  if (!take_reserved(reserved)) fail("a compound command is not complete");
}

void Parser::group() {
  meet(Obstacle::group);
  list();
  expect("}");
}

/// Behind `[[`. Its own operators stand for a word each; those that evaluate their operands as
/// arithmetic, which can run commands, are not read.
void Parser::test() {
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

void Parser::conditional() {
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
void Parser::loop() {
  script_.loops = true;
  ++loops_;
  list();
  expect("do");
  list();
  expect("done");
  --loops_;
}

void Parser::for_loop() {
  skip_blanks();
  const Word name = word();
  if (!is_own_variable(name.text) || !name.literal() || name.quoted) {
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
      // What a pattern stands for shows when it runs, and looking for it reads folders.
      if (word().pattern) meet(Obstacle::assigned_variable);
      in_loop_words_ = false;
    }
  } else {
    meet(Obstacle::variable);  // It runs over "$@".
  }
  take(";");
  loop();
}

void Parser::choice() {
  meet(Obstacle::case_);
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
void Parser::trailing_redirects() {
  Command command;
  const auto start = pos_;
  for (;;) {
    skip_blanks();
    if (!redirect(command)) break;
  }
  finish(std::move(command), start);
}

void Parser::simple_command() {
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
void Parser::function(const Command& command) {
  const bool name = command.words.size() == 1 && command.assignments.empty() &&
                    command.redirects.empty() && command.words[0].literal();
  if (name && !at("()")) skip_blanks();
  if (!name || !take("()")) return fail("it holds a pattern that is not read");
  meet(Obstacle::function);
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

bool Parser::assignment(Command& command) {
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

void Parser::finish(Command command, std::size_t start) {
  if (failed()) return;
  if (command.words.empty() && command.assignments.empty() && command.redirects.empty()) return;
  auto source = text_.substr(start, pos_ - start);
  source = source.substr(0, source.find_last_not_of(" \t\n") + 1);
  command.source = source;
  command.in_loop = loops_ > 0;
  command.in_substitution = in_substitution_;
  if (script_.commands.size() >= kMaxCommands) return fail("it holds too many commands");
  const auto is_pattern = [](const Word& word) { return word.pattern; };
  script_.words += command.words.size() + command.redirects.size();
  script_.patterns += static_cast<std::size_t>(
      std::count_if(command.words.begin(), command.words.end(), is_pattern) +
      std::count_if(command.redirects.begin(), command.redirects.end(),
                    [&](const Redirect& each) { return is_pattern(each.target); }));
  if (script_.words > kMaxWords || script_.patterns > kMaxPatterns)
    return fail("it holds too many words");
  script_.commands.push_back(std::move(command));
}

}  // namespace parley::agent::shell
