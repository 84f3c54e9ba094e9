#include "agent/turn/model_response.hpp"

#include <condition_variable>
#include <mutex>
#include <set>

#include "agent/api/models.hpp"
#include "agent/connection/message_parts.hpp"
#include "agent/tools/schema/input_check.hpp"
#include "support/random.hpp"
#include "support/time.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Kind = ApiOutcome::Kind;
using std::chrono::steady_clock;

std::chrono::milliseconds since(steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - start);
}

/// Only what an event changes; what it does not name stays.
void merge(Usage& into, const Usage& from) {
  const auto take = [](auto& to, const auto& value) {
    if (value) to = value;
  };
  take(into.input_tokens, from.input_tokens);
  take(into.output_tokens, from.output_tokens);
  take(into.cache_creation_input_tokens, from.cache_creation_input_tokens);
  take(into.cache_read_input_tokens, from.cache_read_input_tokens);
  take(into.cache_creation, from.cache_creation);
  take(into.server_tool_use, from.server_tool_use);
  take(into.output_tokens_details, from.output_tokens_details);
  take(into.service_tier, from.service_tier);
}

/// The tools that the model has looked for and found, in this conversation.
std::set<std::string, std::less<>> found_tools(const std::vector<MessageParam>& messages) {
  std::set<std::string, std::less<>> names;
  const auto take_result = [&](const ToolResultBlock& result) {
    const auto* const parts =
        result.content ? std::get_if<std::vector<ContentBlock>>(&*result.content) : nullptr;
    if (parts == nullptr) return;
    for (const ContentBlock& part : *parts) {
      if (const auto* named = std::get_if<ToolReferenceBlock>(&part))
        names.insert(named->tool_name);
    }
  };
  for (const MessageParam& message : messages) {
    const auto* const blocks = std::get_if<std::vector<ContentBlock>>(&message.content);
    if (blocks == nullptr) continue;
    for (const ContentBlock& block : *blocks) {
      if (const auto* result = std::get_if<ToolResultBlock>(&block)) take_result(*result);
    }
  }
  return names;
}

/// How a display names a tool of an MCP server.
Optional<std::vector<ToolUseMeta>> meta_of(const ToolUseBlock& call, const Tool& tool) {
  const ToolOrigin* const origin = tool.origin();
  if (origin == nullptr) return {};
  ToolUseMeta meta;
  meta.id = call.id;
  meta.display_name = tool.display_name();
  meta.server_display_name = origin->server_name;
  meta.tool_name = origin->tool;
  return std::vector<ToolUseMeta>{std::move(meta)};
}

}  // namespace

std::string ModelResponse::text() const {
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    if (const auto* text = std::get_if<TextBlock>(&*block)) return text->text;
  }
  return {};
}

ModelResponse::End ModelResponse::run() {
  model_ = context_.requests.model();
  const RetryPolicy policy{context_.model.access().max_retries};
  int attempt = 0;
  int overloads = 0;
  int cuts = 0;
  if (context_.options.partial_messages) {
    SystemStatus status;
    status.status = SessionStatus::requesting;
    context_.messages.send(std::move(status));
  }
  for (;;) {
    sent_ = steady_clock::now();
    clock_.note(clock_.request_ms);
    outcome_ = cuts >= 2 ? request_whole() : request();
    clock_.in_api += since(sent_);
    count_usage();
    if (outcome_.kind == Kind::cancelled || stop_.stop_requested()) return interrupted();
    if (outcome_.kind == Kind::done) {
      write_transcript();
      return End::complete;
    }
    close_shown_stream();
    if (!blocks_.empty()) {
      write_transcript();
      return End::cut_off;
    }
    if (outcome_.status == 529) ++overloads;
    if (fall_back(outcome_, overloads)) {
      attempt = overloads = 0;
      continue;
    }
    const bool broke = outcome_.kind == Kind::cut || outcome_.kind == Kind::event;
    if (broke) ++cuts;
    // What cannot be streamed may still be had whole.
    if (outcome_.kind == Kind::malformed) {
      complain(outcome_.message);
      cuts = cuts >= 2 ? cuts + 1 : 2;
      if (cuts == 2) continue;
    }
    if (cuts == 2 && broke) continue;
    const auto delay = policy.wait(outcome_, attempt + 1);
    if (!delay) return fail(outcome_);
    ++attempt;
    ApiRetry retry;
    retry.attempt = attempt;
    retry.max_retries = policy.max_retries;
    retry.retry_delay_ms = static_cast<double>(delay->count());
    if (outcome_.status != 0) retry.error_status = outcome_.status;
    retry.error = retry_word(outcome_);
    context_.messages.send(std::move(retry));
    if (!wait(*delay)) return interrupted();
  }
}

