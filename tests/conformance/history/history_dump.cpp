// Prints everything that our history module reads below a root, as one JSON object in the shape in
// which sdk_dump.mjs prints what the official SDK reads there.
#include <iostream>
#include <string>

#include "history/conversation/transcript.hpp"
#include "history/listing/listing.hpp"
#include "wire/codec/codec.hpp"

namespace {

using namespace parley;
using namespace parley::history;

template <class T>
Json to_json(const T& value) {
  return Json::parse(encode(value)).value();
}

Json info_json(const SessionInfo& info) {
  Json json = to_json(info);
  for (const char* ours : {"root", "project", "costUSD", "messages", "programmatic"}) {
    json.erase(ours);
  }
  return json;
}

Json messages_json(const Result<Page>& page) {
  Json list = Json::array();
  for (const Message& message : page.value().messages) list.push(to_json(message));
  return list;
}

Json session_json(const Scope& scope, const SessionInfo& info) {
  const SessionPlace place = info.place();
  Json session = Json::object({{"info", info_json(session_info(scope, info.sessionId).value())}});
  session.set("messages", messages_json(read_messages(place)));
  session.set("withSystem", messages_json(read_messages(place, {.include_system = true})));
  session.set("page", messages_json(read_messages(place, {.offset = 1, .limit = 2})));
  Json agents = Json::object();
  Report report;
  for (const Subagent& agent : list_subagents(place, report).value()) {
    agents.set(agent.agent_id, messages_json(read_subagent_messages(place, agent.agent_id)));
  }
  session.set("subagents", agents);
  return session;
}

}  // namespace

int main(int argc, char** argv) {
  Json all = Json::object();
  for (int i = 1; i < argc; ++i) {
    const Scope scope{{argv[i]}};
    const Listing listing = list_sessions({.scope = scope});
    Json sessions = Json::object(), list = Json::array();
    for (const SessionInfo& info : listing.sessions) {
      list.push(info_json(info));
      sessions.set(info.sessionId, session_json(scope, info));
    }
    all.set(argv[i], Json::object({{"list", list}, {"sessions", sessions}}));
  }
  std::cout << all.dump() << '\n';
}
