#include "agent/api/models.hpp"

#include <algorithm>
#include <array>

#include "support/text/text.hpp"

namespace parley::agent {
namespace {

constexpr std::string_view kLarge = "[1m]";
constexpr std::int64_t kMillion = 1'000'000;

struct Row {
  std::string_view prefix;  ///< Of the full name; a date or "-latest" may follow.
  ModelInfo info;
};

// As the real CLI 2.1.325 reports them in modelUsage and asks for them. A longer name stands before
// its own prefix.
constexpr auto kModels = std::to_array<Row>({
    {"claude-opus-5-5", {"claude-opus-5-5", kMillion, 128'000, ThinkingKind::adaptive, "medium"}},
    {"claude-sonnet-5-5",
     {"claude-sonnet-5-5", kMillion, 128'000, ThinkingKind::adaptive, "medium"}},
    {"claude-haiku-5-5", {"claude-haiku-5-5", kMillion, 128'000, ThinkingKind::adaptive, "medium"}},
    {"claude-fable-5-2", {"claude-fable-5-2", kMillion, 128'000, ThinkingKind::adaptive, "medium"}},
    {"claude-fable-5", {"claude-fable-5", kMillion, 64'000, ThinkingKind::adaptive, "high"}},
    {"claude-opus-5", {"claude-opus-5", kMillion, 64'000, ThinkingKind::adaptive, "high"}},
    {"claude-sonnet-5", {"claude-sonnet-5", kMillion, 64'000, ThinkingKind::adaptive, "high"}},
    {"claude-opus-4-7", {"claude-opus-4-7", kMillion, 64'000, ThinkingKind::adaptive, "xhigh"}},
    {"claude-opus-4-6", {"claude-opus-4-6", 200'000, 64'000, ThinkingKind::adaptive, "high"}},
    {"claude-opus-4-5", {"claude-opus-4-5", 200'000, 32'000, ThinkingKind::budget, "high"}},
    {"claude-sonnet-4-6", {"claude-sonnet-4-6", 200'000, 32'000, ThinkingKind::adaptive, "high"}},
    {"claude-sonnet-4-5", {"claude-sonnet-4-5", 200'000, 32'000, ThinkingKind::budget, ""}},
    {"claude-sonnet-4", {"claude-sonnet-4-0", 200'000, 32'000, ThinkingKind::budget, ""}},
    {"claude-haiku-4-5", {"claude-haiku-4-5", 200'000, 32'000, ThinkingKind::budget, ""}},
    {"claude-3-7-sonnet", {"claude-3-7-sonnet", 200'000, 32'000, ThinkingKind::none, ""}},
    {"claude-3-5-haiku", {"claude-3-5-haiku", 200'000, 8'192, ThinkingKind::none, ""}},
});

struct Alias {
  std::string_view name, model;
};
constexpr auto kAliases = std::to_array<Alias>({
    {"default", kDefaultModel},
    {"opus", "claude-opus-5-5"},
    {"sonnet", "claude-sonnet-5-5"},
    {"haiku", "claude-haiku-5-5"},
    {"fable", "claude-fable-5-2"},
    {"opusplan", "claude-sonnet-5-5"},
    // Retired; the real CLI goes to their successor too.
    {"claude-opus-4-1", "claude-opus-5-5"},
    {"claude-opus-4-1-20250805", "claude-opus-5-5"},
    {"claude-opus-4-0", "claude-opus-5-5"},
    {"claude-opus-4-20250514", "claude-opus-5-5"},
});

bool is_version(std::string_view rest) {
  if (rest.empty() || rest == "-latest" || rest == "-0") return true;
  return rest.size() == 9 && rest[0] == '-' &&
         std::all_of(rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string_view api_model(std::string_view model) {
  if (lower(model).ends_with(kLarge)) model.remove_suffix(kLarge.size());
  return model;
}

ModelInfo model_info(std::string_view model) {
  const std::string_view name = api_model(model);
  const bool large = name.size() != model.size();
  for (const Row& row : kModels) {
    if (!name.starts_with(row.prefix) || !is_version(name.substr(row.prefix.size()))) continue;
    ModelInfo info = row.info;
    if (large) info.context_window = std::max(info.context_window, kMillion);
    return info;
  }
  return {};
}

std::string resolve_model(std::string_view name, bool planning) {
  const bool large = api_model(name).size() != name.size();
  const std::string wanted = lower(api_model(name));
  if (wanted == "opusplan" && planning) return resolve_model(large ? "opus[1m]" : "opus");
  const auto* alias = std::find_if(kAliases.begin(), kAliases.end(),
                                   [&](const Alias& row) { return row.name == wanted; });
  if (alias == kAliases.end()) return std::string(name);
  std::string model(alias->model);
  if (large && model_info(model).context_window < kMillion) model += kLarge;
  return model;
}

}  // namespace parley::agent
