#include "history/listing/project_names.hpp"

#include <algorithm>
#include <filesystem>

#include "support/text/javascript_text.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

constexpr std::size_t kLongestName = 200;

bool is_in(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || folder.ends_with('/') || path[folder.size()] == '/';
}

bool share_a_name(std::string_view a, std::string_view b) {
  return a != b && uncut_project_name(a) == uncut_project_name(b);
}

}  // namespace

std::string uncut_project_name(std::string_view working_folder) {
  std::string name;
  while (!working_folder.empty()) {
    const std::string_view piece = first_units(working_folder, kLongestName);
    name += project_folder_name(piece);
    working_folder.remove_prefix(piece.size());
  }
  return name;
}

NameMatch match_project_name(std::string_view project, std::string_view working_folder) {
  if (project == project_folder_name(working_folder)) return NameMatch::yes;
  const std::string whole = uncut_project_name(working_folder);
  const bool cut_alike = whole.size() > kLongestName &&
                         project.starts_with(whole.substr(0, kLongestName)) &&
                         project.substr(kLongestName).starts_with('-');
  return cut_alike ? NameMatch::perhaps : NameMatch::no;
}

bool is_of_another_folder(const std::string& cwd, const std::string& working_folder,
                          const std::vector<std::string>& own) {
  const bool at_home = std::any_of(own.begin(), own.end(),
                                   [&](const std::string& path) { return is_in(cwd, path); });
  if (at_home || !share_a_name(cwd, working_folder)) return false;
  std::error_code failed;
  const auto other = std::filesystem::canonical(cwd, failed);
  if (failed) return false;
  const auto here = std::filesystem::canonical(working_folder, failed);
  return share_a_name(other.string(), failed ? working_folder : here.string());
}

}  // namespace parley::history
