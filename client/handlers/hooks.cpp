#include "client/handlers/hooks.hpp"

namespace parley {

HookOutput block(std::string reason) {
  HookOutput output;
  output.decision = HookDecision::block;
  output.reason = std::move(reason);
  return output;
}

HookOutput stop_turn(std::string reason) {
  HookOutput output;
  output.continue_ = false;
  output.stopReason = std::move(reason);
  return output;
}

std::string_view never_delivered(std::string_view event) {
  if (event == "SessionStart") {
    return "the CLI runs SessionStart before a program can listen; connect() and the first "
           "SystemInit message tell the same";
  }
  if (event == "SessionEnd") {
    return "the CLI runs SessionEnd after it has stopped listening; the end of receive() tells the "
           "same";
  }
  if (event == "Setup") {
    return "the CLI runs Setup before a program can listen; use a hook in a settings file";
  }
  if (event == "Notification") {
    return "the CLI sends no Notification to a program; permission requests and Notification "
           "messages tell the same";
  }
  return {};
}

Hooks& Hooks::on_event(std::string event, HookFilter filter, HookHandler handler) {
  if (const auto reason = never_delivered(event); !reason.empty()) {
    throw Error(ErrorCode::invalid, "this hook would never run: " + std::string(reason), event);
  }
  if (!handler) throw Error(ErrorCode::invalid, "the hook has no handler", event);
  entries_.push_back({std::move(event), std::move(filter), std::move(handler)});
  return *this;
}

}  // namespace parley
