// Makes JSON-RPC messages, each of which fits on one line. Internal to Parley.
#pragma once

#include <cstdint>
#include <string>

#include "mcp.hpp"

namespace parley::detail {

[[nodiscard]] JsonRpcMessage rpc_result(const JsonRpcMessage& request, RawJson result);
/// To a message without an id, the answer says that it is for none: the message was no request that
/// could be read.
[[nodiscard]] JsonRpcMessage rpc_error(const JsonRpcMessage& request, std::int64_t code,
                                       std::string text);
[[nodiscard]] JsonRpcMessage rpc_notification(std::string method, RawJson params);
[[nodiscard]] JsonRpcMessage rpc_request(RawJson id, std::string method, RawJson params);

}  // namespace parley::detail
