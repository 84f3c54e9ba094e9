// What is asked of the model, and its JSON with the marks that let the server cache the unchanging
// front of a conversation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../wire/json/json.hpp"
#include "../../wire/messages/content.hpp"

namespace parley::agent {

struct ToolDefinition {
  std::string name;
  std::string description;
  Json input_schema;
};

/// A value. What is not set is as usual for the model.
struct ApiRequest {
  std::string model;                ///< A full name, with or without `[1m]`.
  std::vector<std::string> system;  ///< Text blocks, what changes least first; empty ones left out.
  std::vector<MessageParam> messages;
  std::vector<ToolDefinition> tools;
  std::optional<std::int64_t> max_tokens;
  std::optional<std::string> thinking;          ///< "adaptive", "enabled" or "disabled".
  std::optional<std::int64_t> thinking_tokens;  ///< A budget; 0 switches thinking off.
  std::optional<std::string> effort;
  std::string session_id;  ///< Told to the API as metadata; empty: nothing is.
  std::optional<RawJson> tool_choice;
  std::vector<std::string> stop_sequences;
  std::optional<double> temperature;
  bool stream = true;
  bool cache = true;  ///< Mark the last system block, tool and user message for the cache.

  /// The JSON of the request. Cache marks that the messages came with are replaced by ours, because
  /// the API takes only four in all.
  [[nodiscard]] std::string body() const;
  /// What of the request needs a beta header.
  [[nodiscard]] std::vector<std::string> betas() const;
};

}  // namespace parley::agent
