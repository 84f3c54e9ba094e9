#include "model/demo/demo.hpp"

#include <gtest/gtest.h>

#include "model/demo/rules.hpp"

namespace parley::model {
namespace {

/// A conversation with the demo, whose tools all give the same result.
class Talk {
 public:
  explicit Talk(std::string_view prompt) {
    for (const char* tool : {"Bash", "Read", "Write", "Edit", "Glob", "TodoWrite",
                             "AskUserQuestion", "ExitPlanMode", "TaskCreate", "TaskUpdate"}) {
      tools_.push(Json::object({{"name", tool}}));
    }
    messages_.push(Json::object({{"role", "user"}, {"content", prompt}}));
  }

  void offer_only(const char* tool) { tools_ = Json::array({Json::object({{"name", tool}})}); }
  void replace_prompt(Json content) {
    messages_ = Json::array({Json::object({{"role", "user"}, {"content", std::move(content)}})});
  }

  [[nodiscard]] Choice ask() {
    return Demo().choose(Json::object({{"model", "m"},
                                       {"system", "You are.\nWorking directory: /work/it\nBye"},
                                       {"tools", tools_},
                                       {"messages", messages_}}));
  }

  /// Carries on to the end: the calls as "Tool input", then the last words.
  std::vector<std::string> play(std::string_view result, bool failed = false) {
    std::vector<std::string> story;
    for (int i = 0; i < 20; ++i) {
      const Turn turn = ask().turn;
      EXPECT_TRUE(turn.status || first_text(turn).starts_with("Demo model: "));
      const Json& call = turn.content.empty() ? kNothing : turn.content.back();
      if (call["type"].as_string() != "tool_use") {
        story.push_back(first_text(turn));
        return story;
      }
      story.push_back(std::string(call["name"].as_string()) + " " + call["input"].dump());
      messages_.push(Json::object({{"role", "assistant"}, {"content", Json(turn.content)}}));
      messages_.push(
          Json::object({{"role", "user"},
                        {"content", Json::array({Json::object({{"type", "tool_result"},
                                                               {"tool_use_id", call["id"]},
                                                               {"is_error", failed},
                                                               {"content", result}})})}}));
    }
    ADD_FAILURE() << "the demo does not come to an end";
    return story;
  }

 private:
  static std::string first_text(const Turn& turn) {
    for (const Json& block : turn.content) {
      if (block["type"].as_string() == "text") return std::string(block["text"].as_string());
    }
    return {};
  }

  static inline const Json kNothing;
  Json tools_ = Json::array();
  Json messages_ = Json::array();
};

std::string kind(std::string_view prompt) { return Talk(prompt).ask().label; }

TEST(Demo, KnowsAboutADozenPrompts) {
  EXPECT_EQ(kind("List the files"), "list files");
  EXPECT_EQ(kind("read the file notes.md please"), "read");
  EXPECT_EQ(kind("Show me README.md"), "read");
  EXPECT_EQ(kind("Edit a file"), "edit");
  EXPECT_EQ(kind("Write the file notes.txt"), "write");
  EXPECT_EQ(kind("Run `ls -l | head`"), "run");
  EXPECT_EQ(kind("Ask me something"), "ask");
  EXPECT_EQ(kind("make a plan"), "plan");
  EXPECT_EQ(kind("Make a todo list"), "todo");
  EXPECT_EQ(kind("Fail at something"), "fail");
  EXPECT_EQ(kind("Show me an API error"), "api error");
  EXPECT_EQ(kind("Think about it"), "think");
  EXPECT_EQ(kind("Give me a long answer"), "long answer");
  EXPECT_EQ(kind("Show a table and code"), "table and code");
  EXPECT_EQ(kind("Show me an image"), "image");
  EXPECT_EQ(kind("help"), "help");
  EXPECT_EQ(kind("What is the meaning of life?"), "help");
}

TEST(Demo, EveryExampleLeadsToItsRule) {
  for (const DemoRule& rule : demo_rules()) {
    if (rule.name == "see image") continue;
    EXPECT_EQ(kind(rule.example), rule.name);
  }
}

TEST(Demo, EveryStoryEnds) {
  for (const DemoRule& rule : demo_rules()) {
    EXPECT_FALSE(Talk(rule.example).play("done").empty()) << rule.name;
    EXPECT_FALSE(Talk(rule.example).play("no", true).empty()) << rule.name;
  }
}

TEST(Demo, Files) {
  const auto list = Talk("List the files").play("a.txt\nb.txt");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0], R"(Glob {"pattern":"*"})");
  EXPECT_NE(list[1].find("a.txt\nb.txt"), std::string::npos);

  const auto edit = Talk("Edit a file").play("ok");
  ASSERT_EQ(edit.size(), 3U);
  EXPECT_TRUE(edit[0].starts_with(R"(Write {"file_path":"/work/it/demo-edit.txt")"));
  EXPECT_TRUE(edit[1].starts_with(R"(Edit {"file_path":"/work/it/demo-edit.txt")"));

  EXPECT_EQ(Talk("Read /etc/hosts now").play("x")[0], R"(Read {"file_path":"/etc/hosts"})");
}

TEST(Demo, Commands) {
  EXPECT_EQ(Talk("run echo a && echo b").play("a")[0],
            R"(Bash {"command":"echo a && echo b","description":"Run what the user asked for"})");
  const auto refused = Talk("run ls").play("You may not do that.", true);
  EXPECT_NE(refused[1].find("You may not do that."), std::string::npos);
}

TEST(Demo, TheListAdvances) {
  const auto story = Talk("Make a todo list").play("ok");
  ASSERT_EQ(story.size(), 5U);
  EXPECT_NE(story[1].find(R"("content":"Look around","status":"completed")"), std::string::npos);
  EXPECT_NE(story[3].find(R"("content":"Check the result","status":"completed")"),
            std::string::npos);
}

TEST(Demo, ToolsThatAreNotThere) {
  Talk talk("Ask me something");
  talk.offer_only("Read");
  EXPECT_EQ(talk.play("").back(),
            "Demo model: I would call the tool `AskUserQuestion` now, but this session does not "
            "offer it.");
}

TEST(Demo, OnlyTheLatestPromptCounts) {
  Talk talk("x");
  talk.replace_prompt(Json::array(
      {Json::object({{"type", "text"}, {"text", "<system-reminder>make a plan</system-reminder>"}}),
       Json::object({{"type", "text"}, {"text", "think"}})}));
  EXPECT_EQ(talk.ask().label, "think");
}

TEST(Demo, Images) {
  Talk talk("x");
  talk.replace_prompt(
      Json::parse(R"([{"type":"image","source":{"media_type":"image/png"}}])").value());
  EXPECT_NE(talk.play("").back().find("1 image(s) (image/png)"), std::string::npos);
}

TEST(Demo, OddRequests) {
  EXPECT_EQ(Demo().choose(Json()).label, "aux");
  EXPECT_EQ(
      Demo().choose(Json::parse(R"({"tools":[{}],"messages":[7,{"content":{}}]})").value()).label,
      "help");
}

TEST(Demo, StreamsLikeSomebodyTyping) {
  const Turn turn = Talk("Give me a long answer").ask().turn;
  EXPECT_GT(turn.chunk_delay.count(), 0);
  EXPECT_GT(turn.output_tokens, 500);
  EXPECT_GT(turn.usage_start["input_tokens"].as_int(), 50);
  const std::size_t characters = turn.content[0]["text"].as_string().size();
  EXPECT_LT(characters / turn.chunk * static_cast<std::size_t>(turn.chunk_delay.count()), 8000U);
}

}  // namespace
}  // namespace parley::model
