// The events of a session as they stand in the log and go to clients (docs/server.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/json/json.hpp"

namespace parley::server::events {

/// What an event of the agent begins with; the message and '}' follow.
inline constexpr std::string_view kAgentHead = R"({"kind":"agent","message":)";

/// `message` is one line of the wire.
[[nodiscard]] std::string agent(std::string_view message);
/// The message of an agent event, or an empty text if it is another kind.
[[nodiscard]] std::string_view agent_message(std::string_view event);

/// The bytes of a member of a JSON object, which is known to be valid: the last one of this name,
/// as in JSON.parse. Empty if there is none.
[[nodiscard]] std::string_view member(std::string_view object, std::string_view name);

[[nodiscard]] std::string prompt(std::string_view client_id, const Json& content,
                                 std::string_view by);
[[nodiscard]] std::string taken_back(std::string_view client_id);
/// Prompts that were found in the agent's own record.
[[nodiscard]] std::string delivered(const std::vector<std::string>& client_ids);
/// `request` is the body of a can_use_tool request, in the bytes in which it came.
[[nodiscard]] std::string request(std::string_view request_id, std::string_view request);
/// `answer` may be null. `reason`: "answered", "withdrawn" or "lost".
[[nodiscard]] std::string resolved(std::string_view request_id, const Json& answer,
                                   std::string_view reason);
/// `detail` is left out if it is null.
[[nodiscard]] std::string state(std::string_view state, const Json& detail);
/// An object with any of model, mode, title, cwd, agent_session, new_agent_session.
[[nodiscard]] std::string settings(const Json& settings);
/// Something that the agent said or has on record, and that no client will see. `reason`:
/// "too_long", "unreadable", "earlier", "damaged", "forgotten". `detail` says more, in words;
/// `beginning` is as much of it as there is to show, in any bytes. Both may be empty.
[[nodiscard]] std::string left_out(std::string_view reason, std::string_view detail,
                                   std::string_view beginning);

/// What a client gets: {"type":"event","session":ID,"seq":N,"time":MS,"event":E}
[[nodiscard]] std::string frame(std::string_view session, std::uint64_t seq, std::int64_t time,
                                std::string_view event);

}  // namespace parley::server::events
