// The verdict on a script by its commands and files, for command_judge.cpp. Commands, files, and
// what a person is asked each have a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../scope.hpp"
#include "../shell/shell.hpp"
#include "file_commands.hpp"

namespace parley::agent {

/// Judges the commands of one script in their order.
class ScriptJudge {
 public:
  ScriptJudge(const Scope& scope, const shell::Script& script, std::string_view text,
              const std::filesystem::path& cwd)
      : scope_(scope), script_(script), text_(text), folders_{cwd}, writes_(writes(script)) {}

  /// A file that a rule keeps away, named by any command in any spelling.
  bool touches_denied_file();
  Verdict verdict();

 private:
  /// A file that keeps a command from running unasked.
  struct Blocked {
    enum class By { read, command, redirect } by = By::read;
    Place place;
    FileAccess access;
    std::string program;
  };

  std::optional<Verdict> judge(const shell::Command& command);
  std::optional<Verdict> judge_other(const shell::Command& command, const Words& words);
  std::optional<Verdict> judge_look(const ReadOnlyCall& look, const Words& words);
  static bool has_safe_variables(const shell::Command& command);
  static bool writes(const shell::Command& command);
  static bool writes(const shell::Script& script);
  /// Whether a command may find other files than are there now.
  bool finds_changes() const {
    const bool edits = scope_.mode == PermissionMode::acceptEdits;
    return wrote_ || (script_.loops && edits) || (writes_ && (script_.loops || script_.pipes));
  }
  static bool takes_time(const shell::Command& command);
  bool depends_on_links(const Words& words) const;
  static bool changes_folder(const shell::Command& command);
  void note_folder_change(const shell::Command& command);
  std::optional<Verdict> changes_folder_first();

  // ---- files ----

  std::pair<std::filesystem::path, std::string_view> pattern_of(
      const FileWord& file, const std::filesystem::path& folder) const;
  std::optional<std::vector<std::filesystem::path>> paths(const FileWord& file,
                                                          bool searched) const;
  std::optional<std::vector<Place>> places(const FileWord& file) const;
  std::filesystem::path path_of(const FileWord& file, const std::filesystem::path& folder) const;
  bool add_copies(const FileCall& call, std::vector<FileWord>& files) const;
  bool is_denied(const FileWord& file, bool write) const;
  bool names_links(const std::vector<FileWord>& files) const;
  std::optional<Verdict> judge_files(const std::vector<FileWord>& files, const Words& words,
                                     bool write, bool covered);
  std::optional<Verdict> judge_file(const Place& place, Blocked::By by, bool covered,
                                    const std::string& program);
  std::optional<Verdict> judge_redirects(const shell::Command& command);
  bool follows_replaced_links(const FileWord& file) const;
  static Verdict ask_about_option();
  std::optional<Verdict> judge_patterns(const std::vector<std::string>& globs) const;
  std::optional<Verdict> judge_repository(const Words& words) const;
  std::optional<Verdict> removes_too_much(const FileCall& call, const Words& words) const;

  // ---- what a person is told ----

  Verdict ask_about_file(const Blocked& blocked) const;
  std::string file_message(const Blocked& blocked) const;
  Verdict ask_about_commands() const;

  const Scope& scope_;
  const shell::Script& script_;
  std::string_view text_;
  /// Where the script may be by now; the first is where it began.
  std::vector<std::filesystem::path> folders_;
  bool writes_;         ///< Some command of the script makes, changes or removes files.
  bool wrote_ = false;  ///< ... and it is one of those before the current one.
  std::vector<Blocked> blocked_;
  std::vector<const shell::Command*> uncovered_;
};

}  // namespace parley::agent
