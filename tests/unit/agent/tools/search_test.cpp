// Glob, Grep and LS. Everything about Grep is asked of both engines: ripgrep, and our own where
// PATH leads to none.
#include <gtest/gtest.h>

#include <stop_token>

#include "agent/tools/search/glob_pattern.hpp"
#include "support/process/spawn.hpp"
#include "workspace.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;
using testing::result_of;
using testing::text_of;
using testing::Workspace;

void set_age(const Workspace& work, const std::string& name, int hours) {
  fs::last_write_time(work.path(name),
                      fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

class Grep : public ::testing::TestWithParam<bool> {
 protected:
  Grep()
      : work([](ToolState::Setup& setup) {
          if (!GetParam()) setup.environment["PATH"] = "/nowhere";
        }) {
    for (const char* name : {"a.txt", "d/b.txt"})
      work.write(name, "line 1\nline 2\nold text here\nline 4\n");
    work.write(".git/x.txt", "old\n");
    work.write("bin.dat", std::string("old\0\n", 5));
    set_age(work, "a.txt", 2);
    set_age(work, "d/b.txt", 1);
  }
  void SetUp() override {
    if (GetParam() && !find_program("rg", "/usr/bin:/bin")) GTEST_SKIP() << "no ripgrep here";
  }
  ToolOutput grep(Json input) { return work.call("Grep", input); }

  Workspace work;
};

TEST_P(Grep, AnswersAsRecorded) {
  const ToolOutput files = grep(Json::object({{"pattern", "old"}, {"glob", "*.txt"}}));
  EXPECT_EQ(text_of(files), "Found 2 files\nd/b.txt\na.txt");
  EXPECT_EQ(files.result.text, R"({"mode":"files_with_matches","filenames":["d/b.txt","a.txt"],)"
                               R"("numFiles":2,"totalFiles":2})");
  const ToolOutput lines =
      grep(Json::object({{"pattern", "old"}, {"output_mode", "content"}, {"glob", "*.txt"}}));
  EXPECT_EQ(text_of(lines), "a.txt:3:old text here\nd/b.txt:3:old text here");
  EXPECT_EQ(result_of(lines)["totalLines"].as_int(), 2);
  EXPECT_EQ(text_of(grep(
                Json::object({{"pattern", "line"}, {"output_mode", "count"}, {"glob", "*.txt"}}))),
            "a.txt:3\nd/b.txt:3\n\nFound 6 total occurrences across 2 files.");
}

TEST_P(Grep, PassesOverHiddenFiles) {
  Workspace hiding([](ToolState::Setup& setup) {
    if (!GetParam()) setup.environment["PATH"] = "/nowhere";
    setup.hidden_from = [](std::string_view tool) {
      return [tool = std::string(tool)](const fs::path& file) {
        return tool == "Grep" && file.string().find("hidden") != std::string::npos;
      };
    };
  });
  for (const char* name : {"a.txt", "hidden.txt", "hidden/x", "m/hidden:1:y", "z-2-w.txt"})
    hiding.write(name, "line 1\nold\nline 3\nline 4\nline 5\nold\n");
  const auto found = [&](Json input) {
    input.set("pattern", "old");
    return text_of(hiding.call("Grep", input));
  };
  const std::string files = found(Json::object({}));
  EXPECT_EQ(files.substr(0, files.find('\n')), "Found 2 files");
  EXPECT_EQ(files.find("hidden"), std::string::npos) << files;
  EXPECT_EQ(found(Json::object({{"output_mode", "count"}})),
            "a.txt:2\nz-2-w.txt:2\n\nFound 4 total occurrences across 2 files.");
  EXPECT_EQ(found(Json::object({{"output_mode", "content"}})),
            "a.txt:2:old\na.txt:6:old\nz-2-w.txt:2:old\nz-2-w.txt:6:old");
  EXPECT_EQ(found(Json::object({{"output_mode", "content"}, {"-n", false}, {"-A", 1}})),
            "a.txt:old\na.txt-line 3\n--\na.txt:old\n--\nz-2-w.txt:old\nz-2-w.txt-line 3\n--\n"
            "z-2-w.txt:old");
  // A file that is named itself has its own verdict.
  EXPECT_EQ(found(Json::object({{"output_mode", "content"}, {"path", hiding.path("hidden.txt")}})),
            "2:old\n6:old");
}

TEST(HiddenFiles, AreNotListed) {
  Workspace work([](ToolState::Setup& setup) {
    setup.hidden_from = [](std::string_view) {
      return [](const fs::path& file) { return file.filename() == "hidden.txt"; };
    };
  });
  work.write("a.txt", "");
  work.write("hidden.txt", "");
  EXPECT_EQ(text_of(work.call("Glob", Json::object({{"pattern", "*"}}))), "a.txt");
  const std::string list = text_of(work.call("LS", Json::object({{"path", work.path("")}})));
  EXPECT_EQ(list.find("hidden"), std::string::npos) << list;
  EXPECT_NE(list.find("a.txt"), std::string::npos) << list;
}

TEST_P(Grep, Pages) {
  const ToolOutput lines = grep(Json::object({{"pattern", "line"},
                                              {"output_mode", "content"},
                                              {"-n", false},
                                              {"head_limit", 2},
                                              {"offset", 1}}));
  EXPECT_EQ(
      text_of(lines),
      "a.txt:line 2\na.txt:line 4\n\n[Showing results with pagination = limit: 2, offset: 1]");
  EXPECT_EQ(result_of(lines)["appliedLimit"].as_int(), 2);
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "line"}, {"head_limit", 1}}))),
            "Found 1 file limit: 1\nd/b.txt");
}

