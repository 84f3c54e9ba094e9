// What a session keeps of a prompt whose turn somebody holds. Internal to client/.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "message_queue.hpp"

namespace parley::detail {

struct TurnState {
  TurnState(std::string uuid, MessageQueue::Salvage salvage, Unread& unread)
      : prompt(std::move(uuid)), queue(std::move(salvage), unread) {}

  const std::string prompt;  ///< Its uuid.
  /// The messages of the turn, the last one its result. Empty where messages go elsewhere
  /// (DeliveryOptions::on_message, DeliveryOptions::line_stream).
  MessageQueue queue;
  /// Somebody waits for a message, and what others have not read is in the way.
  std::atomic<bool> stuck{false};

  // With the lock of the session held.
  bool dropped = false;     ///< Nobody holds it: its messages are nobody's.
  std::size_t waiting = 0;  ///< Threads that wait for a message.
  /// How the turn ended.
  std::optional<ResultMessage> result;
  /// Why there will be no result, unless the session has ended.
  std::optional<Error> error;
  std::uint64_t number = 0;  ///< Of the result, in the order of their coming.
};

}  // namespace parley::detail
