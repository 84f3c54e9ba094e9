// The ways from the tools to the rest of the agent: pages, the small model, plan mode.
#include <algorithm>

#include "agent/api/api_request.hpp"
#include "agent/api/models.hpp"
#include "agent/api/page_fetch.hpp"
#include "agent/session/session.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {

Result<std::string> Session::ask_small_model(const std::string& prompt,
                                             const std::stop_token& stop) {
  ApiRequest request;
  request.model = kSmallModel;
  MessageParam param;
  param.role = "user";
  param.content = prompt;
  request.messages.push_back(std::move(param));
  request.stream = false;
  const ApiOutcome outcome = api->send("/v1/messages", request.body(), stop);
  if (!outcome.ok()) return Error(ErrorCode::kRemote, outcome.message);
  const auto answer = RawJson(outcome.body).as<ApiMessage>();
  if (!answer) return answer.error();
  if (answer->usage) {
    cost.add(request.model, *answer->usage);
    cost_since_result->add(request.model, *answer->usage);
  }
  std::string text;
  for (const ContentBlock& block : answer->content) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  }
  return text;
}

void Session::connect_tools(ToolState::Setup& setup) {
  setup.is_working_folder = [this](const std::filesystem::path& folder) {
    for (const std::filesystem::path& allowed : permissions->folders()) {
      const auto [end, ignored] =
          std::mismatch(allowed.begin(), allowed.end(), folder.begin(), folder.end());
      if (end == allowed.end()) return true;
    }
    return false;
  };
  setup.hidden_from = [this](std::string_view tool) { return permissions->hidden_from(tool); };
  setup.in_plan_mode = [this] { return permissions->mode() == PermissionMode::plan; };
  setup.set_plan_mode = [this](bool on) {
    // An answer that approved the plan may have chosen the mode already.
    if (!on && permissions->mode() != PermissionMode::plan) return;
    const PermissionMode mode = on ? PermissionMode::plan : PermissionMode::default_;
    if (permissions->set_mode(mode)) show_mode();
  };
  setup.plan_file = std::filesystem::path(config_folder) / "plans" / (session_id + ".md");
  setup.ask_model = [this](const std::string& prompt, std::stop_token stop) {
    return ask_small_model(prompt, stop);
  };
  setup.fetch = [](const std::string& url, std::stop_token stop) -> Result<FetchedPage> {
    auto page = fetch_page(url, stop);
    if (!page) return page.error();
    return FetchedPage{page->status, page->status_text, page->content_type, std::move(page->body),
                       page->location};
  };
}

}  // namespace parley::agent
