// Control requests: any at all, and those that a session has by name. More are in groups
// (client/controls).
#include "client/session/typed_request.hpp"

namespace parley {

using detail::done;
using detail::part_of;
using detail::typed_request;

std::string Session::Impl::one_line(const RawJson& text, const Json& value) {
  return text.text.find('\n') == std::string::npos ? text.text : value.dump();
}

Result<RawJson> Session::Impl::request(const RawJson& body, Timeout timeout) {
  // Malformed JSON would end the CLI, so it does not leave this process.
  const auto json = body.json();
  if (!json) return json.error();
  const std::string subtype((*json)["subtype"].as_string());
  if (subtype.empty()) return Error(ErrorCode::invalid, "a control request needs a subtype");
  return request(one_line(body, *json), subtype, timeout);
}

Result<std::optional<std::string>> Session::set_model(std::optional<std::string> model) {
  control::SetModel body;
  body.model = std::move(model);
  return part_of(typed_request(*inside(), std::move(body)), &control::SetModelReply::model);
}

Result<void> Session::set_permission_mode(PermissionMode mode) {
  control::SetPermissionMode body;
  body.mode = mode;
  return done(typed_request(*inside(), std::move(body)));
}

Result<void> Session::set_max_thinking_tokens(std::optional<std::int64_t> tokens) {
  control::SetMaxThinkingTokens body;
  if (tokens) {
    body.max_thinking_tokens = control::Change<std::int64_t>(*tokens);
  } else {
    body.max_thinking_tokens = control::Change<std::int64_t>(std::nullopt);
  }
  return done(typed_request(*inside(), std::move(body)));
}

Result<void> Session::rename(std::string title) {
  control::RenameSession body;
  body.title = std::move(title);
  return done(typed_request(*inside(), std::move(body)));
}

Result<void> Session::set_color(std::string color) {
  control::SetColor body;
  body.color = std::move(color);
  return done(typed_request(*inside(), std::move(body)));
}

Result<void> Session::set_has_subscribers(std::optional<bool> has) {
  control::SetHasSubscribers body;
  if (has) body.has_subscribers = Nullable<bool>(*has);
  return done(typed_request(*inside(), std::move(body)));
}

Result<void> Session::end_session() {
  return done(typed_request(*inside(), control::EndSession{}));
}

}  // namespace parley
