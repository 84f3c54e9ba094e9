// The tools that touch neither files nor processes, and the sandbox's command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "agent/tools/planning/task_list.hpp"
#include "agent/tools/shell/sandbox.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/web/html_text.hpp"
#include "support/random.hpp"
#include "workspace.hpp"

namespace parley::agent {
namespace {

using testing::result_of;
using testing::text_of;
using testing::Workspace;

Json object(const char* text) { return Json::parse(text).value(); }

// ---- lists of work
// -------------------------------------------------------------------------------

TEST(Tasks, AnswerAsRecorded) {
  Workspace work;
  const auto call = [&](const char* tool, const char* input) {
    return work.call(tool, object(input));
  };
  EXPECT_EQ(text_of(call("TaskList", "{}")), "No tasks found");
  const ToolOutput made = call("TaskCreate", R"({"subject":"S1","description":"D1"})");
  EXPECT_EQ(text_of(made), "Task #1 created successfully: S1");
  EXPECT_EQ(made.result.text, R"({"task":{"id":"1","subject":"S1","description":"D1"}})");
  EXPECT_EQ(result_of(call("TaskCreate", R"({"subject":"S2"})"))["task"]["description"].as_string(),
            "S2");
  const ToolOutput changed =
      call("TaskUpdate", R"({"taskId":"2","addBlockedBy":["1"],"owner":"me","subject":"S2b"})");
  EXPECT_EQ(text_of(changed), "Updated task #2 subject, owner, blockedBy");
  EXPECT_EQ(text_of(call("TaskList", "{}")),
            "#1 [pending] S1\n#2 [pending] S2b (me) [blocked by #1]");
  EXPECT_EQ(text_of(call("TaskGet", R"({"taskId":"2"})")),
            "Task #2: S2b\nStatus: pending\nDescription: S2\nBlocked by: #1");
  EXPECT_EQ(text_of(call("TaskGet", R"({"taskId":"1"})")),
            "Task #1: S1\nStatus: pending\nDescription: D1\nBlocks: #2");
  EXPECT_EQ(call("TaskUpdate", R"({"taskId":"1","status":"completed"})").result.text,
            R"({"success":true,"taskId":"1","updatedFields":["status"],)"
            R"("statusChange":{"from":"pending","to":"completed"}})");
  EXPECT_EQ(text_of(call("TaskList", "{}")), "#1 [completed] S1\n#2 [pending] S2b (me)");
  EXPECT_EQ(text_of(call("TaskUpdate", R"({"taskId":"2","status":"deleted"})")),
            "Updated task #2 deleted");
  EXPECT_EQ(text_of(call("TaskGet", R"({"taskId":"2"})")), "Task not found");
  EXPECT_EQ(call("TaskUpdate", R"({"taskId":"9","status":"completed"})").result.text,
            R"({"success":false,"taskId":"9","updatedFields":[],"error":"Task not found"})");
}

TEST(Tasks, AreThereAgainInTheNextRun) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tasks-test-" + make_uuid());
  {
    TaskList list(folder);
    tools::TaskCreateInput input;
    input.subject = "one";
    input.activeForm = "doing one";
    list.add(input);
    input.subject = "two";
    list.add(input);
    input.subject = "three";
    list.add(input);
    tools::TaskUpdateInput change;
    change.taskId = "2";
    change.addBlockedBy = std::vector<std::string>{"1", "3"};
    change.owner = "me";
    list.update(change);
    change = {};
    change.taskId = "3";
    change.status = tools::TaskStatus::deleted;
    list.update(change);
  }
  std::ofstream(folder / "notes.json") << "not an entry";
  std::ofstream(folder / "7.json") << "damaged";
  TaskList again(folder);
  ASSERT_EQ(again.items().size(), 2u);
  EXPECT_EQ(again.find("1")->active_form, "doing one");
  EXPECT_EQ(again.find("1")->blocks, std::vector<std::string>{"2"});
  EXPECT_EQ(again.find("2")->blocked_by, std::vector<std::string>{"1"});
  EXPECT_EQ(again.find("2")->owner, "me");
  tools::TaskCreateInput input;
  input.subject = "new";
  EXPECT_EQ(again.add(input).id, "3");
  std::filesystem::remove_all(folder);
}

TEST(TodoWrite, KeepsTheList) {
  Workspace work;
  const Json todos =
      object(R"({"todos":[{"content":"Do one","status":"in_progress","activeForm":"Doing one"}]})");
  work.call("TodoWrite", todos);
  const Json result = result_of(work.call("TodoWrite", todos));
  EXPECT_EQ(result["oldTodos"], todos["todos"]);
  EXPECT_EQ(result["newTodos"], todos["todos"]);
}

// ---- questions
// -----------------------------------------------------------------------------------

constexpr const char* kQuestions =
    R"([{"question":"What is your favorite color?","header":"Color","options":[{"label":"Red",)"
    R"("description":"A warm color"},{"label":"Blue","description":"A cool color"}],)"
    R"("multiSelect":false},{"question":"Which fruits?","header":"Fruits","options":[)"
    R"({"label":"Apple","description":"a"},{"label":"Pear","description":"p"}],"multiSelect":true}])";

std::string answered(const std::string& rest) {
  Workspace work;
  return text_of(
      work.call("AskUserQuestion",
                object((R"({"questions":)" + std::string(kQuestions) + rest + "}").c_str())));
}

TEST(AskUserQuestion, AnswersAsRecorded) {
  EXPECT_EQ(
      answered(
          R"(,"answers":{"What is your favorite color?":"Red","Which fruits?":"Apple, Pear"})"),
      "Your questions have been answered: \"What is your favorite color?\"=\"Red\", \"Which "
      "fruits?\"=\"Apple, Pear\". You can now continue with these answers in mind.");
  EXPECT_EQ(
      answered(R"(,"answers":{"Which fruits?":["Apple","Pear"]})"),
      "Your questions have been answered: \"Which fruits?\"=\"Apple,Pear\". You can now continue "
      "with these answers in mind.");
  EXPECT_EQ(
      answered(R"(,"answers":{"What is your favorite color?":"Something else, \"quoted\""})"),
      "The user answered: \"What is your favorite color?\"=\"Something else, \"quoted\"\". Read "
      "the answers carefully \u2014 they may request clarification, changes, or that you not "
      "proceed \u2014 and follow what they actually say.");
  EXPECT_EQ(
      answered(R"(,"answers":{"What is your favorite color?":"Red"},"annotations":{)"
               R"("What is your favorite color?":{"notes":"because"},)"
               R"("Which fruits?":{"unanswered":"skipped"}})"),
      "The user answered: \"What is your favorite color?\"=\"Red\" notes: because. Read the "
      "answers carefully \u2014 they may request clarification, changes, or that you not proceed "
      "\u2014 and follow what they actually say.");
  EXPECT_EQ(answered(R"(,"answers":{"0":"Blue","Color":"Blue"})"),
            "The user did not answer the questions.");
  EXPECT_EQ(answered(""), "The user did not answer the questions.");
}

