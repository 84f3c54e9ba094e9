#include "wire/messages/assembler.hpp"

#include <gtest/gtest.h>

#include "wire/codec/codec.hpp"

namespace parley {
namespace {

ApiEvent event(std::string_view json) { return decode<ApiEvent>(json).value(); }

const char kStart[] =
    R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",)"
    R"("model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}})";

std::string text_of(const PartialBlock& partial) { return std::get<TextBlock>(partial.block).text; }

TEST(Assembler, PutsTextTogether) {
  MessageAssembler a;
  a.apply(event(kStart));
  EXPECT_TRUE(a.active());
  a.apply(event(
      R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})"));
  a.apply(event(
      R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}})"));
  const PartialBlock* grown = a.apply(event(
      R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}})"));
  ASSERT_NE(grown, nullptr);
  EXPECT_EQ(text_of(*grown), "Hello");
  EXPECT_FALSE(grown->stopped);
  a.apply(event(R"({"type":"content_block_stop","index":0})"));
  a.apply(event(
      R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}})"));
  a.apply(event(R"({"type":"message_stop"})"));
  EXPECT_FALSE(a.active());
  const ApiMessage whole = a.message();
  EXPECT_EQ(whole.id, "msg_1");
  EXPECT_EQ(whole.stop_reason, "end_turn");
  EXPECT_EQ(whole.usage->input_tokens, 7);
  EXPECT_EQ(whole.usage->output_tokens, 9);
  ASSERT_EQ(whole.content.size(), 1u);
}

TEST(Assembler, ToolInputBecomesJsonWhenTheBlockStops) {
  MessageAssembler a;
  a.apply(event(kStart));
  a.apply(event(
      R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"Bash","input":{}}})"));
  a.apply(event(
      R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}})"));
  const PartialBlock* half = a.apply(event(
      R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"ls\"}"}})"));
  EXPECT_EQ(half->partial_json, "{\"command\":\"ls\"}");
  EXPECT_EQ(std::get<ToolUseBlock>(half->block).input.text, "{}");
  const PartialBlock* stopped = a.apply(event(R"({"type":"content_block_stop","index":1})"));
  EXPECT_EQ(std::get<ToolUseBlock>(stopped->block).input.text, "{\"command\":\"ls\"}");
}

TEST(Assembler, MalformedToolInputStaysReadable) {
  MessageAssembler a;
  a.apply(event(
      R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Bash","input":{}}})"));
  a.apply(event(
      R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{oops"}})"));
  const PartialBlock* stopped = a.apply(event(R"({"type":"content_block_stop","index":0})"));
  EXPECT_EQ(std::get<ToolUseBlock>(stopped->block).input.text, "{}");
  EXPECT_EQ(stopped->partial_json, "{oops");
}

TEST(Assembler, ThinkingAndItsSignature) {
  MessageAssembler a;
  a.apply(event(
      R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})"));
  a.apply(event(
      R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}})"));
  const PartialBlock* signed_ = a.apply(event(
      R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}})"));
  EXPECT_EQ(std::get<ThinkingBlock>(signed_->block).thinking, "hm");
  EXPECT_EQ(std::get<ThinkingBlock>(signed_->block).signature, "sig");
}

TEST(Assembler, TheWholeMessageIsTheAuthority) {
  MessageAssembler a;
  a.apply(event(kStart));
  a.apply(event(
      R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})"));
  a.apply(event(
      R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"strea"}})"));
  a.settle(
      decode<ApiMessage>(
          R"({"id":"msg_1","role":"assistant","content":[{"type":"text","text":"streamed, corrected"}]})")
          .value());
  ASSERT_EQ(a.blocks().size(), 1u);
  EXPECT_EQ(text_of(a.blocks()[0]), "streamed, corrected");
  EXPECT_TRUE(a.blocks()[0].settled);
  // A late delta cannot spoil it.
  EXPECT_EQ(
      a.apply(event(
          R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}})")),
      nullptr);
  EXPECT_EQ(text_of(a.blocks()[0]), "streamed, corrected");
}

TEST(Assembler, WithoutAStreamWholeMessagesAreEnough) {
  MessageAssembler a;
  a.settle(
      decode<ApiMessage>(R"({"id":"m","role":"assistant","content":[{"type":"text","text":"a"}]})")
          .value());
  a.settle(
      decode<ApiMessage>(
          R"({"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"LS","input":{}}]})")
          .value());
  EXPECT_EQ(a.message().content.size(), 2u);
  a.settle(
      decode<ApiMessage>(R"({"id":"n","role":"assistant","content":[{"type":"text","text":"b"}]})")
          .value());
  EXPECT_EQ(a.message().content.size(), 1u) << "another message begins anew";
}

TEST(Assembler, EventsThatDoNotFitChangeNothing) {
  MessageAssembler a;
  for (const char* json :
       {R"({"type":"content_block_delta","index":5,"delta":{"type":"text_delta","text":"x"}})",
        R"({"type":"content_block_stop","index":5})", R"({"type":"ping"})",
        R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})",
        R"({"type":"brand_new_event","x":1})"}) {
    EXPECT_EQ(a.apply(event(json)), nullptr) << json;
  }
  a.apply(event(
      R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})"));
  EXPECT_EQ(
      a.apply(event(
          R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"again"}})")),
      nullptr);
  EXPECT_EQ(
      a.apply(event(
          R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}})")),
      nullptr);
  EXPECT_EQ(a.apply(event(
                R"({"type":"content_block_delta","index":0,"delta":{"type":"new_delta","y":1}})")),
            nullptr);
  EXPECT_EQ(text_of(a.blocks()[0]), "");
}

}  // namespace
}  // namespace parley
