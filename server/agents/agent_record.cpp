#include "server/agents/agent_record.hpp"

#include <algorithm>
#include <set>

#include "history/files/lines.hpp"
#include "history/listing/roots.hpp"
#include "wire/json/json.hpp"

namespace parley::server {
namespace {

/// The prompts that a line shows to be recorded: its own, one that became a part of a running turn,
/// and the one it follows. Lines that only announce a prompt (queue-operation) say nothing.
std::vector<std::string_view> recorded_by(const Json& line) {
  const std::string_view type = line["type"].as_string();
  std::vector<std::string_view> uuids = {line["parentUuid"].as_string()};
  if (type == "user") uuids.push_back(line["uuid"].as_string());
  if (type == "attachment") uuids.push_back(line["attachment"]["source_uuid"].as_string());
  return uuids;
}

}  // namespace

AgentRecord read_agent_record(const std::vector<std::string>& roots,
                              const std::string& agent_session,
                              const std::vector<std::string>& prompts) {
  AgentRecord record;
  const auto place = history::find_session({roots, {}}, agent_session);
  if (!place) return record;
  const auto file = history::open_transcript(*place);
  if (!file) return record;
  std::set<std::string, std::less<>> missing(prompts.begin(), prompts.end());
  history::LineReader reader(*file);
  for (history::Line line; reader.next(line);) {
    const bool of_interest =
        !record.found || std::any_of(missing.begin(), missing.end(), [&](const std::string& uuid) {
          return line.text.find(uuid) != std::string_view::npos;
        });
    if (!of_interest) continue;
    // A line that a kill has torn off is no JSON: what it was to say is not recorded.
    const auto json = Json::parse(line.text);
    if (!json) continue;
    const std::string_view type = (*json)["type"].as_string();
    if (type == "user" || type == "assistant") record.found = true;
    for (const std::string_view uuid : recorded_by(*json)) {
      const auto known = missing.find(uuid);
      if (known == missing.end()) continue;
      record.prompts.push_back(*known);
      missing.erase(known);
    }
  }
  return record;
}

bool has_no_conversation(const ResultMessage& result) {
  if (!result.is_error.value_or(false) || !result.errors) return false;
  return std::any_of(result.errors->begin(), result.errors->end(), [](const std::string& error) {
    return error.starts_with("No conversation found with session ID");
  });
}

bool is_session_in_use(std::string_view words) {
  const std::size_t at = words.find("Session ID ");
  return at != std::string_view::npos &&
         words.find(" is already in use", at) != std::string_view::npos;
}

}  // namespace parley::server
