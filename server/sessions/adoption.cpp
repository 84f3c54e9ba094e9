#include "server/sessions/adoption.hpp"

#include <deque>

#include "history/conversation/transcript.hpp"
#include "server/agents/agent_process.hpp"
#include "server/events/events.hpp"
#include "wire/codec/codec.hpp"

namespace parley::server {
namespace {

/// How much is taken over.
constexpr std::size_t kMostMessages = 5000;
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

/// The end of a conversation as events, and what is missing from it.
Result<std::deque<std::string>> conversation_of(const history::SessionInfo& info) {
  std::deque<std::string> events;
  std::size_t bytes = 0;
  bool earlier = false;
  const auto report =
      history::for_each_message(info.place(), [&](const history::Message& message) -> Result<void> {
        const std::string text = encode(message);
        events.push_back(text.size() > kLongestMessage ? events::left_out("too_long", {}, text)
                                                       : events::agent(text));
        bytes += events.back().size();
        for (; events.size() > kMostMessages || bytes > kMostBytes; events.pop_front()) {
          bytes -= events.front().size();
          earlier = true;
        }
        return {};
      });
  if (!report) return report.error();
  if (const auto lines = report->damaged_lines + report->oversized_lines; lines > 0) {
    events.push_front(
        events::left_out("unreadable", "lines of the transcript: " + std::to_string(lines), {}));
  }
  if (earlier) events.push_front(events::left_out("earlier", {}, {}));
  return events;
}

}  // namespace

Result<Adopted> adopt_conversation(LogStore& store, const history::SessionInfo& info) {
  auto events = conversation_of(info);
  if (!events) return events.error();
  events->push_front(
      events::settings(Json::object({{"cwd", info.cwd.value_or("")},
                                     {"title", info.customTitle.value_or(info.summary)},
                                     {"agent_session", info.sessionId}})));
  events->push_back(events::state("stored", {}));
  auto log = store.open(info.sessionId);
  if (!log) return log.error();
  Adopted adopted{*std::move(log), SessionState(info.sessionId)};
  for (const std::string& event : *events) {
    const auto seq = adopted.log->append(info.lastModified, false, event);
    if (!seq) return seq.error();
    adopted.state.apply(*seq, info.lastModified, event);
  }
  (void)adopted.log->save({adopted.log->last(), adopted.state.snapshot()});
  adopted.log->rest();
  return adopted;
}

}  // namespace parley::server