// ---- plan mode
// -----------------------------------------------------------------------------------

TEST(PlanMode, GoesInAndOut) {
  std::atomic<bool> planning = false;
  Workspace work([&](ToolState::Setup& setup) {
    setup.in_plan_mode = [&] { return planning.load(); };
    setup.set_plan_mode = [&](bool on) { planning = on; };
  });
  EXPECT_EQ(
      text_of(work.call("ExitPlanMode", object("{}"))),
      "<tool_use_error>You are not in plan mode. To enter plan mode, call the EnterPlanMode tool "
      "first. If your plan was already approved, continue with "
      "implementation.</tool_use_error>");
  work.call("EnterPlanMode", object("{}"));
  EXPECT_TRUE(planning);
  const ToolOutput out = work.call("ExitPlanMode", object(R"({"plan":"1. Do it"})"));
  EXPECT_FALSE(planning);
  EXPECT_EQ(text_of(out), "User has approved exiting plan mode. You can now proceed.");
  EXPECT_EQ(result_of(out), Json::object({{"plan", Json()},
                                          {"isAgent", false},
                                          {"filePath", work.state().setup().plan_file.string()}}));
}

TEST(PlanMode, ThePlanIsWhatTheFileSays) {
  Workspace work([](ToolState::Setup& setup) { setup.in_plan_mode = [] { return true; }; });
  const auto tool = make_exit_plan_mode();
  const RawJson said(R"({"plan":"what the model says"})");
  const ToolCall call{"t1", said, {}, work.state()};
  EXPECT_EQ(tool->shown_input(call).text, "{}");
  const std::string file = work.state().setup().plan_file.string();
  std::ofstream(file) << "1. Do it\n";
  EXPECT_EQ(tool->shown_input(call).json().value(),
            Json::object({{"plan", "1. Do it\n"}, {"planFilePath", file}}));
  const ToolOutput out = tool->run(call);
  EXPECT_EQ(result_of(out)["plan"].as_string(), "1. Do it\n");
  EXPECT_THAT(text_of(out), ::testing::HasSubstr("1. Do it"));
}

