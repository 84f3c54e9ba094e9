// One answer of a scripted model, with everything that may be wrong about it. A plain value.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "../http/message.hpp"
#include "../wire/json/json.hpp"

namespace parley::model {

struct Turn {
  /// The blocks of the answer as in the Messages API. A tool call may have `raw_input` instead of
  /// `input`: text that is streamed as its JSON, malformed or not.
  Json::Array content;
  std::optional<std::string> stop_reason;  ///< Else "tool_use" or "end_turn", as the content says.
  std::optional<std::string> id;           ///< Else numbered.
  std::optional<std::string> model;        ///< Else the one that was asked for.
  Json usage_start = Json::object();       ///< Over the usual figures of message_start.
  Json usage_end = Json::object();         ///< Over those of message_delta.
  std::int64_t output_tokens = 20;
  bool ping = false;  ///< A ping event behind message_start.

  /// An HTTP error instead: the status with `error` as its body, or `raw_body`.
  std::optional<int> status;
  Json error;
  std::optional<std::string> raw_body;
  http::Headers headers;  ///< Added to any answer.

  /// These bytes as the body of a streamed answer instead of events; then the end, or with `hang`
  /// silence.
  std::optional<std::string> raw_sse;
  bool hang = false;

  bool drop = false;  ///< No answer at all: the connection is closed.
  std::chrono::milliseconds delay{0};
  std::size_t chunk = 12;  ///< Characters per delta.
  std::chrono::milliseconds chunk_delay{0};
  /// Counted in events of the stream.
  std::optional<std::size_t> hang_after, cut_after, inject_after;
  std::optional<std::chrono::milliseconds> hang_for;  ///< Then it goes on; else silence for good.
  std::string inject;                                 ///< Raw bytes between two events.
};

/// A text answer.
[[nodiscard]] inline Turn text_turn(std::string_view text) {
  Turn turn;
  turn.content.push_back(Json::object({{"type", "text"}, {"text", text}}));
  return turn;
}

}  // namespace parley::model
