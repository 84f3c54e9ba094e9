// A turn as the Messages API says it: as one message, or as the events of a stream. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "turn.hpp"

namespace parley::model {

/// What an answer takes from its request and its place in the conversation.
struct AnswerHead {
  std::uint64_t number = 1;  ///< Of the answers of this server, from 1.
  std::string model;         ///< The one that was asked for.

  [[nodiscard]] std::string message_id() const;
  [[nodiscard]] std::string request_id() const;
};

struct Event {
  std::string text;       ///< With its blank line at the end.
  bool is_delta = false;  ///< Of a content block.
};

[[nodiscard]] Json whole_message(const Turn& turn, const AnswerHead& head);
[[nodiscard]] std::vector<Event> events(const Turn& turn, const AnswerHead& head);

/// The body of an error answer.
[[nodiscard]] Json error_body(std::string_view type, std::string_view message);

}  // namespace parley::model
