// Puts the events of a streaming answer together into blocks, for live display. What a whole
// `assistant` message says about a block replaces what was assembled: it is the truth.
#pragma once

#include <vector>

#include "stream.hpp"

namespace parley {

/// A block as far as it has come.
struct PartialBlock {
  std::int64_t index = 0;
  ContentBlock block;
  /// The input of a tool call as text, which is no valid JSON before the block has stopped.
  std::string partial_json;
  bool stopped = false;  ///< No more deltas will come.
  bool settled = false;  ///< Taken from a whole message.

  bool operator==(const PartialBlock&) const = default;
};

/// Follows one stream of answers: the main conversation, or one subagent. Events that do not fit
/// (a delta for a block that never started, a stop twice) change nothing.
class MessageAssembler {
 public:
  /// Takes the next event. The block it changed, or null; valid until the next call.
  const PartialBlock* apply(const ApiEvent& event);
  /// Takes a whole message, which on the wire holds one block. The first block of its kind that is
  /// not settled yet becomes it; without such a block (nothing was streamed) it is appended.
  void settle(const ApiMessage& message);

  /// Between message_start and message_stop.
  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] const std::vector<PartialBlock>& blocks() const { return blocks_; }
  /// Id, model, stop reason and usage as far as they are known, with the blocks as content.
  [[nodiscard]] ApiMessage message() const;

 private:
  PartialBlock* find(std::int64_t index);
  const PartialBlock* start_message(const MessageStart& event);
  const PartialBlock* start_block(const ContentBlockStart& event);
  const PartialBlock* grow_block(const ContentBlockDelta& event);
  const PartialBlock* stop_block(std::int64_t index);
  void change_message(const MessageDelta& event);

  ApiMessage head_;  ///< The message without its content.
  std::vector<PartialBlock> blocks_;
  bool active_ = false;
};

}  // namespace parley
