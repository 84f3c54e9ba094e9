#include "apps/parley/sessions/sessions.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/parley/commands.hpp"

namespace parley::app {
namespace {

/// Everything that parsing fills; it lives as long as the callbacks that refer to it.
struct State {
  SessionsOptions options;
  ListCommand list;
  ShowCommand show;
  SearchCommand search;
  UsageCommand usage;
  ExportCommand exported;
  ForkCommand fork;
  std::string session, title, tag, file, id;
  bool clear_tag = false, yes = false;
};

using Shared = std::shared_ptr<State>;

constexpr const char* kSessionHelp = "Session id, or the beginning of one";

void add_list_options(CLI::App& command, const Shared& state) {
  command.add_option("-n,--limit", state->list.limit, "How many, the latest first")
      ->capture_default_str();
  command.add_flag("-a,--all", state->list.all, "All of them");
  command.add_flag("-l,--long", state->list.long_form,
                   "Also count messages and compute the cost (reads the files whole)");
  command.add_flag("--people", state->list.hide_programmatic, "Leave out sessions run by programs");
  command.add_flag("--active", state->list.hide_archived, "Leave out archived sessions");
  command.add_option("--tag", state->list.tag, "Only sessions with this tag");
}

/// A subcommand about one session.
CLI::App* add_one(CLI::App& sessions, const char* name, const char* help, const Shared& state,
                  int& exit_code, int (*run)(const State&)) {
  CLI::App* command = sessions.add_subcommand(name, help);
  command->add_option("session", state->session, kSessionHelp)->required();
  command->callback([state, &exit_code, run] { exit_code = run(*state); });
  return command;
}

void add_reading(CLI::App& sessions, const Shared& state, int& exit_code) {
  CLI::App* list = sessions.add_subcommand("list", "List sessions, the latest first");
  add_list_options(*list, state);
  list->callback([state, &exit_code] { exit_code = list_sessions(state->options, state->list); });

  add_one(sessions, "info", "Show what is known about a session", state, exit_code,
          [](const State& s) { return session_info(s.options, s.session); });
  add_one(sessions, "tree", "Show all messages with their branches", state, exit_code,
          [](const State& s) { return show_tree(s.options, s.session); });
  add_one(sessions, "agents", "List the subagents of a session", state, exit_code,
          [](const State& s) { return list_agents(s.options, s.session); });

  add_one(sessions, "result", "Show output of tools that the agent stored beside the transcript",
          state, exit_code, [](const State& s) { return show_result(s.options, s.session, s.id); })
      ->add_option("id", state->id, "Id of the call or task; without it, which there are");

  CLI::App* show = add_one(sessions, "show", "Read a conversation, its last messages first of all",
                           state, exit_code, [](const State& s) {
                             ShowCommand command = s.show;
                             command.session = s.session;
                             return show_session(s.options, command);
                           });
  show->add_option("-n,--limit", state->show.limit, "How many messages")->capture_default_str();
  show->add_option("--offset", state->show.offset, "How many to leave out at that end");
  show->add_flag("--first", state->show.first, "From the beginning instead of the end");
  show->add_flag("-a,--all", state->show.all, "The whole conversation");
  show->add_flag("-t,--tools", state->show.tools, "Also thinking and results of tools");
  show->add_flag("--system", state->show.system, "Also system messages");
  show->add_option("--agent", state->show.agent, "The conversation of this subagent");
}

void add_search(CLI::App& sessions, const Shared& state, int& exit_code) {
  CLI::App* search = sessions.add_subcommand("search", "Search the text of all sessions");
  SearchCommand& command = state->search;
  search->add_option("pattern", command.pattern, "Text to look for")->required();
  search->add_flag("-e,--regex", command.regex, "The pattern is a regular expression");
  search->add_flag("-i,--ignore-case", command.ignore_case, "Upper and lower case are the same");
  search->add_option("-C,--context", command.context, "Lines of context around a match");
  search->add_option("-n,--limit", command.limit, "Show so many hits")->capture_default_str();
  search->add_option("--role", command.roles,
                     "Only in: user, assistant, thinking, call, result, tool, system");
  search->add_option("--tool", command.tool, "Only in calls and results of this tool");
  search->add_option("--since", command.since, "Not before this day or time, or 7d for days ago");
  search->add_option("--until", command.until, "Not after this day or time");
  search->footer("Exit code 1 if nothing was found.");
  search->callback(
      [state, &exit_code] { exit_code = search_sessions(state->options, state->search); });
}

void add_usage(CLI::App& sessions, const Shared& state, int& exit_code) {
  CLI::App* usage = sessions.add_subcommand("usage", "Tokens and cost");
  UsageCommand& command = state->usage;
  usage
      ->add_option("by", command.by, "day, week, month, session, project, model or block (5 hours)")
      ->capture_default_str();
  usage->add_option("--since", command.since, "Not before this day or time, or 7d for days ago");
  usage->add_option("--until", command.until, "Not after this day or time");
  usage->add_flag("-m,--models", command.models, "Also each model");
  usage->add_flag("--csv", command.csv, "Comma-separated values");
  usage->add_flag("--chart", command.chart, "A bar chart of the cost");
  usage->add_flag("--utc", command.utc, "Days begin at midnight UTC");
  usage->add_option("--prices", command.prices, "A file of prices that adds to the built-in ones");
  usage->callback([state, &exit_code] { exit_code = show_usage(state->options, state->usage); });
}

void add_changing(CLI::App& sessions, const Shared& state, int& exit_code) {
  add_one(sessions, "rename", "Give a session a title", state, exit_code,
          [](const State& s) { return rename_session(s.options, s.session, s.title); })
      ->add_option("title", state->title, "The new title")
      ->required();
  CLI::App* tag = add_one(sessions, "tag", "Tag a session", state, exit_code, [](const State& s) {
    if (!s.clear_tag && s.tag.empty()) throw CLI::RequiredError("A tag, or --clear,");
    return tag_session(s.options, s.session, s.clear_tag ? std::string() : s.tag);
  });
  auto* tag_name = tag->add_option("tag", state->tag, "The tag");
  auto* clear = tag->add_flag("--clear", state->clear_tag, "Take the tag away");
  tag_name->excludes(clear);
  add_one(sessions, "archive", "Mark a session as archived", state, exit_code,
          [](const State& s) { return archive_session(s.options, s.session, true); });
  add_one(sessions, "unarchive", "Take the mark away", state, exit_code,
          [](const State& s) { return archive_session(s.options, s.session, false); });
  add_one(sessions, "delete", "Delete a session and what belongs to it", state, exit_code,
          [](const State& s) { return delete_session(s.options, s.session, s.yes); })
      ->add_flag("-y,--yes", state->yes, "Do not ask");

  CLI::App* fork = add_one(sessions, "fork", "Copy a conversation into a new session", state,
                           exit_code, [](const State& s) {
                             ForkCommand command = s.fork;
                             command.session = s.session;
                             return fork_session(s.options, command);
                           });
  fork->add_option("--up-to", state->fork.up_to, "The last message to take over, by uuid");
  fork->add_option("--title", state->fork.title, "Title of the copy");

  CLI::App* exported = add_one(sessions, "export", "Write a session to a file", state, exit_code,
                               [](const State& s) {
                                 ExportCommand command = s.exported;
                                 command.session = s.session;
                                 return export_session(s.options, command);
                               });
  exported
      ->add_option("-f,--format", state->exported.format,
                   "markdown, html or jsonl; if not given, as the file's name ends, else markdown")
      ->check(CLI::IsMember({"markdown", "html", "jsonl"}));
  exported->add_option("-o,--output", state->exported.output,
                       "File to write; standard output if none");

  CLI::App* imported = sessions.add_subcommand("import", "Make a session of a JSONL file");
  imported->add_option("file", state->file, "The file")->required();
  imported->footer("It goes to the project given with --project, else of the current folder.");
  imported->callback(
      [state, &exit_code] { exit_code = import_session(state->options, state->file); });
}

}  // namespace

void add_sessions(CLI::App& app, int& exit_code) {
  const auto state = std::make_shared<State>();
  CLI::App* sessions = app.add_subcommand(
      "sessions", "List, read, search, price and change the sessions that agents left on disk");
  sessions->add_option("--root", state->options.roots,
                       "Folder that holds projects/ (again for more); "
                       "CLAUDE_CONFIG_DIR or ~/.claude if none");
  auto* project = sessions->add_option("-p,--project", state->options.project,
                                       "Only this working folder and its git worktrees");
  sessions->add_flag("--no-worktrees", state->options.no_worktrees, "Not the worktrees")
      ->needs(project);
  sessions->add_flag("--json", state->options.json, "Print JSON");
  sessions->require_subcommand(0, 1);
  sessions->fallthrough();
  add_reading(*sessions, state, exit_code);
  add_search(*sessions, state, exit_code);
  add_usage(*sessions, state, exit_code);
  add_changing(*sessions, state, exit_code);
  for (CLI::App* command : sessions->get_subcommands({})) command->fallthrough();
  sessions->footer("Without a command: the latest 20 sessions.");  // last: commands inherit it
  sessions->callback([state, sessions, &exit_code] {
    if (sessions->get_subcommands().empty()) exit_code = list_sessions(state->options, state->list);
  });
}

}  // namespace parley::app
