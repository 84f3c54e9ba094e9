// What the demo does with tools. Each rule is a short story; the steps that are done say where in
// it the conversation is.
#include <algorithm>

#include "http/message.hpp"
#include "model/demo/rules.hpp"
#include "support/text/text.hpp"

namespace parley::model {
namespace {

constexpr std::size_t kMostLines = 20;

/// The beginning of a text as a block of code.
std::string quoted(std::string_view text) {
  std::string out = "\n\n```\n";
  std::size_t lines = 0;
  while (!text.empty() && lines++ < kMostLines) {
    const std::string_view line = text.substr(0, text.find('\n'));
    out.append(line).append("\n");
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  if (!text.empty()) out += "...\n";
  return out + "```\n";
}

Turn report_failure(const DemoStep& step) {
  return speak("the tool `" + step.tool + "` did not do it. It said:" + quoted(step.result));
}

/// A word of the prompt that looks like a file's name.
std::string named_file(const DemoSituation& situation, std::string_view otherwise) {
  for (const std::string& word : situation.words()) {
    if (word.find('/') != std::string::npos) return word;
    const auto dot = word.find_last_of('.');
    if (dot != std::string::npos && dot > 0 && dot + 1 < word.size()) return word;
  }
  return std::string(otherwise);
}

Json bash(std::string_view command, std::string_view description) {
  return Json::object({{"command", command}, {"description", description}});
}

// ---- files ----

Turn list_files(const DemoSituation& s) {
  if (s.steps.empty()) {
    if (s.offers("Glob")) {
      return call(s, "I will look which files are here.", "Glob", Json::object({{"pattern", "*"}}));
    }
    return call(s, "I will look which files are here.", "Bash",
                bash("ls -la", "List the files of the folder"));
  }
  const DemoStep& last = s.steps.back();
  if (last.failed) return report_failure(last);
  return speak("this is what I found:" + quoted(last.result));
}

Turn read_file(const DemoSituation& s) {
  const std::string file = named_file(s, "README.md");
  if (s.steps.empty()) {
    return call(s, "I will read `" + file + "`.", "Read",
                Json::object({{"file_path", s.path(file)}}));
  }
  const DemoStep& last = s.steps.back();
  if (last.failed) return report_failure(last);
  const auto lines = std::count(last.result.begin(), last.result.end(), '\n') + 1;
  return speak("`" + file + "` came in " + std::to_string(lines) +
               " lines. It begins:" + quoted(last.result));
}

Turn write_file(const DemoSituation& s) {
  const std::string file = named_file(s, "demo.txt");
  if (s.steps.empty()) {
    return call(s, "I will write `" + file + "`.", "Write",
                Json::object({{"file_path", s.path(file)},
                              {"content", "This file was written by the demo model.\n"}}));
  }
  const DemoStep& last = s.steps.back();
  if (last.failed) return report_failure(last);
  return speak("`" + file + "` is written. Ask me to edit it, and you will see a diff.");
}

/// Makes a file of its own and changes it, so that nothing of the user's is touched.
Turn edit_file(const DemoSituation& s) {
  const std::string path = s.path("demo-edit.txt");
  if (!s.steps.empty() && s.steps.back().failed) return report_failure(s.steps.back());
  switch (s.steps.size()) {
    case 0:
      return call(s, "first I write a small file that can be edited.", "Write",
                  Json::object({{"file_path", path},
                                {"content", "# Shopping\n\n- bread\n- milk\n- apples\n"}}));
    case 1:
      return call(s, "now I change two of its lines.", "Edit",
                  Json::object({{"file_path", path},
                                {"old_string", "- milk\n- apples\n"},
                                {"new_string", "- oat milk\n- apples\n- a bar of chocolate\n"}}));
    default: return speak("the edit is done; the diff shows what changed in `demo-edit.txt`.");
  }
}

/// A red dot of 16 by 16 pixels, as PNG.
constexpr std::string_view kPicture =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAALUlEQVR42mP4TyJgoFTDHQ0NNIRTA6ZSrNrI1YBfNb"
    "KekayB9vFATtKgVWoFAA7VG+OMvXsCAAAAAElFTkSuQmCC";

Turn show_image(const DemoSituation& s) {
  if (!s.steps.empty() && s.steps.back().failed) return report_failure(s.steps.back());
  switch (s.steps.size()) {
    case 0:
      return call(s, "I will make a tiny picture.", "Bash",
                  bash("echo '" + std::string(kPicture) + "' | base64 -d > demo-dot.png",
                       "Write a picture of a red dot"));
    case 1:
      return call(s, "and now I look at it.", "Read",
                  Json::object({{"file_path", s.path("demo-dot.png")}}));
    default:
      return speak(s.steps.back().has_image ? "the picture has arrived: a red dot."
                                            : "the tool gave me no picture.");
  }
}

// ---- commands ----

Turn run_command(const DemoSituation& s) {
  if (s.steps.empty()) {
    std::string command = "uname -a && date";
    const auto words = s.words();
    const bool leads = !words.empty() && (same_ignoring_case(words.front(), "run") ||
                                          same_ignoring_case(words.front(), "execute"));
    const auto blank = s.prompt.find_first_of(" \n");
    if (leads && words.size() > 1 && !same_ignoring_case(words[1], "a")) {
      command = s.prompt.substr(blank + 1);
    }
    command.erase(std::remove(command.begin(), command.end(), '`'), command.end());
    return call(s, "I will run it.", "Bash", bash(command, "Run what the user asked for"));
  }
  const DemoStep& last = s.steps.back();
  if (last.failed) return report_failure(last);
  return speak("it printed:" + quoted(last.result.empty() ? "(nothing)" : last.result));
}

Turn fail(const DemoSituation& s) {
  if (s.steps.empty()) {
    return call(s, "I will do something that cannot work.", "Bash",
                bash("cat /there/is/no/such/file", "Read a file that does not exist"));
  }
  return speak("as promised, that went wrong:" + quoted(s.steps.back().result));
}

// ---- talking to the user ----

Turn ask(const DemoSituation& s) {
  if (s.steps.empty()) {
    const auto option = [](std::string_view label, std::string_view description) {
      return Json::object({{"label", label}, {"description", description}});
    };
    return call(
        s, "I have two questions.", "AskUserQuestion",
        Json::object(
            {{"questions",
              Json::array({Json::object({{"question", "Which colour should the demo have?"},
                                         {"header", "Colour"},
                                         {"options", Json::array({option("Blue", "Calm and cool"),
                                                                  option("Green", "Like a meadow"),
                                                                  option("Red", "Hard to miss")})},
                                         {"multiSelect", false}}),
                           Json::object({{"question", "What should be on the sandwich?"},
                                         {"header", "Sandwich"},
                                         {"options", Json::array({option("Cheese", "A classic"),
                                                                  option("Tomato", "Fresh"),
                                                                  option("Hummus", "Filling")})},
                                         {"multiSelect", true}})})}}));
  }
  const DemoStep& last = s.steps.back();
  if (last.failed) return report_failure(last);
  return speak("thank you. Your answers reached me like this:" + quoted(last.result));
}

Turn plan(const DemoSituation& s) {
  if (!s.steps.empty() && s.steps.back().failed) return report_failure(s.steps.back());
  // An agent that is not in plan mode wants to enter it first.
  const bool entered = !s.steps.empty() && s.steps.front().tool == "EnterPlanMode";
  if (s.steps.empty() && s.offers("EnterPlanMode")) {
    return call(s, "I would rather plan first.", "EnterPlanMode", Json::object());
  }
  const std::size_t steps = s.steps.size() - (entered ? 1 : 0);
  if (steps == 0) {
    return call(
        s, "here is a plan for you to judge.", "ExitPlanMode",
        Json::object({{"plan",
                       "# Plan of the demo\n\n1. Write `demo-plan.txt`\n2. Read it back\n3. "
                       "Tell you about it\n\nNothing else will be touched.\n"}}));
  }
  switch (steps) {
    case 1:
      return call(s, "you agreed, so I begin.", "Write",
                  Json::object({{"file_path", s.path("demo-plan.txt")},
                                {"content", "The plan was carried out.\n"}}));
    case 2:
      return call(s, "now I read it back.", "Read",
                  Json::object({{"file_path", s.path("demo-plan.txt")}}));
    default: return speak("the plan is carried out.");
  }
}

Turn todo_with_list(const DemoSituation& s) {
  const std::size_t done = s.steps.size();
  constexpr std::string_view kTodos[][2] = {{"Look around", "Looking around"},
                                            {"Do the work", "Doing the work"},
                                            {"Check the result", "Checking the result"}};
  if (done > std::size(kTodos)) return speak("all points of the list are done.");
  Json todos = Json::array();
  for (std::size_t i = 0; i < std::size(kTodos); ++i) {
    const char* status = i < done ? "completed" : i == done ? "in_progress" : "pending";
    todos.push(Json::object(
        {{"content", kTodos[i][0]}, {"status", status}, {"activeForm", kTodos[i][1]}}));
  }
  return call(s, done == 0 ? "I make a list and work through it." : "one point further.",
              "TodoWrite", Json::object({{"todos", std::move(todos)}}));
}

Turn todo_with_tasks(const DemoSituation& s) {
  constexpr std::string_view kTasks[] = {"Look around", "Do the work", "Check the result"};
  const std::size_t done = s.steps.size();
  if (done < std::size(kTasks)) {
    return call(s, "a task for the list.", "TaskCreate",
                Json::object({{"subject", kTasks[done]},
                              {"description", "A step of the demo, without consequences"}}));
  }
  const std::size_t updates = done - std::size(kTasks);
  if (updates >= std::size(kTasks)) return speak("all tasks are done.");
  return call(s, "one task further.", "TaskUpdate",
              Json::object({{"taskId", std::to_string(updates + 1)}, {"status", "completed"}}));
}

Turn todo(const DemoSituation& s) {
  if (!s.steps.empty() && s.steps.back().failed) return report_failure(s.steps.back());
  return s.offers("TaskCreate") && !s.offers("TodoWrite") ? todo_with_tasks(s) : todo_with_list(s);
}

// ---- which is which ----

bool starts_with(const DemoSituation& s, std::initializer_list<std::string_view> verbs) {
  const auto words = s.words();
  return !words.empty() && std::any_of(verbs.begin(), verbs.end(), [&](std::string_view verb) {
    return same_ignoring_case(words.front(), verb);
  });
}

bool asks_to_run(const DemoSituation& s) {
  return starts_with(s, {"run", "execute"}) || (s.says("run") && s.says("command"));
}
bool asks_for_picture(const DemoSituation& s) {
  return s.images.empty() && s.says_any({"image", "picture"});
}
bool asks_for_plan(const DemoSituation& s) { return s.says("plan"); }
bool asks_for_todo(const DemoSituation& s) { return s.says_any({"todo", "todos", "tasks"}); }
bool asks_to_be_asked(const DemoSituation& s) {
  return s.says_any({"ask", "question", "questions"});
}
bool asks_for_failure(const DemoSituation& s) {
  return s.says_any({"fail", "failure", "break"}) || (s.says("error") && !s.says("API"));
}
bool asks_to_edit(const DemoSituation& s) { return s.says_any({"edit", "change", "diff"}); }
bool asks_to_write(const DemoSituation& s) {
  return s.says_any({"write", "create"}) && (s.says("file") || !named_file(s, "").empty());
}
bool asks_to_read(const DemoSituation& s) {
  return s.says_any({"read", "open", "show"}) && (s.says("file") || !named_file(s, "").empty());
}
bool asks_for_files(const DemoSituation& s) {
  return s.says_any({"list", "ls", "files", "folder"}) && !s.says("todo");
}

}  // namespace

std::vector<DemoRule> tool_rules() {
  return {
      {"run", "Run `ls -l | head`", asks_to_run, run_command},
      {"todo", "Make a todo list", asks_for_todo, todo},
      {"plan", "Make a plan", asks_for_plan, plan},
      {"ask", "Ask me something", asks_to_be_asked, ask},
      {"fail", "Fail at something", asks_for_failure, fail},
      {"image", "Show me an image", asks_for_picture, show_image},
      {"edit", "Edit a file", asks_to_edit, edit_file},
      {"write", "Write the file notes.txt", asks_to_write, write_file},
      {"read", "Read the file README.md", asks_to_read, read_file},
      {"list files", "List the files", asks_for_files, list_files},
  };
}

}  // namespace parley::model