TEST_P(Grep, ShowsContextAndParts) {
  const std::string file = work.path("a.txt");
  EXPECT_EQ(text_of(grep(Json::object(
                {{"pattern", "old"}, {"path", file}, {"output_mode", "content"}, {"-C", 1}}))),
            "2-line 2\n3:old text here\n4-line 4");
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "TE.T"},
                                       {"path", file},
                                       {"output_mode", "content"},
                                       {"-i", true},
                                       {"-o", true}}))),
            "3:text");
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "line 2\\nold"},
                                       {"path", file},
                                       {"output_mode", "content"},
                                       {"multiline", true}}))),
            "2:line 2\n3:old text here");
}

TEST_P(Grep, AMatchMayBeEmpty) {
  EXPECT_EQ(text_of(grep(Json::object(
                {{"pattern", "z*"}, {"path", work.path("a.txt")}, {"output_mode", "count"}}))),
            text_of(grep(Json::object(
                {{"pattern", "^"}, {"path", work.path("a.txt")}, {"output_mode", "count"}}))));
  EXPECT_EQ(
      text_of(grep(Json::object({{"pattern", "(x|^)"}, {"multiline", true}, {"glob", "*.txt"}}))),
      "Found 2 files\nd/b.txt\na.txt");
}

TEST_P(Grep, RefusesExpressionsThatAreTooLarge) {
  std::string large;
  for (int i = 0; i < 10; ++i) large += "(\\w?){1000}";
  for (const std::string& pattern : {std::string("((\\w?){1000}){1000}"), large}) {
    const ToolOutput refused = grep(Json::object({{"pattern", pattern}}));
    EXPECT_TRUE(refused.is_error) << pattern;
    EXPECT_TRUE(text_of(refused).starts_with("Search failed")) << text_of(refused);
  }
}

TEST_P(Grep, FindsNothingOrFails) {
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "zzzz"}}))), "No files found");
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "zzzz"}, {"output_mode", "content"}}))),
            "No matches found");
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "zzzz"}, {"output_mode", "count"}}))),
            "No matches found\n\nFound 0 total occurrences across 0 files.");
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "l"}, {"path", work.path("none")}}))),
            "Path does not exist: " + work.path("none") +
                ". Note: your current working directory is " + work.path() + ".");
  const ToolOutput bad = grep(Json::object({{"pattern", "("}}));
  EXPECT_TRUE(bad.is_error);
  EXPECT_TRUE(text_of(bad).starts_with("Search failed"));
  EXPECT_TRUE(grep(Json::object({{"pattern", "x"}, {"type", "nonsense"}})).is_error);
  EXPECT_EQ(text_of(grep(Json::object({{"pattern", "--files"}}))), "No files found");
}

INSTANTIATE_TEST_SUITE_P(Engines, Grep, ::testing::Bool(),
                         [](const auto& engine) { return engine.param ? "ripgrep" : "own"; });

TEST(GrepOwn, CanBeStopped) {
  Workspace work([](ToolState::Setup& setup) { setup.environment["PATH"] = "/nowhere"; });
  work.write("long.txt", std::string(1'000'000, '\n'));
  std::stop_source stop;
  stop.request_stop();
  const Json input = Json::object({{"pattern", "a"}});
  EXPECT_EQ(text_of(work.call("Grep", input, stop.get_token())), "The search was stopped.");
}

