// Who decides what a model answers.
#pragma once

#include <string>

#include "turn.hpp"

namespace parley::model {

struct Choice {
  Turn turn;
  std::string label;  ///< For the record: which turn of a script, or what else it was.
};

/// Called from the threads of the server.
class TurnSource {
 public:
  virtual ~TurnSource() = default;
  /// The answer to a request, which is the body of a POST to /v1/messages.
  virtual Choice choose(const Json& request) = 0;
};

}  // namespace parley::model
