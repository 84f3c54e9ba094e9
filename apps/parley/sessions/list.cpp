#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "apps/parley/commands.hpp"
#include "apps/parley/sessions/sessions.hpp"
#include "apps/parley/terminal.hpp"
#include "history/conversation/transcript.hpp"
#include "history/listing/listing.hpp"
#include "history/usage/details.hpp"
#include "wire/codec/codec.hpp"

namespace parley::app {
namespace {

std::string project_name(const history::SessionInfo& info) {
  return info.cwd ? on_one_line(std::filesystem::path(*info.cwd).filename().string())
                  : on_one_line(info.project);
}

void print_table(const std::vector<history::SessionInfo>& sessions, bool long_form) {
  std::vector<Table::Column> columns = {{"SESSION"}, {"CHANGED"}, {"PROJECT"}};
  columns.push_back({"BRANCH"});
  columns.push_back({"SIZE", true});
  if (long_form) columns.push_back({"MESSAGES", true});
  columns.push_back({"COST", true});
  columns.push_back({"TITLE", false, true});
  Table table(columns);
  for (const history::SessionInfo& info : sessions) {
    std::vector<std::string> row = {info.sessionId.substr(0, 8), shown_age(info.lastModified),
                                    fitted(project_name(info), 24),
                                    fitted(on_one_line(info.gitBranch.value_or("")), 20),
                                    shown_size(static_cast<std::uint64_t>(info.fileSize))};
    if (long_form) row.push_back(info.messages ? shown_count(*info.messages) : "");
    row.push_back(info.costUSD ? shown_money(*info.costUSD) : "");
    row.push_back((info.archived.value_or(false) ? "[archived] " : "") +
                  (info.tag ? "[" + on_one_line(*info.tag) + "] " : "") +
                  on_one_line(info.summary));
    table.add(std::move(row));
  }
  std::cout << table.text(output_is_terminal() ? terminal_width() : 1000);
}

}  // namespace

history::Scope SessionsOptions::scope() const {
  history::Scope scope;
  scope.roots = roots.empty() ? history::default_roots([](const char* name) {
    return static_cast<const char*>(std::getenv(name));
  })
                              : roots;
  scope.worktrees = !no_worktrees;
  if (!project.empty()) scope.working_folder = std::filesystem::absolute(project).string();
  while (scope.working_folder.size() > 1 && scope.working_folder.ends_with('/')) {
    scope.working_folder.pop_back();
  }
  if (scope.working_folder.ends_with("/.")) {
    scope.working_folder.resize(scope.working_folder.size() - 2);
  }
  return scope;
}

int fail(const Error& error) {
  std::cerr << "parley: " << printable(error.what()) << '\n';
  return error.code() == ErrorCode::cancelled ? kInterrupted : kFailure;
}

void tell(const history::Report& report) {
  constexpr std::size_t kMost = 5;
  for (std::size_t i = 0; i < std::min(kMost, report.skipped.size()); ++i) {
    std::cerr << "parley: skipped " << on_one_line(report.skipped[i].path) << ": "
              << on_one_line(report.skipped[i].reason) << '\n';
  }
  if (report.skipped.size() > kMost) {
    std::cerr << "parley: skipped " << report.skipped.size() - kMost << " more\n";
  }
  if (report.damaged_lines > 0) {
    std::cerr << "parley: skipped " << report.damaged_lines << " damaged lines\n";
  }
  if (report.oversized_lines > 0) {
    std::cerr << "parley: skipped " << report.oversized_lines << " lines that are too long\n";
  }
}

int list_sessions(const SessionsOptions& options, const ListCommand& command) {
  const Interrupt interrupt;
  history::ListOptions list;
  list.scope = options.scope();
  list.include_programmatic = !command.hide_programmatic;
  list.stop = interrupt.token();
  history::Listing listing = history::list_sessions(list);
  auto& sessions = listing.sessions;
  std::erase_if(sessions, [&](const history::SessionInfo& info) {
    return (command.hide_archived && info.archived.value_or(false)) ||
           (!command.tag.empty() && info.tag != command.tag);
  });
  const std::size_t found = sessions.size();
  if (!command.all && command.limit != 0 && found > command.limit) sessions.resize(command.limit);
  if (command.long_form) {
    ProgressLine progress("Reading");
    listing.report.merge(history::add_details(
        sessions, list.scope, history::Prices::built_in(),
        {interrupt.token(),
         [&](std::uint64_t done, std::uint64_t total) { progress.show(done, total); }}));
  }
  if (interrupt.token().stop_requested()) return kInterrupted;
  if (options.json) {
    std::cout << printable_json(encode(sessions)) << '\n';
  } else if (sessions.empty()) {
    std::cout << "No sessions";
    if (!options.project.empty()) std::cout << " of " << on_one_line(list.scope.working_folder);
    for (const std::string& root : list.scope.roots) std::cout << " in " << on_one_line(root);
    std::cout << ".\n";
  } else {
    print_table(sessions, command.long_form);
    if (found > sessions.size()) {
      std::cout << "\n"
                << found - sessions.size() << " older sessions: parley sessions list --all\n";
    }
  }
  tell(listing.report);
  return kSuccess;
}

int session_info(const SessionsOptions& options, const std::string& session) {
  auto info = history::session_info(options.scope(), session);
  if (!info) return fail(info.error());
  if (options.json) {
    std::cout << printable_json(encode(*info)) << '\n';
    return kSuccess;
  }
  const auto fact = [](const char* name, const std::string& value) {
    if (!value.empty()) std::cout << coloured(name, 1) << on_one_line(value) << '\n';
  };
  history::Report report;
  auto agents = history::list_subagents(info->place(), report);
  fact("Session    ", info->sessionId);
  fact("Title      ", info->summary);
  fact("Prompt     ", info->firstPrompt.value_or(""));
  fact("Tag        ", info->tag.value_or(""));
  fact("Folder     ", info->cwd.value_or(""));
  fact("Branch     ", info->gitBranch.value_or(""));
  fact("Begun      ", info->createdAt ? shown_time(*info->createdAt) : "");
  fact("Changed    ", shown_time(info->lastModified));
  fact("Size       ", shown_size(static_cast<std::uint64_t>(info->fileSize)));
  fact("Cost       ", info->costUSD ? shown_money(*info->costUSD) : "");
  fact("Archived   ", info->archived.value_or(false) ? "yes" : "");
  fact("Subagents  ", agents && !agents->empty() ? std::to_string(agents->size()) : "");
  fact("File       ", info->place().path());
  return kSuccess;
}

int list_agents(const SessionsOptions& options, const std::string& session) {
  auto place = history::find_session(options.scope(), session);
  if (!place) return fail(place.error());
  history::Report report;
  auto agents = history::list_subagents(*place, report);
  if (!agents) return fail(agents.error());
  if (options.json) {
    Json list = Json::array();
    for (const history::Subagent& agent : *agents) {
      Json item = Json::object({{"agentId", agent.agent_id}, {"path", agent.path}});
      if (agent.agent_type) item.set("agentType", *agent.agent_type);
      if (agent.tool_use_id) item.set("toolUseId", *agent.tool_use_id);
      if (agent.parent_agent_id) item.set("parentAgentId", *agent.parent_agent_id);
      list.push(std::move(item));
    }
    std::cout << printable_json(list.dump()) << '\n';
  } else if (agents->empty()) {
    std::cout << "This session has no subagents.\n";
  } else {
    Table table({{"AGENT"}, {"TYPE"}, {"PARENT"}, {"CALL"}});
    for (const history::Subagent& agent : *agents) {
      table.add({on_one_line(agent.agent_id), on_one_line(agent.agent_type.value_or("")),
                 on_one_line(agent.parent_agent_id.value_or("")),
                 on_one_line(agent.tool_use_id.value_or(""))});
    }
    std::cout << table.text(terminal_width());
  }
  tell(report);
  return kSuccess;
}

}  // namespace parley::app
