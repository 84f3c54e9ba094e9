#include "model/answer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "model/ascii_json.hpp"

namespace parley::model {
namespace {

std::string numbered(const char* prefix, int digits, std::uint64_t number) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%s%0*llu", prefix, digits,
                static_cast<unsigned long long>(number));
  return text.data();
}

bool is_tool_call(const Json& block) {
  const std::string_view type = block["type"].as_string();
  return type == "tool_use" || type == "server_tool_use";
}

void merge(Json& into, const Json& from) {
  for (const auto& [key, value] : from.members()) into.set(key, value);
}

Json usage(const Turn& turn, std::int64_t output_tokens) {
  Json all = Json::object(
      {{"input_tokens", 10}, {"cache_creation_input_tokens", 0}, {"cache_read_input_tokens", 0}});
  merge(all, turn.usage_start);
  all.set("output_tokens", output_tokens);
  return all;
}

std::string stop_reason(const Turn& turn) {
  if (turn.stop_reason && !turn.stop_reason->empty()) return *turn.stop_reason;
  const bool calls = std::any_of(turn.content.begin(), turn.content.end(), [](const Json& block) {
    return block["type"].as_string() == "tool_use";
  });
  return calls ? "tool_use" : "end_turn";
}

Json message(const Turn& turn, const AnswerHead& head) {
  return Json::object({{"id", turn.id.value_or(head.message_id())},
                       {"type", "message"},
                       {"role", "assistant"},
                       {"model", turn.model.value_or(head.model)}});
}

class EventWriter {
 public:
  explicit EventWriter(std::size_t chunk) : chunk_(chunk) {}

  void add(const Json& event) {
    const std::string_view type = event["type"].as_string();
    std::string text = "event: ";
    text.append(type).append("\ndata: ").append(ascii_json(event)).append("\n\n");
    all_.push_back({std::move(text), type == "content_block_delta"});
  }

  void add_block(std::size_t number, const Json& block) {
    const Json index = static_cast<std::uint64_t>(number);
    const std::string_view type = block["type"].as_string();
    const auto start = [&](Json opening) {
      add(Json::object({{"type", "content_block_start"},
                        {"index", index},
                        {"content_block", std::move(opening)}}));
    };
    const auto delta = [&](std::string_view kind, std::string_view key, std::string_view text) {
      Json change = Json::object({{"type", kind}});
      change.set(key, text);
      add(Json::object(
          {{"type", "content_block_delta"}, {"index", index}, {"delta", std::move(change)}}));
    };
    const auto deltas = [&](std::string_view kind, std::string_view key, std::string_view text) {
      for (const std::string_view piece : pieces(text, chunk_)) delta(kind, key, piece);
    };
    if (type == "text") {
      start(Json::object({{"type", "text"}, {"text", ""}}));
      deltas("text_delta", "text", block["text"].as_string());
    } else if (type == "thinking") {
      start(Json::object({{"type", "thinking"}, {"thinking", ""}, {"signature", ""}}));
      deltas("thinking_delta", "thinking", block["thinking"].as_string());
      delta("signature_delta", "signature", block["signature"].as_string("c2lnbmF0dXJl"));
    } else if (is_tool_call(block)) {
      start(Json::object({{"type", type},
                          {"id", block["id"]},
                          {"name", block["name"]},
                          {"input", Json::object()}}));
      const Json* raw = block.find("raw_input");
      deltas("input_json_delta", "partial_json",
             raw != nullptr ? std::string(raw->as_string()) : ascii_json(block["input"]));
    } else {
      start(block);
    }
    add(Json::object({{"type", "content_block_stop"}, {"index", index}}));
  }

  std::vector<Event> take() { return std::move(all_); }

 private:
  const std::size_t chunk_;
  std::vector<Event> all_;
};

}  // namespace

std::string AnswerHead::message_id() const { return numbered("msg_01", 22, number); }
std::string AnswerHead::request_id() const { return numbered("req_stub", 4, number); }

Json whole_message(const Turn& turn, const AnswerHead& head) {
  Json content = Json::array();
  for (Json block : turn.content) {
    if (is_tool_call(block)) {
      block.erase("raw_input");  // only a stream can be malformed half-way
      if (block.find("input") == nullptr) block.set("input", Json::object());
    }
    content.push(std::move(block));
  }
  Json whole = message(turn, head);
  whole.set("content", std::move(content));
  whole.set("stop_reason", stop_reason(turn));
  whole.set("stop_sequence", nullptr);
  whole.set("usage", usage(turn, turn.output_tokens));
  return whole;
}

std::vector<Event> events(const Turn& turn, const AnswerHead& head) {
  EventWriter writer(turn.chunk);
  Json opening = message(turn, head);
  opening.set("content", Json::array());
  opening.set("stop_reason", nullptr);
  opening.set("stop_sequence", nullptr);
  opening.set("usage", usage(turn, 1));
  writer.add(Json::object({{"type", "message_start"}, {"message", std::move(opening)}}));
  if (turn.ping) writer.add(Json::object({{"type", "ping"}}));
  for (std::size_t i = 0; i < turn.content.size(); ++i) writer.add_block(i, turn.content[i]);
  Json final_usage = Json::object({{"output_tokens", turn.output_tokens}});
  merge(final_usage, turn.usage_end);
  writer.add(Json::object(
      {{"type", "message_delta"},
       {"delta", Json::object({{"stop_reason", stop_reason(turn)}, {"stop_sequence", nullptr}})},
       {"usage", std::move(final_usage)}}));
  writer.add(Json::object({{"type", "message_stop"}}));
  return writer.take();
}

Json error_body(std::string_view type, std::string_view message) {
  return Json::object(
      {{"type", "error"}, {"error", Json::object({{"type", type}, {"message", message}})}});
}

}  // namespace parley::model
