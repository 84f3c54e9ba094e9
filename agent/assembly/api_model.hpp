// The model behind the Messages API, as turns and side jobs ask it.
#pragma once

#include "../api/api_client.hpp"
#include "../session/config/session_config.hpp"
#include "../turn/turn_context.hpp"

namespace parley::agent {

/// Where the API is and what to log in with, by the environment, the settings and the flags.
[[nodiscard]] ApiAccess api_access(const SessionConfig& config);

/// Thread-safe.
class ApiModel final : public ModelClient {
 public:
  explicit ApiModel(ApiAccess access) : client_(std::move(access)) {}

  ApiOutcome stream(const ApiRequest& request, std::stop_token stop, const OnEvent& on_event,
                    std::string& request_id) override;
  ApiOutcome send(const ApiRequest& request, std::stop_token stop) override;
  [[nodiscard]] const ApiAccess& access() const override { return client_.access(); }

  /// One question to the model for side jobs; what it costs is added to `cost`.
  [[nodiscard]] Result<std::string> ask_small_model(const std::string& question, SessionCost& cost,
                                                    const std::stop_token& stop);

 private:
  ApiClient client_;
};

}  // namespace parley::agent
