// All tools, by name, and which of them a session offers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/input_check.hpp"
#include "tool.hpp"

namespace parley::agent {

/// When a session has a tool.
enum class Offered {
  default_,
  needs_asking,  ///< By default, but only where there is somebody to ask.
  search,        ///< When `--tools` names it, or when there is no Bash to search with.
  named,         ///< When `--tools` names it.
  retired,       ///< Known, but offered only when `--tools` names it and none of its successors.
  gone,          ///< Unknown to the recorded version; offered when `--tools` names it.
};

/// In the order in which the model and `system/init` list them. Lives as long as the program.
[[nodiscard]] const std::vector<std::unique_ptr<Tool>>& all_tools();
/// By name or by an older name; null if there is none.
[[nodiscard]] const Tool* find_tool(std::string_view name);
[[nodiscard]] Offered offered(const Tool& tool);

struct OfferOptions {
  std::optional<std::vector<std::string>> tools;  ///< --tools; "default" stands for those.
  std::vector<std::string> disallowed;            ///< Whole tools that are taken away.
  bool can_ask = false;                           ///< There is a permission prompt tool.
};
/// The tools of a session, in order.
[[nodiscard]] std::vector<const Tool*> offered_tools(const OfferOptions& options);

/// What a call of a tool that is not offered is answered, without the wrapping: "Error: No such
/// tool available: X", with the hint that it is disabled if it is one that exists.
[[nodiscard]] std::string no_such_tool(std::string_view name);

}  // namespace parley::agent
