#include "server/events/events.hpp"

#include "support/text/utf8.hpp"
#include "wire/json/reader.hpp"

namespace parley::server::events {
namespace {

/// Of something that was left out: enough to see what it was.
constexpr std::size_t kShownBytes = 256;

}  // namespace

std::string agent(std::string_view message) {
  std::string event;
  event.reserve(kAgentHead.size() + message.size() + 1);
  event += kAgentHead;
  event += message;
  event += '}';
  return event;
}

std::string_view agent_message(std::string_view event) {
  if (!event.starts_with(kAgentHead) || !event.ends_with('}')) return {};
  event.remove_prefix(kAgentHead.size());
  event.remove_suffix(1);
  return event;
}

std::string_view member(std::string_view object, std::string_view name) {
  JsonReader reader(object);
  std::string_view found;
  std::string key;
  std::string_view value;
  if (!reader.eat('{')) return {};
  do {
    key.clear();
    if (!reader.string(key) || !reader.eat(':') || !reader.skip(value)) return found;
    if (key == name) found = value;
  } while (reader.eat(','));
  return found;
}

std::string prompt(std::string_view client_id, const Json& content, std::string_view by) {
  return Json::object(
             {{"kind", "prompt"}, {"client_id", client_id}, {"content", content}, {"by", by}})
      .dump();
}

std::string taken_back(std::string_view client_id) {
  return Json::object({{"kind", "taken_back"}, {"client_id", client_id}}).dump();
}

std::string delivered(const std::vector<std::string>& client_ids) {
  Json ids = Json::array();
  for (const std::string& id : client_ids) ids.push(id);
  return Json::object({{"kind", "delivered"}, {"client_ids", ids}}).dump();
}

std::string request(std::string_view request_id, std::string_view request) {
  std::string event = R"({"kind":"request","request_id":)" + Json(request_id).dump();
  event += R"(,"request":)";
  event += request;
  event += '}';
  return event;
}

std::string resolved(std::string_view request_id, const Json& answer, std::string_view reason) {
  return Json::object({{"kind", "resolved"},
                       {"request_id", request_id},
                       {"answer", answer},
                       {"reason", reason}})
      .dump();
}

std::string state(std::string_view state, const Json& detail) {
  Json event = Json::object({{"kind", "state"}, {"state", state}});
  if (!detail.is_null()) event.set("detail", detail);
  return event.dump();
}

std::string settings(const Json& settings) {
  Json event = Json::object({{"kind", "settings"}});
  for (const auto& [name, value] : settings.members()) event.set(name, value);
  return event.dump();
}

std::string left_out(std::string_view reason, std::string_view detail, std::string_view beginning) {
  Json event = Json::object({{"kind", "left_out"}, {"reason", reason}});
  if (!detail.empty()) event.set("detail", detail);
  if (!beginning.empty()) event.set("beginning", to_utf8(beginning.substr(0, kShownBytes)));
  return event.dump();
}

std::string frame(std::string_view session, std::uint64_t seq, std::int64_t time,
                  std::string_view event) {
  std::string out;
  out.reserve(event.size() + session.size() + 96);
  out += R"({"type":"event","session":")";
  out += session;
  out += R"(","seq":)";
  out += std::to_string(seq);
  out += R"(,"time":)";
  out += std::to_string(time);
  out += R"(,"event":)";
  out += event;
  out += '}';
  return out;
}

}  // namespace parley::server::events
