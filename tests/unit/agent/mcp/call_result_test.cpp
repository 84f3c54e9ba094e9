#include "agent/mcp/call_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files/io.hpp"
#include "support/files/temporary.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class CallResultTest : public ::testing::Test {
 protected:
  CallResultTest() {
    site_.server = "calc";
    site_.tool = "add";
    site_.tool_name = "mcp__calc__add";
    site_.results_folder = folder_.path() / "results";
    site_.most_characters = 1000;
  }
  ToolOutput of(const std::string& json) { return output_of(RawJson(json), site_); }
  static std::string text(const ToolOutput& output) {
    if (const auto* words = std::get_if<std::string>(&output.content)) return *words;
    std::string all;
    for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(output.content)) {
      const auto* words = std::get_if<TextBlock>(&block);
      all += words != nullptr ? words->text + "|" : "[]|";
    }
    return all;
  }

  TemporaryFolder folder_ = TemporaryFolder::make("mcp-result-").value();
  McpCallSite site_;
};

TEST_F(CallResultTest, TextIsPassedOn) {
  const ToolOutput output =
      of(R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})");
  EXPECT_EQ(text(output), "a|b|");
  EXPECT_EQ(output.result.text, R"([{"type":"text","text":"a"},{"type":"text","text":"b"}])");
  EXPECT_FALSE(output.is_error);
}

TEST_F(CallResultTest, AnErrorOfTheToolIsAnErrorOfTheCall) {
  const ToolOutput output = of(
      R"({"content":[{"type":"text","text":"bad"},{"type":"text","text":"luck"}],"isError":true})");
  EXPECT_TRUE(output.is_error);
  EXPECT_EQ(text(output), "bad\nluck");
  EXPECT_TRUE(of(R"({"content":[],"isError":true})").is_error);
}

TEST_F(CallResultTest, StructuredContentTakesThePlaceOfTheRest) {
  const ToolOutput output =
      of(R"({"content":[{"type":"text","text":"x"}],"structuredContent":{"a": 1}})");
  EXPECT_EQ(text(output), R"({"a":1})");
  EXPECT_EQ(output.result.text, R"({"content":"{\"a\":1}","structuredContent":{"a":1}})");
}

TEST_F(CallResultTest, PicturesAreShownAndKept) {
  const ToolOutput output =
      of(R"({"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]})");
  EXPECT_THAT(text(output), StartsWith("[]|[Image: source: "));
  EXPECT_THAT(text(output), HasSubstr(".png]"));
}

TEST_F(CallResultTest, OtherBytesGoIntoAFile) {
  const ToolOutput output = of(
      R"({"content":[{"type":"audio","data":"aGk=","mimeType":"audio/wav"},)"
      R"({"type":"resource","resource":{"uri":"x://y","blob":"aGk=","mimeType":"../../etc/passwd"}}]})");
  EXPECT_THAT(text(output),
              HasSubstr("[Audio from calc] Binary content (audio/wav, 2 bytes) saved to"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(site_.results_folder)) {
    EXPECT_EQ(read_file(entry.path()), "hi");
    ++files;
  }
  EXPECT_EQ(files, 2);
}

TEST_F(CallResultTest, WhatCannotBeReadIsSaid) {
  EXPECT_THAT(text(of(R"({"content":[{"type":"image","data":"!!","mimeType":"image/png"}]})")),
              HasSubstr("cannot be read"));
  EXPECT_THAT(text(of(R"({"content":[{"type":"hologram"}]})")), HasSubstr("not known"));
  EXPECT_TRUE(of(R"({"content":"no list"})").is_error);
  EXPECT_TRUE(of("7").is_error);
  EXPECT_TRUE(of("null").is_error);
}

TEST_F(CallResultTest, NothingIsSaidToBeNothing) {
  EXPECT_EQ(text(of(R"({"content":[]})")), "(mcp__calc__add completed with no output)");
}

TEST_F(CallResultTest, LinksAndResources) {
  const ToolOutput output =
      of(R"({"content":[{"type":"resource_link","uri":"x://y","name":"Y","description":"why"},)"
         R"({"type":"resource","resource":{"uri":"x://z","text":"zed"}}],"_meta":{"k":1}})");
  EXPECT_EQ(text(output), "[Resource link: Y] x://y (why)|[Resource from calc at x://z] zed|");
  const Json result = output.result.json().value();
  EXPECT_EQ(result["resourceLinks"][0]["uri"].as_string(), "x://y");
  EXPECT_EQ(result["_meta"]["k"].as_int(), 1);
}

TEST_F(CallResultTest, WhatIsTooLongGoesIntoAFile) {
  const std::string line(100, 'x');
  std::string all;
  for (int i = 0; i < 50; ++i) all += line + "\\n";
  const ToolOutput output = of(R"({"content":[{"type":"text","text":")" + all + R"("}]})");
  EXPECT_THAT(text(output), StartsWith("Error: result (5,050 characters across 50 lines) exceeds"));
  EXPECT_FALSE(output.is_error);
  for (const auto& entry : std::filesystem::directory_iterator(site_.results_folder)) {
    EXPECT_EQ(read_file(entry.path())->size(), 5050U);
  }
}

}  // namespace
}  // namespace parley::agent
