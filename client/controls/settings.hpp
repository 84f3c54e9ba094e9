// session.settings(): the settings of a running session, and what is loaded because of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../wire/messages/catalog.hpp"
#include "../session.hpp"

namespace parley {

// Whoever calls what takes or gives these includes wire/control/control.hpp.
namespace control {
enum class SettingsSource : std::int16_t;
struct GetHooksListingReply;
struct GetSettingsReply;
struct ListPermissionRulesReply;
struct ReloadPluginsReply;
}  // namespace control

class SettingsControls : public SessionView {
 public:
  using SessionView::SessionView;

  /// The settings that count, and which file each part of them comes from.
  Result<control::GetSettingsReply> get();
  /// Lays a JSON object over the settings for the rest of this session; no file changes.
  Result<void> apply(RawJson settings);
  /// Writes a JSON object into one of the settings files.
  Result<void> update(control::SettingsSource file, RawJson settings);
  /// The hooks that are configured, those of files and plugins included.
  Result<control::GetHooksListingReply> hooks();
  /// The rules that decide what runs unasked, and where each comes from.
  Result<control::ListPermissionRulesReply> permission_rules();

  /// Reads plugins again, e.g. after one was installed: what there is now.
  Result<control::ReloadPluginsReply> reload_plugins();
  /// Reads skills again: what there is now.
  Result<std::vector<SlashCommand>> reload_skills();
  /// Reads output styles again: their names.
  Result<std::vector<std::string>> reload_output_styles();
  /// Changes variables of the running CLI. The names that it took: 2.1.38 takes all, and its
  /// commands see them; 2.1.325 takes only credentials, such as CLAUDE_CODE_OAUTH_TOKEN.
  Result<std::vector<std::string>> update_environment(Map<std::string> variables);
};

}  // namespace parley
