#include "agent/agents/earlier_subagent.hpp"

#include <filesystem>

#include "agent/session/conversation.hpp"
#include "agent/session/earlier_run.hpp"
#include "history/conversation/transcript.hpp"
#include "support/files/io.hpp"

namespace parley::agent {
namespace {

/// Told to the model in place of a result that nobody will ever know.
constexpr const char* kLost =
    "[This call was running when the session ended, and its result was lost. Look before you rely "
    "on it or do it again.]";

/// What the note beside the transcript says; null if there is none.
Json note_of(const history::Subagent& agent) {
  const auto text =
      read_file(std::filesystem::path(agent.path).replace_extension(".meta.json").string());
  auto json = Json::parse(text.value_or(""));
  return json ? *std::move(json) : Json();
}

std::vector<MessageParam> whole(std::vector<MessageParam> messages) {
  MendedConversation mended = mend_conversation(std::move(messages));
  std::vector<ContentBlock> results;
  for (const std::string& id : mended.open_calls) {
    ToolResultBlock lost;
    lost.tool_use_id = id;
    lost.content = kLost;
    lost.is_error = true;
    results.emplace_back(std::move(lost));
  }
  if (!results.empty()) {
    MessageParam param;
    param.role = "user";
    param.content = std::move(results);
    add_to_conversation(mended.messages, std::move(param));
  }
  return std::move(mended.messages);
}

}  // namespace

std::optional<EarlierSubagent> read_earlier_subagent(const history::SessionPlace& place,
                                                     const std::string& id,
                                                     const AgentCatalog& catalog) {
  if (!history::is_subagent_id(id)) return std::nullopt;
  history::Report report;
  const auto found = history::open_subagent(place, id, report);
  if (!found) return std::nullopt;
  const Json note = note_of(found->agent);
  auto kind = catalog.find(found->agent.agent_type.value_or("general-purpose"));
  const auto page = history::read_subagent_messages(place, id);
  if (!kind || !page) return std::nullopt;
  EarlierSubagent earlier;
  std::vector<MessageParam> messages;
  for (const history::Message& message : page->messages) {
    if (message.message) {
      if (auto param = message_param(*message.message)) {
        add_to_conversation(messages, *std::move(param));
      }
    }
    earlier.last_uuid = message.uuid;
  }
  if (messages.empty()) return std::nullopt;
  earlier.messages = whole(std::move(messages));
  earlier.identity.id = id;
  earlier.identity.tool_use_id = found->agent.tool_use_id.value_or("");
  earlier.identity.description = note["description"].as_string();
  earlier.identity.parent_id = "";
  earlier.identity.depth = std::max<std::int64_t>(1, note["spawnDepth"].as_int(1));
  earlier.identity.kind = *std::move(kind);
  return earlier;
}

}  // namespace parley::agent
