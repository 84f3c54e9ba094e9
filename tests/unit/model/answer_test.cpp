#include "model/answer.hpp"

#include <gtest/gtest.h>

#include "model/ascii_json.hpp"
#include "model/script.hpp"

namespace parley::model {
namespace {

Turn turn_of(const std::string& text) { return Script::parse("[" + text + "]")->turns[0].turn; }

std::string all(const Turn& turn) {
  std::string text;
  for (const Event& event : events(turn, {7, "claude-x"})) text += event.text;
  return text;
}

TEST(AsciiJson, Text) {
  const auto json =
      Json::parse(R"({"a":[1,2.50,null,true],"b":"\u00e4\ud83d\ude00\n\"\\/","c":{}})");
  EXPECT_EQ(ascii_json(*json),
            R"({"a": [1, 2.50, null, true], "b": "\u00e4\ud83d\ude00\n\"\\/", "c": {}})");
}

TEST(AsciiJson, PiecesAreWholeCharacters) {
  const auto split = pieces("a\xc3\xa4\xf0\x9f\x98\x80z", 2);
  ASSERT_EQ(split.size(), 2U);
  EXPECT_EQ(split[0], "a\xc3\xa4");
  EXPECT_EQ(split[1], "\xf0\x9f\x98\x80z");
  EXPECT_TRUE(pieces("", 3).empty());
}

TEST(Answer, Events) {
  const Turn turn = turn_of(
      R"({"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"hello"},
          {"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}],
          "chunk":4,"ping":true,"usage_start":{"input_tokens":5},"usage_end":{"x":1},
          "output_tokens":9})");
  EXPECT_EQ(all(turn),
            R"(event: message_start
data: {"type": "message_start", "message": {"id": "msg_010000000000000000000007", "type": "message", "role": "assistant", "model": "claude-x", "content": [], "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1}}}

event: ping
data: {"type": "ping"}

event: content_block_start
data: {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2lnbmF0dXJl"}}

event: content_block_stop
data: {"type": "content_block_stop", "index": 0}

event: content_block_start
data: {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "hell"}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "o"}}

event: content_block_stop
data: {"type": "content_block_stop", "index": 1}

event: content_block_start
data: {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\"co"}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "mman"}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "d\": "}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "\"ls\""}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "}"}}

event: content_block_stop
data: {"type": "content_block_stop", "index": 2}

event: message_delta
data: {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 9, "x": 1}}

event: message_stop
data: {"type": "message_stop"}

)");
}

TEST(Answer, Whole) {
  const Turn turn = turn_of(
      R"({"content":[{"type":"text","text":"hi"},
          {"type":"tool_use","id":"t","name":"n","raw_input":"{broken"}],"id":"msg_x",
          "model":"other","stop_reason":"max_tokens"})");
  EXPECT_EQ(whole_message(turn, {1, "asked"}).dump(),
            R"({"id":"msg_x","type":"message","role":"assistant","model":"other","content":[)"
            R"({"type":"text","text":"hi"},{"type":"tool_use","id":"t","name":"n","input":{}}],)"
            R"("stop_reason":"max_tokens","stop_sequence":null,"usage":{"input_tokens":10,)"
            R"("cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":20}})");
}

TEST(Answer, MalformedToolInputAndForeignBlocks) {
  const std::string text = all(turn_of(
      R"({"content":[{"type":"tool_use","id":"t","name":"n","raw_input":"{br"},
          {"type":"redacted_thinking","data":"abc"}]})"));
  EXPECT_NE(text.find(R"("partial_json": "{br"})"), std::string::npos);
  EXPECT_NE(text.find(R"("content_block": {"type": "redacted_thinking", "data": "abc"}})"),
            std::string::npos);
}

}  // namespace
}  // namespace parley::model
