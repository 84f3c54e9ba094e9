// Jupyter notebooks: what the model and a display see of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../../../wire/json/json.hpp"
#include "../tool.hpp"

namespace parley::agent {

/// The name by which a cell is known: its own id, or "cell-N" by its place.
[[nodiscard]] std::string cell_name(const Json& cell, std::size_t index);
/// Where the cell of that name is; nothing if there is none.
[[nodiscard]] std::optional<std::size_t> find_cell(const Json& notebook, std::string_view name);
/// The language of the code cells.
[[nodiscard]] std::string notebook_language(const Json& notebook);
/// A text that may be stored as a list of lines.
[[nodiscard]] std::string joined_text(const Json& text);

/// The answer of Read for a notebook. The error is for the model.
[[nodiscard]] Result<ToolOutput> show_notebook(const std::string& path, std::string_view text);

}  // namespace parley::agent
