// A tool whose input has a type of wire/tools/inputs.hpp: decodes it once for every member.
#pragma once

#include "../../wire/codec/codec.hpp"
#include "../../wire/tools/inputs.hpp"
#include "tool.hpp"
#include "tool_state.hpp"

namespace parley::agent {

template <class Input>
class TypedTool : public Tool {
 public:
  [[nodiscard]] Result<void> check(const ToolCall& call) const final {
    Result<Input> input = call.input.as<Input>();
    if (!input) return {};  // run() says it
    if (has_null_byte(*input)) return refusal(kNullByte);
    return examine(*input, call);
  }
  [[nodiscard]] Intent intent(const ToolCall& call) const final {
    Result<Input> input = call.input.as<Input>();
    return intent_of(input ? *input : Input{}, call);
  }
  [[nodiscard]] ToolOutput run(const ToolCall& call) const final {
    Result<Input> input = call.input.as<Input>();
    if (!input) return ToolOutput::error(input.error().what(), true);
    if (has_null_byte(*input)) return ToolOutput::error(kNullByte, true);
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

  static Error refusal(std::string text) { return {ErrorCode::invalid, std::move(text)}; }

 private:
  static constexpr const char* kNullByte = "A path or command must not contain null bytes.";

  /// The system would read a name only up to there, and not the one that was judged.
  static bool has_null_byte(const Input& input) {
    const auto has = [](const auto& text) {
      if constexpr (requires { text.value_or(""); }) {
        return text.value_or("").find('\0') != std::string::npos;
      } else {
        return text.find('\0') != std::string::npos;
      }
    };
    bool found = false;
    if constexpr (requires { input.file_path; }) found = found || has(input.file_path);
    if constexpr (requires { input.notebook_path; }) found = found || has(input.notebook_path);
    if constexpr (requires { input.path; }) found = found || has(input.path);
    if constexpr (requires { input.command; }) found = found || has(input.command);
    return found;
  }
};

}  // namespace parley::agent
