// What the model is told before the conversation: our own instructions, the place it works in, and
// the notes that users keep for agents in CLAUDE.md and AGENTS.md.
#pragma once

#include <string>
#include <vector>

#include "session.hpp"

namespace parley::agent {

/// One text per block. Empty if the client wants none.
[[nodiscard]] std::vector<std::string> system_prompt(const Session& session);

/// The notes for agents that count in a folder: the user's own, then from the root of the
/// repository down to the folder. Files larger than a few hundred kilobytes are cut. `files` names
/// them.
[[nodiscard]] std::string read_notes(const std::string& config_folder, const std::string& cwd,
                                     bool user, bool project, std::vector<NoteFile>& files);

/// The style that the settings name, as it is on disk now; the default one if there is none.
[[nodiscard]] OutputStyle find_output_style(const Session& session);
[[nodiscard]] std::vector<std::string> output_style_names(const Session& session);

}  // namespace parley::agent
