// What Prometheus reads from /metrics.
#pragma once

#include <string>

#include "server/sessions/hub.hpp"

namespace parley::server {

/// On the hub's loop.
[[nodiscard]] std::string metrics_text(const Hub& hub, std::size_t connections);

}  // namespace parley::server
