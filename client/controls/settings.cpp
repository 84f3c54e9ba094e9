#include "client/controls/settings.hpp"

#include "client/session/typed_request.hpp"

namespace parley {

using detail::done;
using detail::part_of;
using detail::typed_request;

Result<control::GetSettingsReply> SettingsControls::get() {
  return typed_request(*impl_, control::GetSettings{});
}

Result<void> SettingsControls::apply(RawJson settings) {
  control::ApplyFlagSettings body;
  body.settings = std::move(settings);
  return done(typed_request(*impl_, std::move(body)));
}

Result<void> SettingsControls::update(control::SettingsSource file, RawJson settings) {
  control::UpdateSettings body;
  body.source = file;
  body.settings = std::move(settings);
  return done(typed_request(*impl_, std::move(body)));
}

Result<control::GetHooksListingReply> SettingsControls::hooks() {
  return typed_request(*impl_, control::GetHooksListing{});
}

Result<control::ListPermissionRulesReply> SettingsControls::permission_rules() {
  return typed_request(*impl_, control::ListPermissionRules{});
}

Result<control::ReloadPluginsReply> SettingsControls::reload_plugins() {
  auto reply = typed_request(*impl_, control::ReloadPlugins{});
  if (reply && reply->commands) impl_->keep_commands(*reply->commands);
  return reply;
}

Result<std::vector<SlashCommand>> SettingsControls::reload_skills() {
  return part_of(typed_request(*impl_, control::ReloadSkills{}),
                 &control::ReloadSkillsReply::skills);
}

Result<std::vector<std::string>> SettingsControls::reload_output_styles() {
  return part_of(typed_request(*impl_, control::ReloadOutputStyles{}),
                 &control::ReloadOutputStylesReply::available_output_styles);
}

Result<std::vector<std::string>> SettingsControls::update_environment(Map<std::string> variables) {
  UpdateEnvironmentVariables message;
  message.variables = std::move(variables);
  std::vector<std::string> names;
  for (const auto& [name, value] : message.variables) names.push_back(name);
  // Only CLIs that tell their version in the answer to `initialize` answer this one at all.
  const bool answers = impl_->with_state(
      [](const auto& impl) { return impl.init_reply() && impl.init_reply()->claude_code_version; });
  if (!answers) {
    const auto sent = impl_->write_line(encode_message(Message(std::move(message))));
    if (!sent) return sent.error();
    return names;
  }
  const auto raw = impl_->exchange(
      [&message](const std::string& id) {
        message.request_id = id;
        return encode_message(Message(message));
      },
      "update_environment_variables", std::nullopt);
  if (!raw) return raw.error();
  const auto json = raw->json();
  if (!json) return json.error();
  names.clear();
  const Json& applied = (*json)["applied"];
  if (!applied.is_array()) return names;
  for (const Json& name : applied.items()) names.emplace_back(name.as_string());
  return names;
}

}  // namespace parley