TEST(Glob, AnswersAsRecorded) {
  Workspace work;
  int hours = 9;
  for (const char* name : {"many.txt", "d/b.txt", "d/.h", ".git/x.txt"}) {
    work.write(name, "");
    set_age(work, name, hours--);
  }
  const auto glob = [&](const std::string& pattern) {
    return text_of(work.call("Glob", Json::object({{"pattern", pattern}})));
  };
  EXPECT_EQ(glob("**/*.txt"), "many.txt\nd/b.txt\n.git/x.txt");
  EXPECT_EQ(glob("*.nope"), "No files found");
  EXPECT_EQ(glob("d/*"), "d/b.txt\nd/.h");
  EXPECT_EQ(glob(work.path("d") + "/*"), "d/b.txt\nd/.h");
  EXPECT_EQ(text_of(work.call("Glob", Json::object({{"pattern", "*"}, {"path", work.path("no")}}))),
            "Directory does not exist: " + work.path("no") +
                ". Note: your current working directory is " + work.path() + ".");
  EXPECT_EQ(
      text_of(work.call("Glob", Json::object({{"pattern", "*"}, {"path", work.path("many.txt")}}))),
      "Path is not a directory: " + work.path("many.txt"));
}

TEST(Glob, ListsAtMostAHundred) {
  Workspace work;
  for (int i = 0; i < 120; ++i) work.write("lots/f" + std::to_string(i), "");
  const ToolOutput out = work.call("Glob", Json::object({{"pattern", "lots/*"}}));
  EXPECT_TRUE(
      text_of(out).ends_with("\n(Showing 100 of 120 matching files; 20 more are not listed. "
                             "Narrow the pattern or path to see the rest.)"));
  const Json result = result_of(out);
  EXPECT_EQ(result["numFiles"].as_int(), 100);
  EXPECT_TRUE(result["truncated"].as_bool());
  EXPECT_EQ(result["totalMatches"].as_int(), 120);
}

TEST(Glob, DoesNotFollowLinksInCircles) {
  Workspace work;
  work.write("d/a.txt", "");
  fs::create_directory_symlink(work.path("d"), work.path("d/again"));
  EXPECT_EQ(text_of(work.call("Glob", Json::object({{"pattern", "**/*.txt"}}))), "d/a.txt");
}

TEST(GlobPattern, Matches) {
  struct Case {
    const char *pattern, *path;
    bool matches;
  };
  const Case cases[] = {
      {"*.txt", "a.txt", true},
      {"*.txt", "d/e/a.txt", true},
      {"./*.txt", "d/a.txt", false},
      {"d/*.txt", "d/a.txt", true},
      {"d/*.txt", "d/e/a.txt", false},
      {"**/*.txt", "a.txt", true},
      {"**/*.txt", "d/e/a.txt", true},
      {"src/**", "src/a/b", true},
      {"src/**/b", "src/b", true},
      {"src/**/b", "src/x/y/b", true},
      {"*.{c,h{pp,}}", "x.hpp", true},
      {"*.{c,h{pp,}}", "x.h", true},
      {"*.{c,h{pp,}}", "x.cpp", false},
      {"[a-c]?", "b1", true},
      {"[!a-c]?", "b1", false},
      {"a\\*", "a*", true},
      {"a\\*", "ab", false},
      {"[", "[", true},
      {"{a", "{a", true},
      {"", "a", false},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(GlobPattern::compile(one.pattern).value().matches(one.path), one.matches)
        << one.pattern << " " << one.path;
  }
}

TEST(GlobPattern, TakesHostilePatterns) {
  std::string stars, braces;
  for (int i = 0; i < 200; ++i) stars += "*a";
  EXPECT_FALSE(GlobPattern::compile(stars).value().matches(std::string(5000, 'a') + "b"));
  std::string deep;
  for (int i = 0; i < 50; ++i) deep += "**/a/";
  std::string path;
  for (int i = 0; i < 500; ++i) path += "a/";
  EXPECT_FALSE(GlobPattern::compile(deep + "b").value().matches(path + "c"));
  for (int i = 0; i < 40; ++i) braces += "{a,b}";
  EXPECT_FALSE(GlobPattern::compile(braces).ok());
}

TEST(Ls, Lists) {
  Workspace work;
  for (const char* name : {"b.txt", "a/x", "skip.o"}) work.write(name, "");
  EXPECT_EQ(text_of(work.call(
                "LS", Json::object({{"path", work.path()}, {"ignore", Json::array({"*.o"})}}))),
            "- " + work.path() + "/\n  - a/\n  - b.txt");
}

}  // namespace
}  // namespace parley::agent
