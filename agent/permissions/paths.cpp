#include "agent/permissions/paths.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <system_error>

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;

fs::path without_end_slash(const fs::path& path) {
  return path.has_relative_path() && !path.has_filename() ? path.parent_path() : path;
}

/// std::filesystem::weakly_canonical leaves a link alone that leads to nothing; a write through it
/// would still make a file at its end.
std::optional<fs::path> follow(const fs::path& absolute) {
  std::deque<fs::path> rest(absolute.begin(), absolute.end());
  fs::path out;
  int links = 0;
  while (!rest.empty()) {
    const fs::path part = rest.front();
    rest.pop_front();
    if (part == "/") {
      out = "/";
      continue;
    }
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      out = out.parent_path();
      continue;
    }
    std::error_code error;
    const auto status = fs::symlink_status(out / part, error);
    if (error && status.type() != fs::file_type::not_found) return std::nullopt;
    if (!fs::is_symlink(status)) {
      out /= part;
      continue;
    }
    const auto target = fs::read_symlink(out / part, error);
    if (error || ++links > kMaxLinks) return std::nullopt;
    rest.insert(rest.begin(), target.begin(), target.end());
  }
  return out;
}

Protection protection_of(const fs::path& path) {
  // Folders and files from which programs take commands to run: those of the real CLI, and others
  // of the same kind.
  static constexpr std::array kFolders = {".git",   ".vscode",       ".idea",  ".claude",
                                          ".husky", ".devcontainer", ".cargo", ".yarn",
                                          ".mvn",   ".ssh",          ".direnv"};
  static constexpr std::array kFiles = {".bashrc",
                                        ".bash_profile",
                                        ".bash_login",
                                        ".bash_logout",
                                        ".bash_aliases",
                                        ".profile",
                                        ".zshrc",
                                        ".zprofile",
                                        ".zshenv",
                                        ".zlogin",
                                        ".zlogout",
                                        ".inputrc",
                                        ".gitconfig",
                                        ".gitmodules",
                                        ".mcp.json",
                                        ".claude.json",
                                        ".ripgreprc",
                                        ".envrc",
                                        ".npmrc",
                                        ".yarnrc",
                                        ".yarnrc.yml",
                                        ".pnpmfile.cjs",
                                        ".pnp.cjs",
                                        ".pnp.loader.mjs",
                                        "bunfig.toml",
                                        ".bunfig.toml",
                                        ".bazelrc",
                                        ".bazelversion",
                                        ".bazeliskrc",
                                        ".pre-commit-config.yaml",
                                        "lefthook.yml",
                                        ".lefthook.yml",
                                        "lefthook.yaml",
                                        ".lefthook.yaml",
                                        "gradle-wrapper.properties",
                                        ".devcontainer.json",
                                        ".netrc",
                                        ".tmux.conf",
                                        ".vimrc",
                                        ".kshrc",
                                        ".cshrc",
                                        ".tcshrc",
                                        ".xprofile",
                                        ".xinitrc",
                                        ".pam_environment"};
  std::string before;
  Protection found = Protection::none;
  for (const auto& part : path) {
    const auto name = lower(part.string());
    if (before == ".claude" && (name == "settings.json" || name == "settings.local.json")) {
      return Protection::settings;
    }
    if (std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end() ||
        std::find(kFiles.begin(), kFiles.end(), name) != kFiles.end() ||
        (before == ".config" && name == "git")) {
      found = Protection::sensitive;
    }
    before = name;
  }
  return found;
}

}  // namespace

std::optional<Place> locate(const fs::path& absolute) {
  auto real = follow(absolute);
  if (!real) return std::nullopt;
  return Place{without_end_slash(absolute.lexically_normal()), std::move(*real)};
}

bool leads_elsewhere(const fs::path& absolute) {
  if (std::find(absolute.begin(), absolute.end(), "..") == absolute.end()) return false;
  const auto by_system = follow(absolute);
  const auto by_text = follow(absolute.lexically_normal());
  return !by_system || !by_text || *by_system != *by_text;
}

fs::path absolute_path(std::string_view text, const fs::path& folder, const fs::path& home) {
  if (text == "~") return home;
  if (text.starts_with("~/")) return (home / text.substr(2)).lexically_normal();
  return (folder / text).lexically_normal();
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const auto inner = path.lexically_normal();
  const auto outer = without_end_slash(folder.lexically_normal());
  const auto [end, _] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return end == outer.end();
}

bool is_within(const Place& place, const std::vector<Place>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const Place& folder) { return is_within(place.real, folder.real); });
}

Protection protection(const Place& place) {
  return std::max(protection_of(place.named), protection_of(place.real));
}

}  // namespace parley::agent
