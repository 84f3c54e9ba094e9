// Resources of an MCP server in the program itself: what a client can read by its address.
//
//   server.add(resource("notes:///today", "today", "Today's note", [] { return read_note(); }));
//   server.add(resource_template("notes:///{day}", "note", "The note of a day",
//                                [](const ResourceRequest& ask) { return note(ask["day"]); }));
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../wire/mcp/serving.hpp"
#include "../handlers/declarations.hpp"

namespace parley {

/// What is asked for.
struct ResourceRequest {
  std::string uri;
  /// What stands for the variables of a template, decoded.
  std::vector<std::pair<std::string, std::string>> variables;
  std::stop_token stop;  ///< Stopped when the agent cancels the request or the session ends.

  /// The value of a variable; empty if there is none of that name.
  [[nodiscard]] std::string operator[](std::string_view variable) const;
};

/// What a resource holds. Address and media type are those of its description, unless said here.
class ResourceOutput {
 public:
  ResourceOutput(std::string text);
  ResourceOutput(const char* text) : ResourceOutput(std::string(text)) {}
  ResourceOutput(mcp::ReadResourceResult result) : result_(std::move(result)) {}
  /// `bytes` as they are; they travel as base64.
  static ResourceOutput bytes(std::string_view bytes);

  [[nodiscard]] const mcp::ReadResourceResult& wire() const { return result_; }

 private:
  mcp::ReadResourceResult result_;
};

/// `not_found` means that there is no such resource; another error, or an exception, that reading
/// it failed. Each request runs a copy of it, because several may run at the same time.
using ReadResource = std::function<Result<ResourceOutput>(const ResourceRequest&)>;
/// What could be meant: the name of the argument, and what has been typed so far.
using Complete =
    std::function<std::vector<std::string>(const std::string& argument, const std::string& value)>;

/// A resource: what the client is told about it, and the function behind. A value.
struct ResourceDefinition {
  mcp::Resource description;
  ReadResource read;

  /// Changes this one and gives it back.
  ResourceDefinition& typed(std::string media_type) &;
  ResourceDefinition typed(std::string media_type) && {
    return std::move(typed(std::move(media_type)));
  }
};

/// Resources whose addresses differ in a few places. A value.
struct ResourceTemplateDefinition {
  mcp::ResourceTemplate description;
  ReadResource read;
  Complete complete;  ///< May be empty.

  ResourceTemplateDefinition& typed(std::string media_type) &;
  ResourceTemplateDefinition typed(std::string media_type) && {
    return std::move(typed(std::move(media_type)));
  }
  ResourceTemplateDefinition& completing(Complete function) &;
  ResourceTemplateDefinition completing(Complete function) && {
    return std::move(completing(std::move(function)));
  }
};

namespace detail {

template <class F, class... Argument>
Result<ResourceOutput> read_resource_with(F& function, const Argument&... argument) {
  using Given = std::invoke_result_t<F&, const Argument&...>;
  if constexpr (std::is_convertible_v<Given, Result<ResourceOutput>>) {
    return function(argument...);
  } else {
    return ResourceOutput(function(argument...));
  }
}

template <class F>
ReadResource resource_reader(F function) {
  return [function = std::move(function)](const ResourceRequest& ask) mutable {
    if constexpr (std::is_invocable_v<F&, const ResourceRequest&>) {
      return read_resource_with(function, ask);
    } else {
      return read_resource_with(function);
    }
  };
}

[[nodiscard]] ResourceDefinition make_resource(std::string uri, std::string name, std::string about,
                                               ReadResource read);
[[nodiscard]] ResourceTemplateDefinition make_resource_template(std::string uri, std::string name,
                                                                std::string about,
                                                                ReadResource read);

}  // namespace detail

/// A resource from a function, which takes a `const ResourceRequest&` if it wants one, and returns
/// anything that a ResourceOutput is made from, or a Result of one.
template <class F>
[[nodiscard]] ResourceDefinition resource(std::string uri, std::string name, std::string about,
                                          F function) {
  return detail::make_resource(std::move(uri), std::move(name), std::move(about),
                               detail::resource_reader(std::move(function)));
}

/// The same for all addresses that fit the template. `{name}` stands for one or more characters
/// other than `/`, `?` and `#`, `{+name}` for any; a variable ends where the text behind it begins.
/// Throws Error(`invalid`) for what else RFC 6570 has.
template <class F>
[[nodiscard]] ResourceTemplateDefinition resource_template(std::string uri, std::string name,
                                                           std::string about, F function) {
  return detail::make_resource_template(std::move(uri), std::move(name), std::move(about),
                                        detail::resource_reader(std::move(function)));
}

}  // namespace parley
