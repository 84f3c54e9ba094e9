// What the tools that change files have in common: what is known of the file before, writing it,
// and the words about it after.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "../tool.hpp"
#include "../tool_state.hpp"
#include "files.hpp"

namespace parley::agent {

/// The largest file that is edited.
inline constexpr std::uint64_t kMostEdited = std::uint64_t{64} << 20;

/// A file that a call is about to change.
struct EditedFile {
  std::filesystem::path path;
  bool exists = false;
  FileText before;
  bool known = false;  ///< The conversation shows it to the model...
  bool stale = false;  ///< ... but it has changed since it was read.

  [[nodiscard]] bool current() const { return known && !stale; }
};

/// Reads it. The error is for the model; a file that is not there is none.
[[nodiscard]] Result<EditedFile> open_edited(const ToolCall& call, const std::string& path);

/// Writes the text in the form it was stored in and notes it, if the model now knows all of it.
[[nodiscard]] Result<void> save_edited(const ToolCall& call, const EditedFile& file,
                                       const std::string& text, const TextForm& form,
                                       bool knows_it);

/// What follows the word that it was done: whether the model has to read the file again.
[[nodiscard]] std::string context_note(const EditedFile& file);
inline constexpr const char* kCurrentNote =
    " (file state is current in your context \u2014 no need to Read it back)";

[[nodiscard]] std::string missing_file_text(const ToolCall& call);

}  // namespace parley::agent
