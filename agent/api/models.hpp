// The models by name: aliases, limits, and what they can do. A name that is not here is passed on
// as it is, because the endpoint may know models that this build does not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::agent {

inline constexpr std::string_view kDefaultModel = "claude-opus-5-5";
/// For small side jobs: titles, summaries of pages.
inline constexpr std::string_view kSmallModel = "claude-haiku-5-5";

enum class ThinkingKind {
  none,
  budget,    ///< Wants a number of tokens to think with.
  adaptive,  ///< Decides by itself, led by the effort.
};

/// A value; the texts live for ever.
struct ModelInfo {
  std::string_view canonical;  ///< "claude-haiku-4-5" of claude-haiku-4-5-20251001; else empty.
  std::int64_t context_window = 1'000'000;
  std::int64_t max_output_tokens = 32'000;
  ThinkingKind thinking = ThinkingKind::adaptive;
  std::string_view effort = "high";  ///< By default; empty: the model takes none.

  [[nodiscard]] bool known() const { return !canonical.empty(); }
};

/// The limits of a full name; `[1m]` at its end asks for the large context window. A model that
/// nobody knows is taken for one of today's.
[[nodiscard]] ModelInfo model_info(std::string_view model);

/// The full name behind "default", "opus", "sonnet", "haiku", "fable" or "opusplan" (which is opus
/// while planning and sonnet otherwise), in any case; other names, retired models aside, stay as
/// they are. `[1m]` is kept where the model has a choice.
[[nodiscard]] std::string resolve_model(std::string_view name, bool planning = false);

/// What the API wants to hear: without `[1m]`.
[[nodiscard]] std::string_view api_model(std::string_view model);

}  // namespace parley::agent
