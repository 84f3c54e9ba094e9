#include "agent/control/control.hpp"

#include <algorithm>
#include <array>

#include "agent/control/requests.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley::agent {
namespace {

using Handler = void (*)(ControlContext& context, const ControlBody& body,
                         const Responder& responder);

struct Row {
  std::size_t kind;  ///< Of the request, as ControlBody counts them.
  Handler handle;
};

/// The request that a function of requests.hpp serves.
template <class Function>
struct Served;
template <class T>
struct Served<ControlReply (*)(ControlContext&, const T&)> {
  using Request = T;
};
template <class T>
struct Served<void (*)(ControlContext&, const T&, const Responder&)> {
  using Request = T;
};

template <auto kFunction>
void serve(ControlContext& context, const ControlBody& body, const Responder& responder) {
  using Request = typename Served<decltype(kFunction)>::Request;
  const auto& request = std::get<Request>(body);
  if constexpr (std::is_invocable_v<decltype(kFunction), ControlContext&, const Request&>) {
    responder.send(kFunction(context, request));
  } else {
    kFunction(context, request, responder);
  }
}

template <class T, class... Kinds>
constexpr std::size_t kind_of(const std::variant<Kinds...>*) {
  constexpr std::array kSame{std::is_same_v<T, Kinds>...};
  return static_cast<std::size_t>(std::find(kSame.begin(), kSame.end(), true) - kSame.begin());
}

template <auto kFunction>
constexpr Row row() {
  using Request = typename Served<decltype(kFunction)>::Request;
  return {kind_of<Request>(static_cast<const ControlBody*>(nullptr)), serve<kFunction>};
}

constexpr std::array kTable{
    row<requests::initialize>(),
    row<requests::interrupt>(),
    row<requests::cancel_async_message>(),
    row<requests::end_session>(),
    row<requests::set_model>(),
    row<requests::set_max_thinking_tokens>(),
    row<requests::list_models>(),
    row<requests::set_permission_mode>(),
    row<requests::list_permission_rules>(),
    row<requests::register_repo_root>(),
    row<requests::get_settings>(),
    row<requests::update_settings>(),
    row<requests::apply_flag_settings>(),
    row<requests::reload_output_styles>(),
    row<requests::get_hooks_listing>(),
    row<requests::read_file>(),
    row<requests::file_suggestions>(),
    row<requests::seed_read_state>(),
    row<requests::rewind_files>(),
    row<requests::stop_task>(),
    row<requests::background_tasks>(),
    row<requests::get_task_output>(),
    row<requests::get_context_usage>(),
    row<requests::get_usage>(),
    row<requests::get_session_cost>(),
    row<requests::rename_session>(),
    row<requests::get_binary_version>(),
    row<requests::set_has_subscribers>(),
    row<requests::mcp_status>(),
    row<requests::mcp_set_servers>(),
    row<requests::mcp_reconnect>(),
    row<requests::mcp_toggle>(),
    row<requests::mcp_read_resource>(),
    row<requests::mcp_call>(),
    row<requests::mcp_message>(),
    row<requests::reload_skills>(),
    row<requests::reload_plugins>(),
};

/// The name of a request that nobody serves.
std::string subtype_of(const ControlBody& request) {
  if (const auto* unknown = std::get_if<Unknown>(&request)) {
    const std::string& name = unknown->subtype.empty() ? unknown->type : unknown->subtype;
    if (!name.empty()) return name;
  }
  const auto json = Json::parse(encode(request));
  return json ? std::string((*json)["subtype"].as_string("undefined")) : "undefined";
}

}  // namespace

bool handle_request(ControlContext& context, const ControlRequest& request) {
  const Responder responder(context.messages, request.request_id);
  const auto found = std::find_if(kTable.begin(), kTable.end(), [&](const Row& candidate) {
    return candidate.kind == request.request->index();
  });
  if (found != kTable.end()) {
    found->handle(context, *request.request, responder);
  } else {
    responder.send(refuse("Unsupported control request subtype: " + subtype_of(*request.request),
                          "unsupported_request"));
  }
  return !std::holds_alternative<control::EndSession>(*request.request);
}

}  // namespace parley::agent