// ---- the web
// -------------------------------------------------------------------------------------

TEST(WebFetch, AsksTheSmallModelAboutThePage) {
  std::string asked;
  Workspace work([&](ToolState::Setup& setup) {
    setup.fetch = [](const std::string& url, const std::stop_token&) -> Result<FetchedPage> {
      if (url == "http://a.test/moved") return FetchedPage{302, "Found", "", "", "/page"};
      if (url == "http://a.test/away") return FetchedPage{302, "Found", "", "", "http://b.test/"};
      if (url == "http://a.test/circle") return FetchedPage{302, "Found", "", "", "/circle"};
      if (url == "http://a.test/none") return FetchedPage{404, "Not Found", "", "", ""};
      if (url == "http://a.test/dead") return Error(ErrorCode::io, "connection refused");
      return FetchedPage{200, "OK", "text/html", "<h1>Hi</h1><script>no</script><p>there</p>", ""};
    };
    setup.ask_model = [&](const std::string& prompt,
                          const std::stop_token&) -> Result<std::string> {
      asked = prompt;
      return std::string("It says hi.");
    };
  });
  const auto fetch = [&](const std::string& path) {
    return work.call("WebFetch",
                     Json::object({{"url", "http://a.test" + path}, {"prompt", "what?"}}));
  };
  const ToolOutput out = fetch("/moved");
  EXPECT_EQ(text_of(out), "It says hi.");
  EXPECT_NE(asked.find("# Hi\n\nthere"), std::string::npos) << asked;
  EXPECT_EQ(asked.find("no<"), std::string::npos);
  const Json result = result_of(out);
  EXPECT_EQ(result["code"].as_int(), 200);
  EXPECT_EQ(result["codeText"].as_string(), "OK");
  EXPECT_EQ(result["url"].as_string(), "http://a.test/moved");
  // Permission was given for one host.
  EXPECT_NE(text_of(fetch("/away")).find("Redirect URL: http://b.test/"), std::string::npos);
  EXPECT_TRUE(fetch("/circle").is_error);
  EXPECT_EQ(text_of(fetch("/none")), "Request failed with status code 404");
  EXPECT_TRUE(fetch("/dead").is_error);
}

