// The tools that one conversation has: what the model is offered, and what the calls share. The
// session's own is SessionTools; a subagent has a smaller one.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tool.hpp"

namespace parley::agent {

/// Who uses a tool keeps it: a client may replace the one for structured output at any time, and an
/// MCP server those that it offers.
using SharedTool = std::shared_ptr<const Tool>;

/// Implementations are thread-safe.
class ToolSet {
 public:
  virtual ~ToolSet() = default;

  /// What the model is offered, in order.
  [[nodiscard]] virtual std::vector<SharedTool> offered() const = 0;
  /// The tool behind a name, or behind an older name of it, offered or not: it knows how a call is
  /// to be understood. Null if there is none.
  [[nodiscard]] virtual SharedTool known(std::string_view name) const = 0;
  /// Whether the model is not told about the tool before it has looked for it. It may be called all
  /// the same.
  [[nodiscard]] virtual bool is_deferred(const Tool& /*tool*/) const { return false; }
  /// The offered one for structured output; null without a JSON schema.
  [[nodiscard]] virtual SharedTool structured_output() const = 0;
  /// What the calls share.
  [[nodiscard]] virtual ToolState& state() const = 0;

  /// An offered tool, by its name or an older one; null if there is none.
  [[nodiscard]] SharedTool find(std::string_view name) const;
};

}  // namespace parley::agent
