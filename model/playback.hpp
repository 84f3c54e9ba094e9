// A script that is being played: each turn is given once, unless it repeats.
#pragma once

#include <mutex>
#include <vector>

#include "script.hpp"
#include "turn_source.hpp"

namespace parley::model {

/// Turns are tried in order, and the first that fits is taken. Turns without a condition fit every
/// request that has tools; requests without tools are side business of a client (titles and the
/// like).
class Playback final : public TurnSource {
 public:
  explicit Playback(Script script);
  Choice choose(const Json& request) override;

 private:
  std::mutex mutex_;
  Script script_;
  std::vector<bool> used_;
};

}  // namespace parley::model