TEST(WebFetch, RequestsWhatTheVerdictWasAbout) {
  std::vector<std::string> requested;
  std::string location;
  Workspace work([&](ToolState::Setup& setup) {
    setup.fetch = [&](const std::string& url, const std::stop_token&) -> Result<FetchedPage> {
      requested.push_back(url);
      if (requested.size() == 1) return FetchedPage{302, "Found", "", "", location};
      return FetchedPage{200, "OK", "text/plain", "x", ""};
    };
    setup.ask_model = [](const std::string&, const std::stop_token&) -> Result<std::string> {
      return std::string("ok");
    };
  });
  const auto after = [&](const std::string& to) {
    requested.clear();
    location = to;
    (void)work.call("WebFetch",
                    Json::object({{"url", "HTTP://A.test.:8080/x/y"}, {"prompt", "what?"}}));
    return requested;
  };
  const std::string first = "http://a.test:8080/x/y";
  using Urls = std::vector<std::string>;
  EXPECT_EQ(after("z"), (Urls{first, "http://a.test:8080/x/z"}));
  EXPECT_EQ(after("/z"), (Urls{first, "http://a.test:8080/z"}));
  EXPECT_EQ(after("http://A.TEST:8080/z"), (Urls{first, "http://a.test:8080/z"}));
  for (const auto* other :
       {"//b.test:8080/", "http://a.test/", "http://a.test:8081/", "https://a.test:8080/",
        "http://a.test:8080@b.test:8080/", "http://a.test:8080\\@b.test:8080/",
        "http://u@a.test:8080/", "file:///etc/passwd", "http://b.test:8080\\a.test:8080/"}) {
    EXPECT_EQ(after(other), Urls{first}) << other;
  }
}

