// What is said to the agent.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../support/random.hpp"
#include "../support/text/base64.hpp"
#include "../wire/messages/content.hpp"

namespace parley {

enum class MessagePriority : std::int16_t;

/// One user message: text, or text with images and files. A value.
struct Prompt {
  std::vector<ContentBlock> content;
  /// Names the message (files().rewind(), cancel_message()); made up if empty.
  std::string uuid;
  /// When it is taken up if the agent is busy.
  std::optional<MessagePriority> priority;
  /// False only adds it to the conversation; the agent does not answer.
  bool query = true;
  /// The agent takes it literally: no slash command, no @file.
  bool verbatim = false;

  Prompt();
  Prompt(std::string text);
  Prompt(std::string_view text);
  Prompt(const char* text);
  Prompt(std::vector<ContentBlock> blocks);
  Prompt(const Prompt&);
  Prompt(Prompt&&) noexcept;
  Prompt& operator=(const Prompt&);
  Prompt& operator=(Prompt&&) noexcept;
  ~Prompt();

  Prompt& add_text(std::string text);
  /// `bytes` as they are; they travel as base64.
  Prompt& add_image(std::string_view bytes, std::string media_type);
  /// An image (PNG, JPEG, GIF, WebP), a PDF or a text file, told apart by its content. The error
  /// names the file.
  Result<void> add_file(const std::filesystem::path& file);
};

}  // namespace parley
