#include "json_rpc.hpp"

#include <algorithm>
#include <utility>

namespace parley::detail {
namespace {

/// A schema or a result that the user wrote over several lines. Between the quotes of a string an
/// end of line is escaped, so those that are left are blanks.
RawJson on_one_line(RawJson value) {
  std::replace_if(
      value.text.begin(), value.text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return value;
}

}  // namespace

JsonRpcMessage rpc_result(const JsonRpcMessage& request, RawJson result) {
  JsonRpcMessage message;
  message.id = request.id;
  message.result = on_one_line(std::move(result));
  return message;
}

JsonRpcMessage rpc_error(const JsonRpcMessage& request, std::int64_t code, std::string text) {
  JsonRpcMessage message;
  message.id = request.id.value_or(RawJson("null"));
  JsonRpcError error;
  error.code = code;
  error.message = std::move(text);
  message.error = std::move(error);
  return message;
}

JsonRpcMessage rpc_notification(std::string method, RawJson params) {
  JsonRpcMessage message;
  message.method = std::move(method);
  message.params = on_one_line(std::move(params));
  return message;
}

JsonRpcMessage rpc_request(RawJson id, std::string method, RawJson params) {
  JsonRpcMessage message = rpc_notification(std::move(method), std::move(params));
  message.id = std::move(id);
  return message;
}

}  // namespace parley::detail
