#include "agent/tools/structured_output.hpp"

#include "agent/tools/schema/json_schema.hpp"

namespace parley::agent {
namespace {

class StructuredOutputTool final : public Tool {
 public:
  explicit StructuredOutputTool(Json schema) : schema_(std::move(schema)) {}

  std::string_view name() const override { return kStructuredOutput; }
  std::string description() const override {
    return "Gives your final answer in the form that was asked for. Call it exactly once, at the "
           "end, with an input that fits the schema.";
  }
  Json input_schema() const override { return schema_; }
  bool needs_fitting_input() const override { return false; }
  bool concurrent(const RawJson& /*input*/) const override { return true; }
  /// Exactly what the model said is the result.
  RawJson normal_input(const RawJson& input) const override { return input; }
  Intent intent(const ToolCall& /*call*/) const override { return {}; }

  ToolOutput run(const ToolCall& call) const override {
    const Result<Json> input = call.input.json();
    if (!input) return ToolOutput::error(input.error().what());
    std::string problems;
    for (const std::string& violation : schema_violations(schema_, *input)) {
      problems += (problems.empty() ? "" : ", ") + violation;
    }
    if (!problems.empty()) {
      return ToolOutput::error("Output does not match required schema: " + problems);
    }
    const std::string text = "Structured output provided successfully";
    return ToolOutput::success(text, Json(text));
  }

 private:
  const Json schema_;
};

}  // namespace

Result<std::unique_ptr<Tool>> make_structured_output(Json schema) {
  if (Result<void> usable = check_json_schema(schema); !usable) return usable.error();
  // A tool takes an object; whoever leaves the type out means one.
  if (!schema.find("type")) schema.set("type", "object");
  if (schema["type"].as_string() != "object") {
    return Error(ErrorCode::invalid, "the schema must describe an object", "schema");
  }
  return std::unique_ptr<Tool>(std::make_unique<StructuredOutputTool>(std::move(schema)));
}

}  // namespace parley::agent
