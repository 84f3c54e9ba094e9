#include "agent/session/conversation.hpp"

#include <gtest/gtest.h>

#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

/// Messages written as [role, content…]; a block is "text", "?id" (a call), "!id" (a result) or "~"
/// (a thought).
using Line = std::vector<std::string>;

MessageParam message(const Line& line) {
  MessageParam param;
  param.role = line.front();
  std::vector<ContentBlock> blocks;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const std::string rest = line[i].empty() ? "" : line[i].substr(1);
    if (line[i].starts_with('?')) {
      ToolUseBlock call;
      call.id = rest;
      call.input = RawJson("{}");
      blocks.emplace_back(std::move(call));
    } else if (line[i].starts_with('!')) {
      ToolResultBlock result;
      result.tool_use_id = rest;
      blocks.emplace_back(std::move(result));
    } else if (line[i] == "~") {
      blocks.emplace_back(ThinkingBlock{"hm", {}, {}});
    } else {
      blocks.emplace_back(TextBlock{line[i], {}, {}, {}});
    }
  }
  param.content = std::move(blocks);
  return param;
}

Line line_of(const MessageParam& param) {
  Line line{param.role};
  if (const auto* text = std::get_if<std::string>(&param.content)) {
    line.push_back(*text);
    return line;
  }
  for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(param.content)) {
    if (const auto* call = std::get_if<ToolUseBlock>(&block)) line.push_back("?" + call->id);
    if (const auto* result = std::get_if<ToolResultBlock>(&block)) {
      line.push_back("!" + result->tool_use_id);
    }
    if (const auto* text = std::get_if<TextBlock>(&block)) line.push_back(text->text);
    if (std::holds_alternative<ThinkingBlock>(block)) line.emplace_back("~");
  }
  return line;
}

struct Case {
  const char* name;
  std::vector<Line> given;
  std::vector<Line> mended;
  std::vector<std::string> open;
};

class Mending : public testing::TestWithParam<Case> {};

TEST_P(Mending, MakesTheConversationWhole) {
  std::vector<MessageParam> given;
  for (const Line& line : GetParam().given) given.push_back(message(line));
  const MendedConversation mended = mend_conversation(std::move(given));
  std::vector<Line> lines;
  for (const MessageParam& param : mended.messages) lines.push_back(line_of(param));
  EXPECT_EQ(lines, GetParam().mended);
  EXPECT_EQ(mended.open_calls, GetParam().open);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Mending,
    testing::Values(
        Case{"whole",
             {{"user", "p"}, {"assistant", "~", "t", "?A"}, {"user", "!A"}, {"assistant", "x"}},
             {{"user", "p"}, {"assistant", "~", "t", "?A"}, {"user", "!A"}, {"assistant", "x"}},
             {}},
        Case{"calls_at_the_end",
             {{"user", "p"}, {"assistant", "t", "?A", "?B"}},
             {{"user", "p"}, {"assistant", "t", "?A", "?B"}},
             {"A", "B"}},
        Case{"one_of_two_done",
             {{"user", "p"}, {"assistant", "?A", "?B"}, {"user", "!A"}},
             {{"user", "p"}, {"assistant", "?A", "?B"}, {"user", "!A"}},
             {"B"}},
        Case{"call_in_the_middle",
             {{"user", "p"}, {"assistant", "t", "?A"}, {"user", "q"}, {"assistant", "x"}},
             {{"user", "p"}, {"assistant", "t"}, {"user", "q"}, {"assistant", "x"}},
             {}},
        Case{"only_a_call_in_the_middle",
             {{"user", "p"}, {"assistant", "~", "?A"}, {"user", "q"}, {"assistant", "x"}},
             {{"user", "p"}, {"assistant", "(no content)"}, {"user", "q"}, {"assistant", "x"}},
             {}},
        Case{"one_of_two_done_in_the_middle",
             {{"user", "p"}, {"assistant", "?A", "?B"}, {"user", "!A", "q"}, {"assistant", "x"}},
             {{"user", "p"}, {"assistant", "?A"}, {"user", "!A", "q"}, {"assistant", "x"}},
             {}},
        Case{"result_without_call",
             {{"user", "p", "!A"}, {"assistant", "x"}},
             {{"user", "p"}, {"assistant", "x"}},
             {}},
        Case{"only_a_result_without_call",
             {{"user", "!A"}, {"assistant", "x"}, {"user", "!B"}},
             {{"user", "(no content)"}, {"assistant", "x"}, {"user", "(no content)"}},
             {}},
        Case{"two_results",
             {{"user", "p"}, {"assistant", "?A"}, {"user", "!A", "!A"}, {"assistant", "x"}},
             {{"user", "p"}, {"assistant", "?A"}, {"user", "!A"}, {"assistant", "x"}},
             {}},
        Case{"the_same_call_again",
             {{"user", "p"},
              {"assistant", "?A"},
              {"user", "!A"},
              {"assistant", "t", "?A"},
              {"user", "!A"}},
             {{"user", "p"},
              {"assistant", "?A"},
              {"user", "!A"},
              {"assistant", "t"},
              {"user", "(no content)"}},
             {}},
        Case{"empty_answer",
             {{"user", "p"}, {"assistant"}, {"user", "q"}},
             {{"user", "p"}, {"assistant", "(no content)"}, {"user", "q"}},
             {}},
        Case{"blank_answer",
             {{"user", "p"}, {"assistant", " \n"}, {"user", "q"}, {"assistant", "x"}},
             {{"user", "p", "q"}, {"assistant", "x"}},
             {}},
        Case{"only_thoughts", {{"user", "p"}, {"assistant", "~"}}, {{"user", "p"}}, {}}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace parley::agent
