#include "agent/permissions/scope.hpp"

#include <algorithm>
#include <system_error>

#include "agent/permissions/commands/read_only.hpp"

namespace parley::agent {

namespace fs = std::filesystem;
using Kind = FileAccess::Kind;

const Rule* Scope::whole_tool_rule(PermissionBehavior behavior, std::string_view tool) const {
  for (const auto& rule : rules) {
    if (rule.behavior == behavior && rule.whole_tool() && rule.names(tool)) {
      return &rule;
    }
  }
  return nullptr;
}

const Rule* Scope::path_rule(PermissionBehavior behavior, const Place& place,
                             std::string_view family, std::string_view tool) const {
  const RuleRoots roots{start_folder, config_folder, home};
  for (const auto& rule : rules) {
    if (rule.behavior != behavior) continue;
    if (rule.rule.toolName != family && (rule.rule.toolName != tool || tool == "Bash")) continue;
    if (rule.whole_tool() || matches_path(rule, place, roots)) return &rule;
  }
  return nullptr;
}

FileAccess Scope::read_access(const Place& place, std::string_view tool) const {
  if (const auto* rule = path_rule(PermissionBehavior::deny, place, "Read", tool)) {
    return {Kind::denied, rule};
  }
  if (const auto* rule = path_rule(PermissionBehavior::ask, place, "Read", tool)) {
    return {Kind::ask_rule, rule};
  }
  if (is_within(place, folders) || is_within(place, readable)) return {Kind::allowed};
  for (const auto* family : {"Read", "Edit"}) {
    if (path_rule(PermissionBehavior::allow, place, family, tool)) return {Kind::allowed};
  }
  return {Kind::outside};
}

FileAccess Scope::edit_access(const Place& place, std::string_view tool) const {
  if (const auto* rule = path_rule(PermissionBehavior::deny, place, "Edit", tool)) {
    return {Kind::denied, rule};
  }
  if (const auto found = agent::protection(place); found != Protection::none) {
    return {Kind::protected_, nullptr, found};
  }
  if (replaces_program(place)) return {Kind::protected_, nullptr, Protection::sensitive};
  if (const auto* rule = path_rule(PermissionBehavior::ask, place, "Edit", tool)) {
    return {Kind::ask_rule, rule};
  }
  if (path_rule(PermissionBehavior::allow, place, "Edit", tool)) return {Kind::allowed};
  if (!is_within(place, folders)) return {Kind::outside};
  return {mode == PermissionMode::acceptEdits ? Kind::allowed : Kind::inside};
}

void Scope::note_programs(std::string_view path) {
  for (std::size_t at = 0; at <= path.size();) {
    const auto end = std::min(path.find(':', at), path.size());
    const fs::path folder = path.substr(at, end - at);
    at = end + 1;
    if (!folder.is_absolute()) programs_anywhere = true;
    auto place = locate(start_folder / folder);
    if (place && is_within(*place, folders)) programs.push_back(std::move(*place));
  }
}

/// Whether a command that runs unasked would run this file, or one below it, instead of the program
/// of that name.
bool Scope::replaces_program(const Place& place) const {
  if (programs.empty() && !programs_anywhere) return false;
  const auto folder = place.real.parent_path();
  bool here = programs_anywhere;
  for (const auto& each : programs) {
    here = here || each.real == folder;
    const bool above = is_within(each.real, place.real);
    if (above && std::none_of(folders.begin(), folders.end(), [&](const Place& work) {
          return is_within(work.real, place.real);
        })) {
      return true;
    }
  }
  if (!here) return false;
  static constexpr std::string_view kOthers =
      " git node npm python python3 gcc g++ clang cmake make ruby java pip pip3 nice nohup timeout "
      "stdbuf time cp mv rm rmdir mkdir touch tee echo printf test [ true false sh bash env ";
  const auto name = place.real.filename().string();
  return is_read_only_program(name) || kOthers.find(" " + name + " ") != std::string_view::npos ||
         std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
           return rule.behavior == PermissionBehavior::allow && rule.rule.toolName == "Bash" &&
                  rule.content().starts_with(name) &&
                  std::string_view(" :*").find((std::string(rule.content()) + " ")[name.size()]) !=
                      std::string_view::npos;
         });
}

bool Scope::hides_files() const {
  return std::any_of(rules.begin(), rules.end(), [](const Rule& rule) {
    return rule.behavior != PermissionBehavior::allow && rule.rule.toolName == "Read";
  });
}

bool Scope::keeps_files_away() const {
  return std::any_of(rules.begin(), rules.end(), [](const Rule& rule) {
    return rule.behavior != PermissionBehavior::allow &&
           (rule.rule.toolName == "Read" || rule.rule.toolName == "Edit");
  });
}

std::string Scope::folder_list() const {
  std::string out;
  for (const auto& folder : folders) {
    if (!out.empty()) out += ", ";
    out += "'" + folder.named.string() + "'";
  }
  return out;
}

PermissionUpdate suggest_rule(std::string tool, std::optional<std::string> content,
                              PermissionDestination destination) {
  AddRules add;
  add.rules.push_back(PermissionRule{std::move(tool), std::move(content), {}});
  add.behavior = PermissionBehavior::allow;
  add.destination = destination;
  return add;
}

PermissionUpdate suggest_folder(const fs::path& folder) {
  AddDirectories add;
  add.directories.push_back(folder.string());
  return add;
}

PermissionUpdate suggest_accept_edits() {
  SetMode set;
  set.mode = PermissionMode::acceptEdits;
  return set;
}

fs::path folder_for(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? path : path.parent_path();
}

Verdict ask_by_rule(std::string_view tool, const Rule& rule) {
  Verdict verdict;
  verdict.message = not_granted("use " + std::string(tool));
  verdict.reason_type = "rule";
  verdict.rule_source = rule.from;
  verdict.policy_ask_only = false;
  return verdict;
}

std::string protection_text(const Place& place, Protection protection) {
  if (protection == Protection::settings) return not_granted("write to " + place.named.string());
  return "Claude requested permissions to edit " + place.named.string() +
         " which is a sensitive file.";
}

std::string not_granted(std::string_view action) {
  return "Claude requested permissions to " + std::string(action) +
         ", but you haven't granted it yet.";
}

}  // namespace parley::agent
