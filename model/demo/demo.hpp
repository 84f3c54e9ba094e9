// A small rule-based "model" for trying things out without a key: it understands a dozen kinds of
// prompt, calls real tools, and answers to what they return. It says that it is a demo.
#pragma once

#include "../turn_source.hpp"

namespace parley::model {

/// Without state: everything is decided from the messages of the request, so that a conversation
/// can be resumed, forked and continued on another server.
class Demo final : public TurnSource {
 public:
  Choice choose(const Json& request) override;
};

}  // namespace parley::model
