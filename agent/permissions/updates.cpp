#include "agent/permissions/updates.hpp"

#include <algorithm>
#include <type_traits>

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxEntries = 4096;

template <class T>
constexpr bool kChangesRules = std::is_same_v<T, AddRules> || std::is_same_v<T, ReplaceRules> ||
                               std::is_same_v<T, RemoveRules>;
template <class T>
constexpr bool kChangesFolders =
    std::is_same_v<T, AddDirectories> || std::is_same_v<T, RemoveDirectories>;

const auto& variant_of(const PermissionUpdate& update) {
  return static_cast<const std::variant<AddRules, ReplaceRules, RemoveRules, SetMode,
                                        AddDirectories, RemoveDirectories, Unknown>&>(update);
}

/// The member, made if it is missing. Null if it is there in another shape.
Json* member(Json& object, std::string_view key, Json empty) {
  if (auto* found = object.find(key)) return found->kind() == empty.kind() ? found : nullptr;
  object.set(key, std::move(empty));
  return object.find(key);
}

Error other_shape(std::string_view key) {
  return {ErrorCode::unexpected, "the settings hold something else here",
          "permissions." + std::string(key)};
}

void add_text(Json& list, const std::string& text) {
  const auto& items = std::as_const(list).items();
  const bool there = std::any_of(items.begin(), items.end(),
                                 [&](const Json& item) { return item.as_string() == text; });
  if (!there) list.push(text);
}

bool same(const PermissionRule& a, const PermissionRule& b) {
  return a.toolName == b.toolName && a.ruleContent == b.ruleContent;
}

}  // namespace

Enum<PermissionDestination> destination_of(const PermissionUpdate& update) {
  return std::visit(
      [](const auto& each) -> Enum<PermissionDestination> {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, Unknown>) {
          return PermissionDestination::session;
        } else {
          return each.destination;
        }
      },
      variant_of(update));
}

Result<void> check_update(const PermissionUpdate& update) {
  return std::visit(
      [](const auto& each) -> Result<void> {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, Unknown>) {
          return Error(ErrorCode::invalid, "unknown permission update", each.type);
        } else {
          if (!each.destination.known()) {
            return Error(ErrorCode::invalid, "unknown destination",
                         std::string(each.destination.text()));
          }
          if constexpr (kChangesRules<T>) {
            if (!each.behavior.known()) {
              return Error(ErrorCode::invalid, "unknown behavior",
                           std::string(each.behavior.text()));
            }
            if (each.rules.size() > kMaxEntries)
              return Error(ErrorCode::too_large, "too many rules");
            for (const auto& rule : each.rules) {
              if (rule.toolName.empty()) return Error(ErrorCode::invalid, "a rule names no tool");
            }
          }
          if constexpr (kChangesFolders<T>) {
            if (each.directories.size() > kMaxEntries) {
              return Error(ErrorCode::too_large, "too many folders");
            }
            for (const auto& folder : each.directories) {
              if (folder.empty()) return Error(ErrorCode::invalid, "a folder has no name");
            }
          }
          return {};
        }
      },
      variant_of(update));
}

void update_state(PermissionState& state, const PermissionUpdate& update, const fs::path& root) {
  const auto path = [&](const std::string& text) { return (root / text).lexically_normal(); };
  std::visit(
      [&](const auto& each) {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, SetMode>) {
          state.mode = each.mode;
        } else if constexpr (kChangesRules<T>) {
          const auto is_here = [&](const Rule& rule) {
            return rule.behavior == each.behavior && rule.from == each.destination;
          };
          if constexpr (std::is_same_v<T, ReplaceRules>) std::erase_if(state.rules, is_here);
          for (const auto& named : each.rules) {
            // The words of a rule mean the same here and in a settings file.
            const auto rule = parse_rule(format_rule(named));
            std::erase_if(state.rules,
                          [&](const Rule& old) { return is_here(old) && same(old.rule, rule); });
            if constexpr (!std::is_same_v<T, RemoveRules>) {
              state.rules.push_back({rule, each.behavior, each.destination});
            }
          }
        } else if constexpr (kChangesFolders<T>) {
          for (const auto& text : each.directories) {
            std::erase_if(state.folders, [&](const Folder& folder) {
              return folder.path == path(text) && folder.from == each.destination;
            });
            if constexpr (std::is_same_v<T, AddDirectories>) {
              state.folders.push_back({path(text), each.destination});
            }
          }
        }
      },
      variant_of(update));
}

Result<void> update_settings(Json& settings, const PermissionUpdate& update) {
  return std::visit(
      [&](const auto& each) -> Result<void> {
        using T = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<T, Unknown>) {
          return {};
        } else {
          Json* permissions = member(settings, "permissions", Json::object());
          if (!permissions) return other_shape("");
          if constexpr (std::is_same_v<T, SetMode>) {
            permissions->set("defaultMode", each.mode.text());
          } else if constexpr (kChangesRules<T>) {
            Json* list = member(*permissions, each.behavior.text(), Json::array());
            if (!list) return other_shape(each.behavior.text());
            if constexpr (std::is_same_v<T, ReplaceRules>) *list = Json::array();
            for (const auto& rule : each.rules) {
              if constexpr (std::is_same_v<T, RemoveRules>) {
                std::erase_if(list->items(), [&](const Json& item) {
                  return same(parse_rule(item.as_string()), parse_rule(format_rule(rule)));
                });
              } else {
                add_text(*list, format_rule(rule));
              }
            }
          } else {
            Json* list = member(*permissions, "additionalDirectories", Json::array());
            if (!list) return other_shape("additionalDirectories");
            for (const auto& folder : each.directories) {
              if constexpr (std::is_same_v<T, AddDirectories>) {
                add_text(*list, folder);
              } else {
                std::erase_if(list->items(),
                              [&](const Json& item) { return item.as_string() == folder; });
              }
            }
          }
          return {};
        }
      },
      variant_of(update));
}

}  // namespace parley::agent
