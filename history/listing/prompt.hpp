// What a user line says: the prompt as it is shown in lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../../wire/json/json.hpp"

namespace parley::history {

/// The prompt of a user entry on one line, cut at 200 characters. No value if the entry holds none:
/// tool results, meta lines, output of commands. The name of a slash command goes to
/// `command_name` (the first one stays), because it is a title only when there is nothing better.
[[nodiscard]] std::optional<std::string> prompt_of(const Json& entry, std::string& command_name);

/// The first prompt in a piece of transcript; else the first slash command; else empty.
[[nodiscard]] std::string first_prompt(std::string_view lines);

/// "Image" or "Document" if that is all that the first user line holds; else empty.
[[nodiscard]] std::string_view first_attachment(std::string_view lines);

/// When a person sent the prompt in this entry, in milliseconds since 1970; no value if the entry
/// is no prompt of a person.
[[nodiscard]] std::optional<std::int64_t> time_of_human_prompt(const Json& entry);

/// Takes the next line off the front of `lines`.
[[nodiscard]] std::string_view take_line(std::string_view& lines);
/// Takes the last line off the end of `lines`.
[[nodiscard]] std::string_view take_last_line(std::string_view& lines);

/// Whether `text` holds "key":value, with or without a space before the value.
[[nodiscard]] bool has_member(std::string_view text, std::string_view key, std::string_view value);

}  // namespace parley::history
