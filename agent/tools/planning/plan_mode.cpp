// EnterPlanMode and ExitPlanMode: into the mode in which nothing is changed, and out of it when the
// user likes the plan. The mode itself is the permissions' business.
#include "agent/tools/files/files.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"

namespace parley::agent {
namespace {

constexpr std::uint64_t kMostPlan = std::uint64_t{1} << 20;

/// What the plan file says; empty if there is none.
std::string written_plan(const ToolCall& call) {
  const Result<FileText> plan = read_text(call.state.setup().plan_file, kMostPlan);
  return plan ? plan->text : std::string();
}

class EnterPlanModeTool final : public TypedTool<tools::EnterPlanModeInput> {
 public:
  std::string_view name() const override { return "EnterPlanMode"; }
  std::string description() const override {
    return "Goes into plan mode, in which you look around and design but change nothing. Use it "
           "before work that is not trivial, where the user would want to see the way you mean to "
           "go. ExitPlanMode asks them to approve the plan.";
  }
  Json input_schema() const override { return schema::object({}); }

 protected:
  ToolOutput perform(const tools::EnterPlanModeInput& /*input*/,
                     const ToolCall& call) const override {
    if (!call.state.setup().set_plan_mode) {
      return ToolOutput::error("Plan mode is not available in this session.");
    }
    call.state.setup().set_plan_mode(true);
    const std::string message =
        "Entered plan mode. You should now focus on exploring the codebase and designing an "
        "implementation approach.";
    return ToolOutput::success(
        message +
            "\n\nUntil the plan is approved: read and search to learn how things are done here, "
            "weigh the ways there are, ask with AskUserQuestion where the user has to choose. "
            "Write "
            "the plan to " +
            call.state.setup().plan_file.string() +
            ", the one file that you may write now, and call ExitPlanMode when it is ready.",
        Json::object({{"message", message}}));
  }
};

class ExitPlanModeTool final : public TypedTool<tools::ExitPlanModeInput> {
 public:
  std::string_view name() const override { return "ExitPlanMode"; }
  std::string description() const override {
    return "Asks the user to approve the plan and leaves plan mode if they do. Write the plan to "
           "the plan file first. Only for plans of changes: a question that reading has answered "
           "needs none.";
  }
  /// The plan that is in the file, not what the model says of it: that is what will be kept.
  RawJson shown_input(const ToolCall& call) const override {
    const std::string plan = written_plan(call);
    if (plan.empty()) return RawJson("{}");
    return RawJson(
        Json::object({{"plan", plan}, {"planFilePath", call.state.setup().plan_file.string()}})
            .dump());
  }
  Json input_schema() const override {
    const Json prompt =
        schema::object({{"tool", schema::one_of({"Bash"}, "The tool"), true},
                        {"prompt", schema::string("What it is to be allowed, in words"), true}});
    // Models also send the plan itself, under any name.
    return schema::with(
        schema::object({{"allowedPrompts", schema::array(prompt, "What the plan will need")}}),
        "additionalProperties", Json::object());
  }

 protected:
  Result<void> examine(const tools::ExitPlanModeInput& /*input*/,
                       const ToolCall& call) const override {
    if (call.state.setup().in_plan_mode && !call.state.setup().in_plan_mode()) {
      return refusal(
          "You are not in plan mode. To enter plan mode, call the EnterPlanMode tool first. If "
          "your "
          "plan was already approved, continue with implementation.");
    }
    return {};
  }

  Intent intent_of(const tools::ExitPlanModeInput& /*input*/,
                   const ToolCall& /*call*/) const override {
    Intent intent;
    intent.kind = Intent::Kind::ask_user;
    return intent;
  }

  ToolOutput perform(const tools::ExitPlanModeInput& /*input*/,
                     const ToolCall& call) const override {
    const ToolState::Setup& setup = call.state.setup();
    if (setup.set_plan_mode) setup.set_plan_mode(false);
    const std::string plan = written_plan(call);
    const bool has_plan = !plan.empty();
    Json result = Json::object({{"plan", has_plan ? Json(plan) : Json()},
                                {"isAgent", false},
                                {"filePath", setup.plan_file.string()}});
    if (!has_plan) {
      return ToolOutput::success("User has approved exiting plan mode. You can now proceed.",
                                 result);
    }
    return ToolOutput::success(
        "User has approved your plan. You can now start on it; it is kept in " +
            setup.plan_file.string() + ".\n\n## Approved Plan:\n" + plan,
        result);
  }
};

}  // namespace

std::unique_ptr<Tool> make_enter_plan_mode() { return std::make_unique<EnterPlanModeTool>(); }
std::unique_ptr<Tool> make_exit_plan_mode() { return std::make_unique<ExitPlanModeTool>(); }

}  // namespace parley::agent
