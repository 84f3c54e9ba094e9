// Who hears what an agent says. All of it comes in one stream, in the order in which the agent
// wrote it: a question never overtakes the message that it is about.
#pragma once

#include <string>
#include <string_view>

#include "wire/control/replies.hpp"
#include "wire/control/requests.hpp"
#include "wire/messages/messages.hpp"

namespace parley::server {

/// Called on the hub's loop.
class AgentListener {
 public:
  virtual ~AgentListener() = default;

  /// It has answered `initialize`.
  virtual void on_agent_ready(const control::InitializeReply& reply) = 0;
  /// `line` is the message in the bytes in which it came.
  virtual void on_agent_message(const Message& message, std::string_view line) = 0;
  /// It asks whether a tool may run. `request` is the body of the question as it came.
  virtual void on_agent_request(const std::string& id, control::CanUseTool ask,
                                std::string_view request) = 0;
  /// It does not want an answer any more.
  virtual void on_agent_withdrawal(const std::string& request_id) = 0;
  /// A line that is no message, or too long for one; `beginning` is what there is of it.
  virtual void on_agent_bad_line(const Error& error, std::string_view beginning) = 0;
  /// It has ended, well or not. The last that is heard of it.
  virtual void on_agent_end() = 0;
};

}  // namespace parley::server
