// What a line of shell would run, found without running it: a flat list of its simple commands with
// their words and redirects, from every pipe, list, loop, subshell and substitution. The grammar is
// the part of bash that can be read with certainty; everything else is "not understood", and what
// is not understood must be asked about. No I/O, no state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::agent::shell {

/// One word after quotes and escapes are taken away.
struct Word {
  std::string text;  ///< What the command sees, if the word is literal.
  std::string source;
  bool variable = false;      ///< Holds $name or ${...}: its value shows when it runs.
  bool substitution = false;  ///< Holds $(...), `...` or <(...): the commands are in the list too.
  bool pattern = false;       ///< Holds an unquoted * ? or [: may become other or several words.
  std::string glob = {};  ///< `text` as a pattern: a \\ stands before what is not special in it.
  std::size_t fixed = 0;  ///< Of a pattern: how much of `text` comes before what is special.
  bool braces = false;    ///< Holds an unquoted { or }: the same.
  bool tilde = false;     ///< Starts with an unquoted ~, which `text` keeps.
  bool quoted = false;    ///< Some part was quoted.

  /// Whether the command gets exactly `text` (a tilde is still to be replaced).
  [[nodiscard]] bool literal() const { return !variable && !substitution && !pattern && !braces; }
};

struct Redirect {
  enum class Kind {
    read,       ///< `< file`
    write,      ///< `> file`, `>> file`, `>| file`, `&> file`, `<> file`
    duplicate,  ///< `2>&1`, `>&-`: touches no file
    text,       ///< A here-document or here-string.
  };
  Kind kind = Kind::read;
  Word target;  ///< Empty for a here-document, whose text is in Script::texts.
};

/// A name and its value in front of a command, or alone.
struct Assignment {
  std::string name;
  Word value;
};

struct Command {
  std::vector<Assignment> assignments;
  std::vector<Word> words;  ///< Empty for assignments or redirects alone.
  std::vector<Redirect> redirects;
  std::string source;  ///< As it is written, without what surrounds it.
  /// Where it stands, which decides what a change of folder before it means.
  bool in_loop = false;
  bool in_substitution = false;
};

/// Why a text cannot be judged by its commands alone, although they are all in the list.
enum class Obstacle {
  none,
  variable,           ///< A word depends on a variable.
  assigned_variable,  ///< ... that the text itself sets.
  substitution,       ///< $(...) or `...`
  loop_substitution,  ///< ... as what a loop runs over.
  process,            ///< <(...) or >(...)
  here_document,      ///< A here-document whose text is expanded.
  subshell,
  group,
  case_,
  function,
  escapes,     ///< $'...'
  braces,      ///< {a,b}
  background,  ///< &
  not_read,    ///< Not understood: `commands` holds only what was read before the place.
};

struct Script {
  std::vector<Command> commands;   ///< In the order of the text; substitutions before their user.
  std::vector<std::string> texts;  ///< Here-documents and here-strings: what a shell might run.
  bool loops = false;
  bool pipes = false;
  std::size_t words = 0;               ///< Of all commands, with the targets of redirects.
  std::size_t patterns = 0;            ///< Those of them that are patterns.
  Obstacle obstacle = Obstacle::none;  ///< The first one; `not_read` before all others.
  std::string not_read;                ///< Of `not_read`: why.
};

/// Whether a variable of that name means something to the text alone. The names that bash, the
/// environment and other programs give a meaning (PATH, IFS, CDPATH, ...), are in capitals but for
/// a few.
[[nodiscard]] bool is_own_variable(std::string_view name);

/// Texts of any size and content; recursion and size are bounded (not understood beyond them).
/// `home` is what $HOME stands for where the text does not change it; empty if that is not known.
[[nodiscard]] Script analyse(std::string_view text, std::string_view home = {});

}  // namespace parley::agent::shell