bool ModelResponse::wait(std::chrono::milliseconds delay) const {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop_, delay, [] { return false; });
  return !stop_.stop_requested();
}

bool ModelResponse::fall_back(const ApiOutcome& outcome, int overloads) {
  if (outcome.status != 529 || overloads < 3 || !context_.options.fallback_model) return false;
  const std::string fallback = resolve_model(*context_.options.fallback_model);
  if (fallback == model_) return false;
  ModelFallback message;
  message.trigger = "overloaded";
  message.original_model = model_;
  message.fallback_model = fallback;
  message.content = "Switched to " + fallback + " due to high demand for " + model_;
  context_.messages.send(std::move(message));
  model_ = fallback;
  return true;
}

ApiRequest ModelResponse::request_for_model(bool stream) const {
  ApiRequest request = context_.requests.request(model_);
  request.messages = context_.conversation.messages();
  const auto found = found_tools(request.messages);
  for (const auto& tool : context_.tools.offered()) {
    if (context_.tools.is_deferred(*tool) && !found.contains(tool->name())) continue;
    request.tools.push_back({std::string(tool->name()), tool->description(), tool->input_schema()});
  }
  request.stream = stream;
  return request;
}

ApiOutcome ModelResponse::request() {
  assembler_ = {};
  started_ = counted_ = false;
  thinking_tokens_ = 0;
  if (!context_.model.access().has_credentials()) {
    ApiOutcome outcome;
    outcome.kind = Kind::http;
    return outcome;
  }
  return context_.model.stream(
      request_for_model(true), stop_,
      [this](const ApiEvent& event, std::string_view json) { on_event(event, json); }, request_id_);
}

ApiOutcome ModelResponse::request_whole() {
  assembler_ = {};
  started_ = counted_ = false;
  ApiOutcome outcome = context_.model.send(request_for_model(false), stop_);
  if (outcome.kind != Kind::done) return outcome;
  const auto message = RawJson(outcome.body).as<ApiMessage>();
  if (!message) {
    outcome.kind = Kind::malformed;
    outcome.message =
        "the answer of the API cannot be read: " + std::string(message.error().what());
    return outcome;
  }
  started_ = true;
  request_id_ = outcome.request_id;
  id_ = message->id.value_or("");
  stop_reason_ = message->stop_reason.value_or("");
  usage_ = first_usage_ = message->usage.value_or(Usage{});
  for (const ContentBlock& block : message->content) deliver(block, message->stop_reason, false);
  return outcome;
}

// ---- events -------------------------------------------------------------------------------------

void ModelResponse::on_event(const ApiEvent& event, std::string_view json) {
  if (std::holds_alternative<StreamPing>(event) || std::holds_alternative<StreamError>(event))
    return;
  if (const auto* start = std::get_if<MessageStart>(&event)) {
    started_ = true;
    id_ = start->message->id.value_or("");
    usage_ = first_usage_ = start->message->usage.value_or(Usage{});
    clock_.note(clock_.stream_ms);
    clock_.note(clock_.first_token_ms);
  }
  if (std::holds_alternative<ContentBlockStart>(event)) clock_.note(clock_.content_ms);
  const PartialBlock* changed = assembler_.apply(event);
  if (const auto* delta = std::get_if<ContentBlockDelta>(&event)) show_thinking(*delta);
  // A block is shown whole before its end is, and once, however often the stream ends it.
  if (std::holds_alternative<ContentBlockStop>(event) && changed != nullptr) on_block_end(*changed);
  if (const auto* change = std::get_if<MessageDelta>(&event)) {
    stop_reason_ = change->delta.stop_reason.value_or("");
    stop_sequence_ = change->delta.stop_sequence.value_or("");
    if (change->usage) merge(usage_, **change->usage);
  }
  if (context_.options.partial_messages) show_raw(json);
  if (after_block_ && !std::holds_alternative<ContentBlockStop>(event)) after_block_();
}

