// The session's name, and what runs it.
#include "agent/control/requests.hpp"
#include "agent/version.hpp"

namespace parley::agent::requests {

ControlReply rename_session(ControlContext& context, const control::RenameSession& request) {
  context.title.rename(request.title);
  return no_body();
}

ControlReply get_binary_version(ControlContext& /*context*/,
                                const control::GetBinaryVersion& /*request*/) {
  return body(Json::object({{"version", kBehavesLike}}));
}

ControlReply set_has_subscribers(ControlContext& /*context*/,
                                 const control::SetHasSubscribers& /*request*/) {
  return no_body();
}

}  // namespace parley::agent::requests
