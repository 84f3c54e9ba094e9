// Field tables of wire/messages/stream.hpp.
#pragma once

#include "../messages/stream.hpp"
#include "content.hpp"

namespace parley {

PARLEY_FIELDS(TextDelta, text)
PARLEY_FIELDS(InputJsonDelta, partial_json)
PARLEY_FIELDS(ThinkingDelta, thinking)
PARLEY_FIELDS(SignatureDelta, signature)
PARLEY_FIELDS(CitationsDelta, citation)
constexpr auto parley_cases(Tag<BlockDelta>) {
  return make_cases<BlockDelta>(
      "BlockDelta", "type", "", on<TextDelta>("text_delta"), on<InputJsonDelta>("input_json_delta"),
      on<ThinkingDelta>("thinking_delta"), on<SignatureDelta>("signature_delta"),
      on<CitationsDelta>("citations_delta"));
}

PARLEY_FIELDS(MessageStart, message)
PARLEY_FIELDS(ContentBlockStart, index, content_block)
PARLEY_FIELDS(ContentBlockDelta, index, delta)
PARLEY_FIELDS(ContentBlockStop, index)
PARLEY_FIELDS(MessageChange, stop_reason, stop_sequence, stop_details, container)
PARLEY_FIELDS(MessageDelta, delta, usage, context_management)
PARLEY_FIELDS(MessageStop)
PARLEY_FIELDS(StreamPing)
PARLEY_FIELDS(ApiError, type, message)
PARLEY_FIELDS(StreamError, error)
constexpr auto parley_cases(Tag<ApiEvent>) {
  return make_cases<ApiEvent>(
      "ApiEvent", "type", "", on<StreamPing>("ping"), on<ContentBlockDelta>("content_block_delta"),
      on<ContentBlockStart>("content_block_start"), on<ContentBlockStop>("content_block_stop"),
      on<MessageStart>("message_start"), on<MessageDelta>("message_delta"),
      on<MessageStop>("message_stop"), on<StreamError>("error"));
}

}  // namespace parley
