// The events of a streaming answer, as the Messages API sends them and the CLI forwards them in
// `stream_event` messages. They are for live display; the `assistant` messages are the truth.
#pragma once

#include "content.hpp"

namespace parley {

struct TextDelta {
  std::string text;
  Extra extra;
  bool operator==(const TextDelta&) const = default;
};
struct InputJsonDelta {
  std::string partial_json;
  Extra extra;
  bool operator==(const InputJsonDelta&) const = default;
};
struct ThinkingDelta {
  std::string thinking;
  Extra extra;
  bool operator==(const ThinkingDelta&) const = default;
};
struct SignatureDelta {
  std::string signature;
  Extra extra;
  bool operator==(const SignatureDelta&) const = default;
};
struct CitationsDelta {
  RawJson citation;
  Extra extra;
  bool operator==(const CitationsDelta&) const = default;
};
struct BlockDelta : std::variant<TextDelta, InputJsonDelta, ThinkingDelta, SignatureDelta,
                                 CitationsDelta, Unknown> {
  PARLEY_UNION(BlockDelta)
};

struct MessageStart {
  Box<ApiMessage> message;
  Extra extra;
  bool operator==(const MessageStart&) const = default;
};
struct ContentBlockStart {
  std::int64_t index = 0;
  ContentBlock content_block;
  Extra extra;
  bool operator==(const ContentBlockStart&) const = default;
};
struct ContentBlockDelta {
  std::int64_t index = 0;
  BlockDelta delta;
  Extra extra;
  bool operator==(const ContentBlockDelta&) const = default;
};
struct ContentBlockStop {
  std::int64_t index = 0;
  Extra extra;
  bool operator==(const ContentBlockStop&) const = default;
};
/// The end of a message: what message_delta changes of it.
struct MessageChange {
  std::optional<std::string> stop_reason;
  std::optional<std::string> stop_sequence;
  std::optional<RawJson> stop_details;
  std::optional<RawJson> container;
  Extra extra;
  bool operator==(const MessageChange&) const = default;
};
struct MessageDelta {
  MessageChange delta;
  Optional<Box<Usage>> usage;
  std::optional<RawJson> context_management;
  Extra extra;
  bool operator==(const MessageDelta&) const = default;
};
struct MessageStop {
  Extra extra;
  bool operator==(const MessageStop&) const = default;
};
struct StreamPing {
  Extra extra;
  bool operator==(const StreamPing&) const = default;
};
struct ApiError {
  std::string type;
  std::optional<std::string> message;
  Extra extra;
  bool operator==(const ApiError&) const = default;
};
struct StreamError {
  ApiError error;
  Extra extra;
  bool operator==(const StreamError&) const = default;
};

/// The smallest one comes first: it is what a fresh ApiEvent holds.
struct ApiEvent : std::variant<StreamPing, ContentBlockDelta, ContentBlockStart, ContentBlockStop,
                               MessageStart, MessageDelta, MessageStop, StreamError, Unknown> {
  PARLEY_UNION(ApiEvent)
};

PARLEY_CODEC(ApiEvent)

}  // namespace parley
