#include "agent/assembly/api_model.hpp"

#include "agent/api/models.hpp"
#include "agent/hooks/shell_command.hpp"
#include "support/text/text.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

/// How long the command of apiKeyHelper may take.
constexpr std::chrono::milliseconds kKeyPatience{60'000};

/// What the command prints. Empty if it fails, which is said on stderr.
std::string find_key(const ShellCommand& command, const std::stop_token& stop) {
  auto end = run_shell_command(command, stop);
  if (!end) {
    complain("apiKeyHelper failed: " + std::string(end.error().what()));
    return {};
  }
  if (end->cancelled) return {};
  const std::string output(trimmed(end->output)), errors(trimmed(end->errors));
  const bool usable =
      end->exit_code == 0 && !end->timed_out && output.find_first_of("\r\n") == std::string::npos;
  if (usable && !output.empty()) return output;
  complain("apiKeyHelper failed: " +
           (end->timed_out        ? "it took too long"
            : end->exit_code != 0 ? "exited " + std::to_string(end->exit_code) + ": " + errors
                                  : "its output is not one line"));
  return {};
}

}  // namespace

ApiAccess api_access(const SessionConfig& config) {
  ApiAccess access = ApiAccess::from(config.variables);
  for (const std::string& beta : config.flags.betas) access.betas.push_back(beta);
  if (config.settings.api_key_helper) {
    ShellCommand command;
    command.command = *config.settings.api_key_helper;
    command.cwd = config.cwd;
    command.environment = config.variables;
    command.timeout = kKeyPatience;
    access.find_key = [command](const std::stop_token& stop) { return find_key(command, stop); };
  }
  return access;
}

ApiOutcome ApiModel::stream(const ApiRequest& request, std::stop_token stop,
                            const OnEvent& on_event, std::string& request_id) {
  return client_.stream(request.body(), stop, on_event, request.betas(), &request_id);
}

ApiOutcome ApiModel::send(const ApiRequest& request, std::stop_token stop) {
  return client_.send("/v1/messages", request.body(), stop, request.betas());
}

Result<std::string> ApiModel::ask_small_model(const std::string& question, SessionCost& cost,
                                              const std::stop_token& stop) {
  ApiRequest request;
  request.model = kSmallModel;
  MessageParam param;
  param.role = "user";
  param.content = question;
  request.messages.push_back(std::move(param));
  request.stream = false;
  const ApiOutcome outcome = client_.send("/v1/messages", request.body(), stop);
  if (!outcome.ok()) return Error(ErrorCode::remote, outcome.message);
  const auto answer = RawJson(outcome.body).as<ApiMessage>();
  if (!answer) return answer.error();
  if (answer->usage) cost.add(request.model, *answer->usage);
  std::string text;
  for (const ContentBlock& block : answer->content) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  }
  return text;
}

}  // namespace parley::agent
