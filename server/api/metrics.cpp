#include "server/api/metrics.hpp"

namespace parley::server {

std::string metrics_text(const Hub& hub, std::size_t connections) {
  const Meters& m = hub.meters();
  struct Line {
    const char* name;
    const char* type;
    const char* help;
    std::uint64_t value;
  };
  const Line lines[] = {
      {"parley_sessions", "gauge", "Sessions known to the hub.", hub.session_count()},
      {"parley_agents", "gauge", "Agents that run.", hub.live_count()},
      {"parley_connections", "gauge", "Open HTTP connections.", connections},
      {"parley_events_total", "counter", "Events recorded.", m.events},
      {"parley_event_bytes_total", "counter", "Bytes of events recorded.", m.event_bytes},
      {"parley_prompts_total", "counter", "Prompts accepted.", m.prompts},
      {"parley_requests_total", "counter", "Permission requests of agents.", m.requests},
      {"parley_answers_total", "counter", "Permission requests that were answered.", m.answers},
      {"parley_agents_started_total", "counter", "Agents started.", m.agents_started},
      {"parley_agents_failed_total", "counter", "Agents that failed.", m.agents_failed},
      {"parley_catch_ups_total", "counter", "Events that found a client too slow.", m.catch_ups},
  };
  std::string text;
  for (const Line& line : lines) {
    const std::string name = line.name;
    text += "# HELP " + name + " " + line.help + "\n# TYPE " + name + " " + line.type + "\n" +
            name + " " + std::to_string(line.value) + "\n";
  }
  return text;
}

}  // namespace parley::server
