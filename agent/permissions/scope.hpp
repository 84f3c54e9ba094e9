// Everything that a verdict depends on, as one value: mode, rules, folders. A judge works on such a
// copy, so that it sees one state from beginning to end.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "permissions.hpp"
#include "rules.hpp"

namespace parley::agent {

/// What may be done with one file, before the mode bypassPermissions is asked about.
struct FileAccess {
  enum class Kind {
    allowed,
    denied,      ///< By `rule`.
    ask_rule,    ///< By `rule`.
    protected_,  ///< Editing it needs a person in every mode.
    inside,      ///< Editing in a working folder, in a mode that asks.
    outside,
  };
  Kind kind = Kind::outside;
  const Rule* rule = nullptr;  ///< Of the Scope that was asked.
  Protection protection = Protection::none;
};

struct Scope {
  std::filesystem::path start_folder, config_folder, home;
  Enum<PermissionMode> mode = PermissionMode::default_;
  std::vector<Rule> rules;
  std::vector<Place> folders;           ///< Where the agent works; the start folder first.
  std::vector<Place> readable;          ///< Where it may read besides.
  std::optional<Place> plan_file = {};  ///< What it may edit in every mode.
  std::vector<Place> programs = {};     ///< Folders of PATH that lie where it works.
  bool programs_anywhere = false;       ///< PATH names the current folder.

  /// The first rule of that behaviour that speaks of the whole tool.
  [[nodiscard]] const Rule* whole_tool_rule(PermissionBehavior behavior,
                                            std::string_view tool) const;
  /// `tool` is whose own rules count beside those of Read or Edit; for commands "Bash" is passed,
  /// which has no path rules.
  [[nodiscard]] FileAccess read_access(const Place& place, std::string_view tool) const;
  [[nodiscard]] FileAccess edit_access(const Place& place, std::string_view tool) const;
  /// Whether any rule keeps some files from being read.
  [[nodiscard]] bool hides_files() const;
  /// Whether any rule keeps some files from being read or changed.
  [[nodiscard]] bool keeps_files_away() const;
  /// `'/a', '/b'`: for messages.
  [[nodiscard]] std::string folder_list() const;

  /// Takes `programs` from a PATH.
  void note_programs(std::string_view path);

 private:
  [[nodiscard]] bool replaces_program(const Place& place) const;
  [[nodiscard]] const Rule* path_rule(PermissionBehavior behavior, const Place& place,
                                      std::string_view family, std::string_view tool) const;
};

// ---- pieces of verdicts ----

[[nodiscard]] PermissionUpdate suggest_rule(std::string tool, std::optional<std::string> content,
                                            PermissionDestination destination);
[[nodiscard]] PermissionUpdate suggest_folder(const std::filesystem::path& folder);
[[nodiscard]] PermissionUpdate suggest_accept_edits();
/// The folder that has to be opened up for a file: itself if it is one, else the one it lies in.
[[nodiscard]] std::filesystem::path folder_for(const std::filesystem::path& path);
/// A verdict by an ask rule.
[[nodiscard]] Verdict ask_by_rule(std::string_view tool, const Rule& rule);
/// What a person is told about a protected file.
[[nodiscard]] std::string protection_text(const Place& place, Protection protection);
[[nodiscard]] std::string not_granted(std::string_view action);

}  // namespace parley::agent