void ModelResponse::on_block_end(const PartialBlock& partial) {
  ContentBlock block = partial.block;
  const std::string& text = partial.partial_json;
  if (auto* call = std::get_if<ToolUseBlock>(&block); call != nullptr && !text.empty()) {
    // Input that is no JSON is kept as text; the call is answered with an error.
    const auto parsed = RawJson::parse(text);
    call->input =
        parsed && text.front() == '{'
            ? *parsed
            : RawJson(
                  Json::object({{"__unparsedToolInput",
                                 Json::object({{"raw", text},
                                               {"len", static_cast<std::int64_t>(text.size())}})}})
                      .dump());
  }
  deliver(std::move(block), std::nullopt, false);
}

void ModelResponse::deliver(ContentBlock block, std::optional<std::string> stop_reason,
                            bool aborted) {
  Optional<std::vector<ToolUseMeta>> meta;
  if (auto* call = std::get_if<ToolUseBlock>(&block)) {
    // Clients and the model see the call as it is understood, defaults included.
    const SharedTool tool = context_.tools.known(call->name);
    if (tool != nullptr && check_schema(*tool, call->input)) {
      call->input = tool->normal_input(call->input);
    }
    if (tool != nullptr) meta = meta_of(*call, *tool);
  }
  AssistantMessage message;
  message.tool_use_meta = std::move(meta);
  message.message.id = id_;
  message.message.type = "message";
  message.message.role = "assistant";
  message.message.model = model_;
  message.message.content.push_back(block);
  message.message.stop_reason = stop_reason;
  if (!stop_reason) write_null(message.message.extra, "stop_reason");
  write_null(message.message.extra, "stop_sequence");
  message.message.usage = first_usage_;
  write_null(message.message.extra, "context_management");
  message.uuid = make_uuid();
  message.timestamp = timestamp();
  if (!request_id_.empty()) message.request_id = request_id_;
  if (aborted) message.aborted = true;
  if (std::holds_alternative<ThinkingBlock>(block) && thinking_since_) {
    message.thinking_duration_ms = since(*thinking_since_).count();
    message.thinking_display = "updates";
  }
  thinking_since_.reset();
  blocks_.push_back(block);
  uuids_.push_back(message.uuid);
  times_.push_back(*message.timestamp);
  const std::string uuid = message.uuid;
  context_.messages.send(std::move(message));
  // The client reads the name that the model wrote, the model the one that it was offered.
  if (auto* call = std::get_if<ToolUseBlock>(&blocks_.back())) {
    if (const SharedTool tool = context_.tools.known(call->name)) call->name = tool->name();
  }
  if (const auto* call = std::get_if<ToolUseBlock>(&block); call != nullptr && !aborted) {
    on_tool_call_(*call, uuid);
  }
}

void ModelResponse::show(const ApiEvent& event) { show_raw(encode(event)); }

void ModelResponse::show_raw(std::string_view json) {
  StreamEvent message;
  auto event = decode<ApiEvent>(json);
  if (!event) return;
  message.event = *std::move(event);
  message.api_message_id = id_;
  if (std::holds_alternative<MessageStart>(message.event)) {
    message.ttft_ms = static_cast<double>(since(sent_).count());
    message.thinking_display = "updates";
  }
  if (std::holds_alternative<MessageStop>(message.event) && outcome_.kind != Kind::done) {
    message.abandoned_blocks = AbandonedBlocks{id_, static_cast<std::int64_t>(blocks_.size()), {}};
  }
  context_.messages.send(std::move(message));
}

