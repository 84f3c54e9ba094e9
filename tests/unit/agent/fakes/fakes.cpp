#include "fakes.hpp"

#include <gtest/gtest.h>

#include "agent/connection/message_parts.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

std::string kind_of(const Message& message) {
  const Json json = Json::parse(encode_message(message)).value();
  const std::string type(json["type"].as_string());
  return type == "system" ? type + "/" + std::string(json["subtype"].as_string()) : type;
}

std::string quoted(const std::string& text) { return Json(text).dump(); }

/// The events of a response, as a server sends them.
std::vector<std::string> events_of(const ScriptedResponse& response, const std::string& model) {
  std::vector<std::string> events;
  events.push_back(R"({"type":"message_start","message":{"id":"msg_1","type":"message",)"
                   R"("role":"assistant","model":)" +
                   quoted(model) +
                   R"(,"content":[],"stop_reason":null,"stop_sequence":null,)"
                   R"("usage":{"input_tokens":10,"output_tokens":1}}})");
  int index = 0;
  const auto add_block = [&](const std::string& block, const std::string& delta, bool ends) {
    const std::string at = R"("index":)" + std::to_string(index++);
    events.push_back(R"({"type":"content_block_start",)" + at + R"(,"content_block":)" + block +
                     "}");
    events.push_back(R"({"type":"content_block_delta",)" + at + R"(,"delta":)" + delta + "}");
    if (ends) events.push_back(R"({"type":"content_block_stop",)" + at + "}");
  };
  if (!response.text.empty()) {
    add_block(R"({"type":"text","text":""})",
              R"({"type":"text_delta","text":)" + quoted(response.text) + "}",
              response.ends_blocks || !response.calls.empty());
  }
  for (const ScriptedResponse::Call& call : response.calls) {
    add_block(R"({"type":"tool_use","id":)" + quoted(call.id) + R"(,"name":)" + quoted(call.name) +
                  R"(,"input":{}})",
              R"({"type":"input_json_delta","partial_json":)" + quoted(call.input) + "}", true);
  }
  return events;
}

}  // namespace

void FakeClient::send(Message message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
  changed_.notify_all();
}

std::vector<Message> FakeClient::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::vector<std::string> FakeClient::kinds() const {
  std::vector<std::string> kinds;
  for (const Message& message : messages()) kinds.push_back(kind_of(message));
  return kinds;
}

ControlRequest FakeClient::request(std::size_t count) {
  std::unique_lock lock(mutex_);
  const ControlRequest* found = nullptr;
  changed_.wait(lock, [&] {
    std::size_t seen = 0;
    for (const Message& message : messages_) {
      found = std::get_if<ControlRequest>(&message);
      if (found != nullptr && ++seen == count) return true;
    }
    return false;
  });
  return *found;
}

ControlResponse success(const std::string& request_id, const std::string& body) {
  ControlSuccess good;
  good.request_id = request_id;
  good.response = RawJson(body);
  return {std::move(good), {}};
}

AnsweringClient::AnsweringClient(FakeClient& client, Asker& asker, std::size_t count, Answer answer)
    : thread_([&client, &asker, count, answer = std::move(answer)] {
        for (std::size_t i = 1; i <= count; ++i) {
          const ControlRequest request = client.request(i);
          asker.answered(success(request.request_id, answer(request)));
        }
      }) {}

ScriptedResponse refused(int status, const std::string& type) {
  ScriptedResponse response;
  response.outcome.kind = ApiOutcome::Kind::http;
  response.outcome.status = status;
  response.outcome.error_type = type;
  response.outcome.message = "refused";
  response.outcome.retry_after = std::chrono::milliseconds(1);
  return response;
}

void FakeModel::will(ScriptedResponse response) {
  const std::lock_guard lock(mutex_);
  responses_.push_back(std::move(response));
}

void FakeModel::will_by(Script script) {
  const std::lock_guard lock(mutex_);
  script_ = std::move(script);
}

std::vector<ApiRequest> FakeModel::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

ScriptedResponse FakeModel::next(const ApiRequest& request) {
  Script script;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    if (!script_) {
      if (responses_.empty()) {
        ADD_FAILURE() << "nobody has said what the model responds to " << told(request);
        return refused(400);
      }
      ScriptedResponse response = std::move(responses_.front());
      responses_.pop_front();
      return response;
    }
    script = script_;
  }
  return script(request);
}

