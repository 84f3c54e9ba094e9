// Skills and plugins: there are none yet, and that is what a client hears.
#include "agent/control/requests.hpp"

namespace parley::agent::requests {

ControlReply reload_skills(ControlContext& /*context*/, const control::ReloadSkills& /*request*/) {
  return body(Json::object({{"skills", Json::array()}}));
}

ControlReply reload_plugins(ControlContext& /*context*/,
                            const control::ReloadPlugins& /*request*/) {
  return body(Json::object({{"commands", Json::array()},
                            {"agents", Json::array()},
                            {"plugins", Json::array()},
                            {"mcpServers", Json::array()},
                            {"error_count", 0}}));
}

}  // namespace parley::agent::requests