void ModelResponse::show_thinking(const ContentBlockDelta& delta) {
  const auto* thinking = std::get_if<ThinkingDelta>(&delta.delta);
  if (thinking == nullptr) return;
  if (!thinking_since_) thinking_since_ = steady_clock::now();
  const auto tokens = static_cast<std::int64_t>((thinking->thinking.size() + 3) / 4);
  thinking_tokens_ += tokens;
  ThinkingTokens message;
  message.estimated_tokens = thinking_tokens_;
  message.estimated_tokens_delta = tokens;
  context_.messages.send(std::move(message));
}

/// A stream that was shown and broke off is brought to an end, so that no display waits for it.
void ModelResponse::close_shown_stream() {
  if (!context_.options.partial_messages || !started_ || !assembler_.active()) return;
  for (const PartialBlock& partial : assembler_.blocks()) {
    if (!partial.stopped) show(ContentBlockStop{partial.index, {}});
  }
  show(MessageStop{});
}

void ModelResponse::close_after_interrupt() {
  if (!context_.options.partial_messages || !started_ || !assembler_.active()) return;
  for (const PartialBlock& partial : assembler_.blocks()) {
    if (!partial.stopped) show(ContentBlockStop{partial.index, {}});
  }
  MessageDelta delta;
  write_null(delta.delta.extra, "stop_reason");
  write_null(delta.delta.extra, "stop_sequence");
  delta.usage = usage_;
  show(std::move(delta));
  show(MessageStop{});
}

// ---- ends ---------------------------------------------------------------------------------------

void ModelResponse::count_usage() {
  if (!started_ || std::exchange(counted_, true)) return;
  // Nothing is charged for what nobody got.
  if (outcome_.kind == Kind::cancelled) return;
  context_.cost.add(model_, usage_);
}

ModelResponse::End ModelResponse::interrupted() {
  outcome_.kind = Kind::cancelled;
  std::vector<PartialBlock> open;
  for (const PartialBlock& partial : assembler_.blocks()) {
    if (!partial.stopped) open.push_back(partial);
  }
  for (const PartialBlock& partial : open) {
    const auto* text = std::get_if<TextBlock>(&partial.block);
    if (text != nullptr && !text->text.empty()) deliver(partial.block, std::nullopt, true);
  }
  write_transcript();
  return End::interrupted;
}

ModelResponse::End ModelResponse::fail(const ApiOutcome& outcome) {
  const bool no_key = outcome.kind == Kind::http && outcome.status == 0;
  error_ = no_key ? ApiErrorText{"Not logged in · Set ANTHROPIC_API_KEY, or try it without a key: parley serve --demo",
                                 AssistantError::authentication_failed}
                  : describe(outcome, context_.model.access());
  AssistantMessage message = synthetic_answer(error_->text);
  message.error = error_->error;
  message.is_api_error_message = true;
  if (outcome.status != 0) message.api_error_status = outcome.status;
  if (!outcome.error_type.empty()) message.api_error_type = outcome.error_type;
  if (!outcome.request_id.empty()) message.request_id = outcome.request_id;
  message.uuid = make_uuid();
  context_.transcript.add(
      Json::object({{"message", RawJson(encode(message.message)).json().value()},
                    {"error", std::string(error_->error.text())},
                    {"isApiErrorMessage", true},
                    {"type", "assistant"},
                    {"uuid", message.uuid}}));
  context_.messages.send(std::move(message));
  return End::failed;
}

/// Only whole answers are written, because their lines name the stop reason and the usage.
void ModelResponse::write_transcript() {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Json message =
        Json::object({{"id", id_},
                      {"type", "message"},
                      {"role", "assistant"},
                      {"model", model_},
                      {"content", Json::array({RawJson(encode(blocks_[i])).json().value()})},
                      {"stop_reason", stop_reason_.empty() ? Json() : Json(stop_reason_)},
                      {"stop_sequence", Json()},
                      {"usage", RawJson(encode(usage_)).json().value()}});
    context_.transcript.add(Json::object({{"message", std::move(message)},
                                          {"apiBlockIndex", static_cast<std::int64_t>(i)},
                                          {"requestId", request_id_},
                                          {"requestedModel", model_},
                                          {"type", "assistant"},
                                          {"uuid", uuids_[i]},
                                          {"timestamp", times_[i]}}));
  }
}

}  // namespace parley::agent
