// Acts on what the client says: prompts are queued, requests served, answers passed on to who
// asked.
#pragma once

#include "../connection/reader.hpp"
#include "control_context.hpp"

namespace parley::agent {

/// Of the reader's thread.
class ClientInput final : public InputHandler {
 public:
  explicit ClientInput(ControlContext& context) : context_(context) {}

  void on_prompt(UserMessage prompt) override;
  bool on_request(const ControlRequest& request) override;
  void on_bad_request(const std::string& request_id, const std::string& problem) override;
  void on_response(const ControlResponse& response) override;
  void on_variables(const Variables& variables,
                    const std::optional<std::string>& request_id) override;

 private:
  ControlContext& context_;
};

}  // namespace parley::agent
