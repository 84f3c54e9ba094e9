// A tool whose input has a type of wire/tool_inputs.hpp: decodes it once for every member.
#pragma once

#include "../../wire/codec.hpp"
#include "../../wire/tool_inputs.hpp"
#include "tool.hpp"
#include "tool_state.hpp"

namespace parley::agent {

template <class Input>
class TypedTool : public Tool {
 public:
  [[nodiscard]] Result<void> check(const ToolCall& call) const final {
    Result<Input> input = call.input.as<Input>();
    if (!input) return {};  // run() says it
    return examine(*input, call);
  }
  [[nodiscard]] Intent intent(const ToolCall& call) const final {
    Result<Input> input = call.input.as<Input>();
    return intent_of(input ? *input : Input{}, call);
  }
  [[nodiscard]] ToolOutput run(const ToolCall& call) const final {
    Result<Input> input = call.input.as<Input>();
    if (!input) return ToolOutput::error(input.error().what(), true);
    return perform(*input, call);
  }

 protected:
  // check(), intent() and run() with the input decoded.
  [[nodiscard]] virtual Result<void> examine(const Input& /*input*/,
                                             const ToolCall& /*call*/) const {
    return {};
  }
  [[nodiscard]] virtual Intent intent_of(const Input& /*input*/, const ToolCall& /*call*/) const {
    return {};
  }
  [[nodiscard]] virtual ToolOutput perform(const Input& input, const ToolCall& call) const = 0;

  static Error refusal(std::string text) { return {ErrorCode::kInvalid, std::move(text)}; }
};

}  // namespace parley::agent
