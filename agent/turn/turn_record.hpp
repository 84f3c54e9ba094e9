// What a turn has come to so far. At its end this becomes its result.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "../../wire/messages/messages.hpp"

namespace parley::agent {

/// How long a turn takes, and how much of that the API.
struct TurnClock {
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::chrono::milliseconds in_api{0};
  // When something happened for the first time, in milliseconds since the start.
  std::optional<double> request_ms;  ///< The model was asked.
  std::optional<double> stream_ms;   ///< It began to answer,
  std::optional<double> content_ms;  ///< with a block,
  std::optional<double> first_token_ms;

  /// Notes that it has happened now, if it has not before.
  void note(std::optional<double>& when) const;
};

/// Of the thread that runs the turn.
struct TurnRecord {
  std::string prompt_id;  ///< By which transcripts and hooks know what belongs to the turn.
  TurnClock clock;
  ResultMessage result;
  Usage usage;                 ///< Of all responses.
  std::int64_t responses = 0;  ///< Of the model.
  std::int64_t turns = 1;      ///< As the result counts them.
  std::int64_t refusals = 0;   ///< Responses that the model broke off for safety.
  bool cancelled = false;

  /// For a turn that starts now.
  [[nodiscard]] static TurnRecord begin();
};

/// The tokens of `more` added to `sum`.
void add_usage(Usage& sum, const Usage& more);

}  // namespace parley::agent
