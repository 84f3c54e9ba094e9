// Prompts of an MCP server in the program itself: texts that a user picks from a list, and fills
// in.
//
//   struct ReviewArgs { std::string file; };
//   PARLEY_FIELDS(ReviewArgs, file)
//
//   server.add(mcp_prompt("review", "Reviews a file",
//                         [](const ReviewArgs& x) { return "Review " + x.file; }));
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../wire/codec/codec.hpp"
#include "../handlers/declarations.hpp"
#include "resources.hpp"

namespace parley {

/// The messages that a prompt stands for. A text becomes one message of the user.
class PromptOutput {
 public:
  PromptOutput() = default;
  PromptOutput(std::string text);
  PromptOutput(const char* text) : PromptOutput(std::string(text)) {}
  PromptOutput(mcp::GetPromptResult result) : result_(std::move(result)) {}

  PromptOutput& add_text(std::string text, mcp::Role role = mcp::Role::user);
  /// `bytes` as they are; they travel as base64.
  PromptOutput& add_image(std::string_view bytes, std::string media_type,
                          mcp::Role role = mcp::Role::user);
  PromptOutput& add_resource(mcp::ResourceContents contents, mcp::Role role = mcp::Role::user);

  [[nodiscard]] const mcp::GetPromptResult& wire() const { return result_; }

 private:
  mcp::GetPromptResult result_;
};

/// A prompt: what the client is told about it, and the function behind. A value.
struct PromptDefinition {
  mcp::Prompt description;
  /// `arguments` is an object of strings. Each request runs a copy of it, because several may run
  /// at the same time.
  std::function<Result<PromptOutput>(const RawJson& arguments)> get;
  Complete complete;  ///< May be empty.

  /// Changes this one and gives it back.
  PromptDefinition& completing(Complete function) &;
  PromptDefinition completing(Complete function) && {
    return std::move(completing(std::move(function)));
  }
};

namespace detail {

/// The members of a struct, from its schema.
[[nodiscard]] std::vector<mcp::PromptArgument> prompt_arguments(const Json& schema);

template <class F>
struct PromptParameter : PromptParameter<decltype(&F::operator())> {};
template <class C, class R, class A>
struct PromptParameter<R (C::*)(A) const> {
  using type = std::remove_cvref_t<A>;
};
template <class C, class R, class A>
struct PromptParameter<R (C::*)(A)> : PromptParameter<R (C::*)(A) const> {};

}  // namespace detail

/// A prompt from a function, which takes nothing or a described struct whose members are strings;
/// those that may be left out are std::optional. It returns anything that a PromptOutput is made
/// from.
template <class F>
[[nodiscard]] PromptDefinition mcp_prompt(std::string name, std::string about, F function) {
  PromptDefinition made;
  made.description.name = std::move(name);
  made.description.description = std::move(about);
  if constexpr (std::is_invocable_v<F&>) {
    made.get = [function = std::move(function)](const RawJson&) mutable -> Result<PromptOutput> {
      return PromptOutput(function());
    };
  } else {
    using Arguments = typename detail::PromptParameter<F>::type;
    static_assert(Described<Arguments>, "a prompt's argument is a struct with PARLEY_FIELDS");
    made.description.arguments = detail::prompt_arguments(schema_of<Arguments>());
    made.get = [function =
                    std::move(function)](const RawJson& raw) mutable -> Result<PromptOutput> {
      auto arguments = decode<Arguments>(raw.text);
      if (!arguments) return arguments.error();
      return PromptOutput(function(*std::move(arguments)));
    };
  }
  return made;
}

}  // namespace parley