TEST(WebFetch, SaysWhenItIsNotThere) {
  Workspace work;
  EXPECT_TRUE(work.call("WebFetch", object(R"({"url":"http://a.test/","prompt":"x"})")).is_error);
  EXPECT_TRUE(
      work.call("WebFetch", object(R"({"url":"file:///etc/passwd","prompt":"x"})")).is_error);
}

TEST(HtmlText, KeepsTheWords) {
  EXPECT_EQ(html_text("<p>a &amp; b &#x41;&#66; &nope; &#0;</p>"), "a & b AB &nope; &#0;");
  EXPECT_EQ(html_text("<ul><li>one<li>two</ul><a href='/x'>link</a>"), "- one\n- two\n[link](/x)");
  EXPECT_EQ(html_text("<!-- gone --><STYLE>gone</Style>x < y"), "x < y");
  EXPECT_EQ(html_text("<script>never closed"), "");
  EXPECT_EQ(html_text("<"), "<");
  EXPECT_EQ(html_text("<a"), "");
  EXPECT_EQ(html_text("&eacute;&Uuml;&yuml;&iexcl;&rarr;&euro;&lsquo;x&rsquo;"), "éÜÿ¡→€‘x’");
  EXPECT_EQ(html_text("<a title='1 > 0' data-href=no href=\"/?a=1&amp;b=2\">x</a>"),
            "[x](/?a=1&b=2)");
  EXPECT_EQ(html_text("<template><p>no</p></template>yes"), "yes");
  EXPECT_EQ(html_text("<p title=\"never closed>text</p>"), "text");
  // A page may be made to take long.
  std::string hostile;
  for (int i = 0; i < 200'000; ++i) hostile += "<a b='\"&<";
  EXPECT_LE(html_text(hostile).size(), hostile.size());
}

// ---- the sandbox
// ---------------------------------------------------------------------------------

TEST(Sandbox, GivesOnlyThePlacesOfTheSession) {
  SandboxSetup setup;
  setup.writable = {"/extra"};
  const std::vector<std::string> line = sandboxed("/usr/bin/bwrap", setup, "/nowhere", "/scratch",
                                                  "/nowhere/d", {"/bin/bash", "-c", "ls"});
  std::string text;
  for (const std::string& word : line) text += word + " ";
  EXPECT_EQ(
      text,
      "/usr/bin/bwrap --die-with-parent --new-session --cap-drop ALL --unshare-pid --unshare-ipc "
      "--unshare-uts --unshare-cgroup-try --unshare-net --ro-bind / / --dev /dev --proc /proc "
      "--tmpfs /tmp --tmpfs /run --bind /nowhere /nowhere --bind /scratch /scratch --bind-try "
      "/extra /extra --tmpfs /nowhere/.claude --remount-ro /nowhere/.claude "
      "--chdir /nowhere/d -- /bin/bash -c ls ");
}

TEST(Sandbox, IsUsedWhereBubblewrapIsThere) {
  // A stand-in that says how it was called.
  Workspace tools;
  tools.write("bin/bwrap", "#!/bin/sh\necho sandboxed \"$2\"\n");
  std::filesystem::permissions(tools.path("bin/bwrap"), std::filesystem::perms(0755));
  Workspace work([&](ToolState::Setup& setup) {
    setup.sandbox.enabled = true;
    setup.environment["PATH"] = tools.path("bin") + ":/usr/bin:/bin";
  });
  Json input = object(R"({"command":"echo plain"})");
  EXPECT_EQ(text_of(work.call("Bash", input)), "sandboxed --new-session");
  input.set("dangerouslyDisableSandbox", true);
  EXPECT_EQ(text_of(work.call("Bash", input)), "plain");
}

TEST(Sandbox, RefusesCommandsWhereBubblewrapIsNotThere) {
  Workspace work([](ToolState::Setup& setup) {
    setup.sandbox.enabled = true;
    setup.environment["PATH"] = "/nowhere";
  });
  Json input = object(R"({"command":"echo ran > mark"})");
  const ToolOutput refused = work.call("Bash", input);
  EXPECT_TRUE(refused.is_error);
  EXPECT_NE(text_of(refused).find("bubblewrap (bwrap), which makes it, is not installed"),
            std::string::npos)
      << text_of(refused);
  EXPECT_FALSE(std::filesystem::exists(work.path("mark")));
  // To leave the sandbox is asked for by name, and has its own verdict.
  input.set("dangerouslyDisableSandbox", true);
  EXPECT_FALSE(work.call("Bash", input).is_error);
  EXPECT_TRUE(std::filesystem::exists(work.path("mark")));
}

TEST(Sandbox, LeavesNoCapabilityEvenToRoot) {
  if (std::system("bwrap --ro-bind / / --unshare-net true 2>/dev/null") != 0) {
    GTEST_SKIP() << "bubblewrap is not installed, or may not make namespaces here";
  }
  Workspace outside;
  Workspace work([](ToolState::Setup& setup) { setup.sandbox.enabled = true; });
  const auto run = [&](const std::string& command) {
    return text_of(work.call("Bash", Json::object({{"command", command}})));
  };
  EXPECT_EQ(run("grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)' /proc/self/status | tr -d '0\\t'"),
            "CapInh:\nCapPrm:\nCapEff:\nCapAmb:\nNoNewPrivs:1");
  run("umount -l /tmp; mount -o remount,bind,rw /; touch '" + outside.path("escaped") + "'");
  EXPECT_FALSE(std::filesystem::exists(outside.path("escaped")));
  EXPECT_EQ(run("ls -A /run | wc -l"), "0");
}

TEST(Sandbox, KeepsCommandsInTheFolder) {
  if (std::system("bwrap --ro-bind / / --unshare-net true 2>/dev/null") != 0) {
    GTEST_SKIP() << "bubblewrap is not installed, or may not make namespaces here";
  }
  Workspace outside;
  Workspace work([](ToolState::Setup& setup) { setup.sandbox.enabled = true; });
  const auto run = [&](const std::string& command) {
    return work.call("Bash", Json::object({{"command", command}}));
  };
  EXPECT_FALSE(run("echo inside > mine.txt").is_error);
  EXPECT_EQ(work.read("mine.txt"), "inside\n");
  EXPECT_TRUE(run("echo outside > /etc/parley-was-here").is_error);
  run("echo outside > '" + outside.path("theirs.txt") + "'");
  EXPECT_FALSE(std::filesystem::exists(outside.path("theirs.txt")));
  EXPECT_TRUE(run("mkdir -p .claude && echo '{}' > .claude/settings.json").is_error);
  EXPECT_FALSE(std::filesystem::exists(work.path(".claude/settings.json")));
  EXPECT_EQ(text_of(run("tail -n +3 /proc/net/dev | grep -v lo: || echo alone")), "alone");
}

}  // namespace
}  // namespace parley::agent
