#include "agent/tools/tool.hpp"

#include "agent/tools/schema/input_check.hpp"

namespace parley::agent {

ToolOutput ToolOutput::success(std::string text, const Json& result) {
  ToolOutput output;
  output.content = std::move(text);
  output.result = RawJson(result.dump());
  return output;
}

ToolOutput ToolOutput::error(std::string text, bool wrapped) {
  ToolOutput output;
  output.is_error = true;
  output.result = RawJson(Json("Error: " + text).dump());
  output.content =
      wrapped ? "<tool_use_error>" + std::move(text) + "</tool_use_error>" : std::move(text);
  return output;
}

ToolOutput ToolOutput::bad_input(const Error& error) {
  ToolOutput output;
  output.is_error = true;
  output.result = RawJson(Json(error.context()).dump());
  output.content = "<tool_use_error>" + error.message() + "</tool_use_error>";
  return output;
}

RawJson Tool::normal_input(const RawJson& input) const {
  return coerce_input(input_schema(), input);
}

}  // namespace parley::agent
