// Tools in the program itself: MCP servers without a process.
//
//   struct AddArgs { double a, b; };
//   PARLEY_FIELDS(AddArgs, a, b)
//
//   McpServer calculator("calc");
//   calculator.add(tool("add", "Adds two numbers", [](AddArgs x) { return x.a + x.b; }));
//   options.tools.in_process.push_back(calculator);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../wire/codec/codec.hpp"
#include "../../wire/mcp/mcp.hpp"
#include "../../wire/mcp/serving.hpp"
#include "declarations.hpp"

namespace parley {

/// What a tool gives back: text, images, structured data, or an error for the model to read.
class ToolOutput {
 public:
  ToolOutput() = default;
  ToolOutput(std::string text);
  ToolOutput(const char* text) : ToolOutput(std::string(text)) {}
  ToolOutput(mcp::CallToolResult result) : result_(std::move(result)) {}
  /// A number or truth value becomes its text.
  template <class T>
  requires(std::is_arithmetic_v<T>) ToolOutput(T value) : ToolOutput(encode(value)) {}
  /// A described struct becomes structured content, and its JSON the text beside it.
  template <Described T>
  ToolOutput(const T& value) : ToolOutput(structured(to_raw(value))) {}

  /// The tool failed; the model reads why and may try again.
  static ToolOutput error(std::string message);
  static ToolOutput structured(RawJson value);

  ToolOutput& add_text(std::string text);
  /// `bytes` as they are; they travel as base64.
  ToolOutput& add_image(std::string_view bytes, std::string media_type);
  ToolOutput& add_audio(std::string_view bytes, std::string media_type);
  /// What a resource holds, as a part of the result.
  ToolOutput& add_resource(mcp::ResourceContents contents);

  [[nodiscard]] const mcp::CallToolResult& wire() const { return result_; }

 private:
  mcp::CallToolResult result_;
};

/// The client that made a call, as far as a tool may speak to it. The SDK implements it; a test of
/// a tool may bring its own. Thread-safe.
class ToolClient {
 public:
  virtual ~ToolClient() = default;
  virtual void log(mcp::LoggingParams message) = 0;
  virtual Result<mcp::ElicitResult> elicit(const mcp::ElicitParams& form,
                                           const std::stop_token& stop) = 0;
  virtual Result<mcp::CreateMessageResult> sample(const mcp::CreateMessageParams& conversation,
                                                  const std::stop_token& stop) = 0;
};

/// What a running call may use. Valid during the call.
class ToolContext {
 public:
  using Progress = std::function<void(double, std::optional<double>, std::string)>;

  ToolContext(std::stop_token stop, std::string tool_use_id, Progress progress,
              ToolClient* client = nullptr)
      : stop_(std::move(stop)),
        tool_use_id_(std::move(tool_use_id)),
        progress_(std::move(progress)),
        client_(client) {}

  /// Stopped when the agent cancels the call, when Deadlines::tool is over, and when the session
  /// ends.
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }
  /// The tool_use block that made the call; empty if the agent did not say.
  [[nodiscard]] const std::string& tool_use_id() const { return tool_use_id_; }
  /// Says how far the call is; no-op if the agent does not want to know.
  void progress(double done, std::optional<double> total = std::nullopt, std::string message = {}) {
    if (progress_) progress_(done, total, std::move(message));
  }
  /// A message for the client's log; no-op if the client has asked for graver ones only.
  void log(mcp::LoggingLevel level, std::string_view text, std::string logger = {});
  /// Asks the user at the client to fill in a form, and waits for the answer. `invalid` if the
  /// client has not said that it can do so, `cancelled` when the call is stopped, `closed` when the
  /// client is gone, `remote` if it refuses.
  [[nodiscard]] Result<mcp::ElicitResult> elicit(const mcp::ElicitParams& form);
  /// Asks the client's model to go on with a conversation. Waits and fails like elicit().
  [[nodiscard]] Result<mcp::CreateMessageResult> sample(
      const mcp::CreateMessageParams& conversation);

 private:
  std::stop_token stop_;
  std::string tool_use_id_;
  Progress progress_;
  ToolClient* client_;
};

/// A tool: what the model is told about it, and the function behind. A value.
struct ToolDefinition {
  mcp::Tool description;
  /// `arguments` is the raw input. An error is told to the model as the tool's failure, as is an
  /// exception. Calls may run at the same time.
  std::function<Result<ToolOutput>(const RawJson& arguments, ToolContext& context)> call;

  /// Hints for the agent, e.g. that the tool only reads. Changes this one and gives it back.
  ToolDefinition& annotated(mcp::ToolAnnotations annotations) &;
  ToolDefinition annotated(mcp::ToolAnnotations annotations) && {
    return std::move(annotated(std::move(annotations)));
  }
};

namespace detail {

/// A schema whose root is the object itself, as MCP wants it, not a reference to one.
Json inline_root(Json schema);

template <class F>
struct ToolArgument : ToolArgument<decltype(&F::operator())> {};
template <class C, class R, class A, class... Rest>
struct ToolArgument<R (C::*)(A, Rest...) const> {
  using type = std::remove_cvref_t<A>;
  static constexpr bool with_context = sizeof...(Rest) > 0;
};
template <class C, class R, class A, class... Rest>
struct ToolArgument<R (C::*)(A, Rest...)> : ToolArgument<R (C::*)(A, Rest...) const> {};

}  // namespace detail

/// A tool from a function over a described struct. The JSON schema comes from the struct's table
/// (`.doc("…")` in it describes a member to the model), and input that does not fit is answered
/// with the place and the reason, before the function is called.
///
/// The function takes the struct, and a ToolContext& if it wants one; it returns anything that a
/// ToolOutput is made from. Each call runs a copy of it, because calls may run at the same time:
/// what is to last between calls lies outside of it.
template <class F>
[[nodiscard]] ToolDefinition tool(std::string name, std::string about, F function) {
  using Traits = detail::ToolArgument<F>;
  using Arguments = typename Traits::type;
  static_assert(Described<Arguments>, "a tool's argument is a struct with PARLEY_FIELDS");
  ToolDefinition made;
  made.description.name = std::move(name);
  made.description.description = std::move(about);
  made.description.inputSchema = RawJson(detail::inline_root(schema_of<Arguments>()).dump());
  made.call = [function = std::move(function)](const RawJson& raw,
                                               ToolContext& context) mutable -> Result<ToolOutput> {
    auto arguments = decode<Arguments>(raw.text);
    if (!arguments) return arguments.error();
    if constexpr (Traits::with_context) {
      return ToolOutput(function(*std::move(arguments), context));
    } else {
      return ToolOutput(function(*std::move(arguments)));
    }
  };
  return made;
}

/// A tool whose schema is written by hand and whose input stays raw.
[[nodiscard]] ToolDefinition raw_tool(
    std::string name, std::string about, RawJson input_schema,
    std::function<Result<ToolOutput>(const RawJson&, ToolContext&)> function);

}  // namespace parley