ApiOutcome FakeModel::stream(const ApiRequest& request, std::stop_token stop,
                             const OnEvent& on_event, std::string& request_id) {
  const ScriptedResponse response = next(request);
  const auto say = [&](const std::string& json) { on_event(decode<ApiEvent>(json).value(), json); };
  if (response.outcome.kind == ApiOutcome::Kind::http) return response.outcome;
  request_id = "req_1";
  for (const std::string& event : events_of(response, request.model)) say(event);
  if (response.before_end) response.before_end(stop);
  ApiOutcome outcome = response.outcome;
  if (stop.stop_requested()) outcome.kind = ApiOutcome::Kind::cancelled;
  if (!outcome.ok()) return outcome;
  const std::string reason = response.calls.empty() ? response.stop_reason : "tool_use";
  say(R"({"type":"message_delta","delta":{"stop_reason":)" + quoted(reason) +
      R"(,"stop_sequence":null},"usage":{"output_tokens":)" +
      std::to_string(response.output_tokens) + "}}");
  say(R"({"type":"message_stop"})");
  return outcome;
}

ApiOutcome FakeModel::send(const ApiRequest& request, std::stop_token /*stop*/) {
  const ScriptedResponse response = next(request);
  ApiOutcome outcome = response.outcome;
  if (!outcome.ok()) return outcome;
  outcome.body = R"({"id":"msg_1","type":"message","role":"assistant","content":[{"type":"text",)"
                 R"("text":)" +
                 quoted(response.text) +
                 R"(}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":1}})";
  return outcome;
}

ApiRequest FakeRequests::request(const std::string& model) const {
  ApiRequest request;
  request.model = model;
  return request;
}

Intent FakeTool::intent(const ToolCall& /*call*/) const {
  Intent intent;
  intent.kind = kind_;
  intent.path = "/file";
  return intent;
}

SharedTool saying_tool(const std::string& name, const std::string& text) {
  return std::make_shared<FakeTool>(
      name, [text](const ToolCall&) { return ToolOutput::success(text, Json(text)); });
}

FakeTools::FakeTools() {
  ToolState::Setup setup;
  setup.cwd = "/";
  setup.scratch_folder = scratch_.path();
  state_ = std::make_unique<ToolState>(std::move(setup));
}

std::vector<SharedTool> FakeTools::offered() const {
  std::vector<SharedTool> all = tools_;
  if (structured_) all.push_back(structured_);
  return all;
}

SharedTool FakeTools::known(std::string_view name) const {
  for (const SharedTool& tool : tools_) {
    if (tool->name() == name) return tool;
  }
  return nullptr;
}

void FakePermissions::always(Verdict::Kind kind, const std::string& message) {
  judge_ = [kind, message](std::string_view, const RawJson&) {
    Verdict verdict;
    verdict.kind = kind;
    verdict.message = message;
    return verdict;
  };
}

Verdict FakePermissions::judge(std::string_view tool, const RawJson& input,
                               const Intent& /*intent*/,
                               const std::filesystem::path& /*cwd*/) const {
  if (judge_) return judge_(tool, input);
  Verdict verdict;
  verdict.kind = Verdict::Kind::allow;
  return verdict;
}

std::function<bool(const std::filesystem::path&)> FakePermissions::hidden_from(
    std::string_view /*tool*/) const {
  return {};
}

Result<std::optional<Enum<PermissionMode>>> FakePermissions::apply(
    const std::vector<PermissionUpdate>& updates) {
  applied_.change([&](std::vector<PermissionUpdate>& applied) {
    applied.insert(applied.end(), updates.begin(), updates.end());
  });
  return std::optional<Enum<PermissionMode>>();
}

std::string FakeTranscript::add(Json line) {
  std::string uuid;
  lines_.change([&](std::vector<Json>& lines) {
    uuid = line["uuid"].as_string();
    if (uuid.empty()) uuid = "line-" + std::to_string(lines.size());
    lines.push_back(std::move(line));
  });
  return uuid;
}

void FakeTranscript::note(Json line) {
  notes_.change([&](std::vector<Json>& notes) { notes.push_back(std::move(line)); });
}

std::string told(const ApiRequest& request) {
  std::string all;
  for (const MessageParam& message : request.messages) {
    all += (all.empty() ? "" : " | ") + message.role + ":";
    const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.content);
    if (blocks == nullptr) all += " " + std::get<std::string>(message.content);
    if (blocks == nullptr) continue;
    for (const ContentBlock& block : *blocks) {
      if (const auto* text = std::get_if<TextBlock>(&block)) all += " " + text->text;
      if (const auto* call = std::get_if<ToolUseBlock>(&block)) all += " ?" + call->id;
      if (const auto* result = std::get_if<ToolResultBlock>(&block)) {
        all += " !" + result->tool_use_id + "=" + text_of(result->content.value_or(Content{}));
      }
    }
  }
  return all;
}

}  // namespace parley::agent
