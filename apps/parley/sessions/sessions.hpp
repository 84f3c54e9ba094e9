// `parley sessions`: the options of its subcommands and what each does. They are thin over
// history/; sessions.cpp ties them to the command line. Each returns the exit code.
#pragma once

#include <string>
#include <vector>

#include "history/listing/roots.hpp"
#include "wire/error.hpp"

namespace parley::app {

/// Options that all subcommands share.
struct SessionsOptions {
  std::vector<std::string> roots;  ///< Empty: CLAUDE_CONFIG_DIR, else ~/.claude.
  std::string project;             ///< A working folder; empty for all.
  bool no_worktrees = false;       ///< Only that folder, not its git worktrees.
  bool json = false;

  [[nodiscard]] history::Scope scope() const;
};

struct ListCommand {
  std::size_t limit = 20;
  bool all = false;
  bool long_form = false;  ///< Also messages and cost: reads the files whole.
  bool hide_programmatic = false;
  bool hide_archived = false;
  std::string tag;
};
struct ShowCommand {
  std::string session, agent;
  std::size_t limit = 20, offset = 0;
  bool all = false, first = false, system = false, tools = false;
};
struct SearchCommand {
  std::string pattern, tool, since, until;
  std::vector<std::string> roles;
  bool regex = false, ignore_case = false;
  std::size_t context = 0, limit = 200;
};
struct UsageCommand {
  std::string by = "day", since, until, prices;
  bool csv = false, chart = false, utc = false, models = false;
};
struct ExportCommand {
  std::string session, format, output;  ///< No format: as the name of the output ends.
};
struct ForkCommand {
  std::string session, up_to, title;
};

int list_sessions(const SessionsOptions& options, const ListCommand& command);
int session_info(const SessionsOptions& options, const std::string& session);
int show_session(const SessionsOptions& options, const ShowCommand& command);
int show_tree(const SessionsOptions& options, const std::string& session);
int list_agents(const SessionsOptions& options, const std::string& session);
/// Without an id: which there are.
int show_result(const SessionsOptions& options, const std::string& session, const std::string& id);
int search_sessions(const SessionsOptions& options, const SearchCommand& command);
int show_usage(const SessionsOptions& options, const UsageCommand& command);
int rename_session(const SessionsOptions& options, const std::string& session,
                   const std::string& title);
/// An empty tag takes it away.
int tag_session(const SessionsOptions& options, const std::string& session, const std::string& tag);
int archive_session(const SessionsOptions& options, const std::string& session, bool archived);
int delete_session(const SessionsOptions& options, const std::string& session, bool yes);
int fork_session(const SessionsOptions& options, const ForkCommand& command);
int export_session(const SessionsOptions& options, const ExportCommand& command);
int import_session(const SessionsOptions& options, const std::string& file);

/// Says on standard error what went wrong; returns kFailure.
int fail(const Error& error);
/// Says on standard error what was left out, if anything.
void tell(const history::Report& report);
/// "2026-11-15", "2026-11-15T09:00Z" or "7d" (days ago) in milliseconds since 1970. `end` takes a
/// day as its end.
Result<std::int64_t> parse_moment(const std::string& text, bool end);

}  // namespace parley::app
