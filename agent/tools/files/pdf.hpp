// PDF files for the model: whole as a document, or single pages as pictures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../tool.hpp"

namespace parley::agent {

struct PageRange {
  int first = 1, last = 1;
};

/// "3" or "1-5", counted from 1.
[[nodiscard]] std::optional<PageRange> parse_pages(std::string_view text);

/// The answer of Read for a PDF. `shown` is the name the model used.
[[nodiscard]] ToolOutput read_pdf(const ToolCall& call, const std::filesystem::path& file,
                                  const std::string& shown, std::optional<PageRange> pages);

}  // namespace parley::agent
