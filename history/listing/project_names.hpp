// Working folders and the names of their project folders. A name is made by replacing characters,
// so that different working folders can share one; and a long one is cut, and how it ends then
// depends on the program that wrote it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::history {

/// The name before it is cut.
[[nodiscard]] std::string uncut_project_name(std::string_view working_folder);

/// Whether a project folder carries the name of a working folder.
enum class NameMatch { no, yes, perhaps };  ///< Perhaps: equal as far as it was not cut.
[[nodiscard]] NameMatch match_project_name(std::string_view project,
                                           std::string_view working_folder);

/// Whether a session that ran in `cwd` belongs to another folder than `working_folder`, although
/// both give the same name: only if that other folder still exists, and lies in none of `own`.
[[nodiscard]] bool is_of_another_folder(const std::string& cwd, const std::string& working_folder,
                                        const std::vector<std::string>& own);

}  // namespace parley::history
