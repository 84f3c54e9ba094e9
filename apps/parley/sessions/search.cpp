#include "history/search/search.hpp"

#include <charconv>
#include <iostream>

#include "apps/parley/commands.hpp"
#include "apps/parley/sessions/sessions.hpp"
#include "apps/parley/terminal.hpp"
#include "history/listing/listing.hpp"
#include "history/usage/usage.hpp"
#include "support/time.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
namespace {

constexpr std::int64_t kDayMs = 86400000;

Result<std::vector<history::TextKind>> parse_roles(const std::vector<std::string>& roles) {
  using history::TextKind;
  constexpr TextKind kAll[] = {TextKind::prompt,    TextKind::answer,      TextKind::thinking,
                               TextKind::tool_call, TextKind::tool_result, TextKind::notice};
  std::vector<TextKind> kinds;
  for (const std::string& role : roles) {
    if (role == "tool") {
      kinds.push_back(TextKind::tool_call);
      kinds.push_back(TextKind::tool_result);
      continue;
    }
    bool known = false;
    for (const TextKind kind : kAll) {
      if (to_string(kind) != role) continue;
      kinds.push_back(kind);
      known = true;
    }
    if (!known) {
      return Error(ErrorCode::invalid,
                   "expected user, assistant, thinking, call, result, tool or system", role);
    }
  }
  return kinds;
}

Json hit_json(const history::Hit& hit) {
  Json json = Json::object({{"uuid", hit.uuid},
                            {"timestamp", hit.timestamp},
                            {"role", to_string(hit.kind)},
                            {"before", hit.before},
                            {"match", hit.match},
                            {"after", hit.after}});
  if (!hit.tool.empty()) json.set("tool", hit.tool);
  if (!hit.agent_id.empty()) json.set("agentId", hit.agent_id);
  return json;
}

std::string title_of(const history::SessionPlace& place) {
  auto project = history::open_project(place);
  if (project) {
    auto info = history::read_session_info(*project, place);
    if (info && info->has_value()) return on_one_line((*info)->summary);
  }
  return on_one_line(place.project);
}

void print_session(const history::SessionHits& session) {
  std::cout << coloured(session.place.session_id, kBold) << "  " << shown_age(session.modified_ms)
            << "  " << title_of(session.place) << "\n";
  for (const history::Hit& hit : session.hits) {
    std::cout << "  "
              << coloured(std::string(to_string(hit.kind)) +
                              (hit.tool.empty() ? "" : " " + on_one_line(hit.tool)) + "  " +
                              on_one_line(hit.uuid),
                          kDim)
              << "\n    ";
    std::string text =
        printable(hit.before) + coloured(printable(hit.match), kRed) + printable(hit.after);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 5) {
      text.insert(at + 1, "    ");
    }
    std::cout << text << "\n";
  }
  std::cout << "\n";
}

}  // namespace

Result<std::int64_t> parse_moment(const std::string& text, bool end) {
  if (text.size() > 1 && text.back() == 'd') {
    std::int64_t days = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size() - 1, days);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() - 1 && days >= 0 &&
        days < 100000) {
      return now_ms() - days * kDayMs;
    }
  }
  const auto time = parse_time(text);
  if (!time) {
    return Error(ErrorCode::invalid,
                 "expected a day (2026-11-15), a time (2026-11-15T09:00Z) or days ago (7d)", text);
  }
  if (text.size() != 10) return *time;
  const std::int64_t midnight = *time - history::local_utc_offset(*time) * 1000;
  return end ? midnight + kDayMs : midnight;
}

int search_sessions(const SessionsOptions& options, const SearchCommand& command) {
  auto pattern = command.regex ? history::Pattern::regex(command.pattern, command.ignore_case)
                               : history::Pattern::literal(command.pattern, command.ignore_case);
  if (!pattern) return fail(pattern.error()), kUsage;
  auto roles = parse_roles(command.roles);
  if (!roles) return fail(roles.error()), kUsage;
  const Interrupt interrupt;
  ProgressLine progress("Searching");
  history::SearchOptions search{options.scope(), *pattern};
  search.kinds = *roles;
  search.tool = command.tool;
  search.context_lines = command.context;
  search.most_hits = command.limit;
  search.scan = {interrupt.token(),
                 [&](std::uint64_t done, std::uint64_t total) { progress.show(done, total); }};
  if (!command.since.empty()) {
    auto moment = parse_moment(command.since, false);
    if (!moment) return fail(moment.error()), kUsage;
    search.since_ms = *moment;
  }
  if (!command.until.empty()) {
    auto moment = parse_moment(command.until, true);
    if (!moment) return fail(moment.error()), kUsage;
    search.until_ms = *moment;
  }
  const history::SearchResult result = history::search(search);
  if (interrupt.token().stop_requested()) return kInterrupted;
  if (options.json) {
    Json list = Json::array();
    for (const history::SessionHits& session : result.sessions) {
      Json hits = Json::array();
      for (const history::Hit& hit : session.hits) hits.push(hit_json(hit));
      list.push(Json::object({{"sessionId", session.place.session_id},
                              {"root", session.place.root},
                              {"project", session.place.project},
                              {"lastModified", session.modified_ms},
                              {"hits", hits}}));
    }
    const Json found =
        Json::object({{"hits", static_cast<std::int64_t>(result.hits)}, {"sessions", list}});
    std::cout << printable_json(found.dump()) << '\n';
  } else {
    for (const auto& session : result.sessions) print_session(session);
    std::cout << result.hits << (result.hits == 1 ? " hit" : " hits");
    if (result.hits > command.limit) std::cout << "; shown are " << command.limit;
    std::cout << " in " << result.sessions.size()
              << (result.sessions.size() == 1 ? " session" : " sessions") << "\n";
  }
  tell(result.report);
  return result.hits == 0 ? kFailure : kSuccess;
}

}  // namespace parley::app
