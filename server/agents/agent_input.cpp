#include "server/agents/agent_input.hpp"

#include "client/handlers/permissions.hpp"
#include "wire/codec/codec.hpp"
#include "wire/ids.hpp"

namespace parley::server {

Result<Prompt> make_prompt(const std::string& client_id, const Json& content) {
  if (!is_session_id(client_id)) return Error(ErrorCode::invalid, "must be a UUID", "client_id");
  Prompt prompt;
  if (content.is_string()) {
    if (content.as_string().empty()) return Error(ErrorCode::invalid, "is empty", "content");
    prompt = Prompt(content.as_string());
  } else if (content.is_array() && !content.items().empty()) {
    auto blocks = decode<std::vector<ContentBlock>>(content.dump());
    if (!blocks) return Error(ErrorCode::invalid, blocks.error().what(), "content");
    prompt = Prompt(*std::move(blocks));
  } else {
    return Error(ErrorCode::invalid, "must be a text or a list of content blocks", "content");
  }
  prompt.uuid = client_id;
  return prompt;
}

namespace {

Result<PermissionAnswer> decision_of(const PermissionAsk& ask, const Json& answer) {
  const std::string_view behavior = answer["behavior"].as_string();
  if (behavior == "deny") {
    PermissionAnswer decision = deny(std::string(answer["message"].as_string("The user said no.")));
    if (answer["interrupt"].as_bool()) decision.and_stop();
    return decision;
  }
  if (behavior != "allow") {
    return Error(ErrorCode::invalid, "must be \"allow\" or \"deny\"", "answer.behavior");
  }
  PermissionAnswer decision = allow();
  if (const Json* input = answer.find("updatedInput")) {
    if (!input->is_object()) {
      return Error(ErrorCode::invalid, "must be an object", "answer.updatedInput");
    }
    decision.with_input(RawJson(input->dump()));
  }
  if (const Json* changes = answer.find("updatedPermissions")) {
    auto updates = decode<std::vector<PermissionUpdate>>(changes->dump());
    if (!updates) {
      return Error(ErrorCode::invalid, updates.error().what(), "answer.updatedPermissions");
    }
    // The builder copies suggestions as they are; these may be some of them, or edited ones.
    PermissionAsk chosen = ask;
    chosen.permission_suggestions = *std::move(updates);
    decision.with_changes(PermissionChanges().suggested(chosen));
  }
  return decision;
}

}  // namespace

Result<RawJson> make_answer(const control::CanUseTool& ask, const Json& answer) {
  PermissionAsk asked;
  static_cast<control::CanUseTool&>(asked) = ask;
  const auto decision = decision_of(asked, answer);
  if (!decision) return decision.error();
  return RawJson(encode(decision->wire(asked)));
}

Result<PermissionMode> check_mode(std::string_view name, bool bypass) {
  const auto mode = Enum<PermissionMode>(name).known();
  if (!mode) {
    return Error(ErrorCode::invalid, "there is no permission mode of that name", std::string(name));
  }
  if (*mode == PermissionMode::bypassPermissions && !bypass) {
    return Error(ErrorCode::permission,
                 "is not offered here: parley serve was started without --allow-bypass",
                 std::string(name));
  }
  return *mode;
}

Error agent_not_running() { return {ErrorCode::closed, "the agent of this session does not run"}; }

}  // namespace parley::server
