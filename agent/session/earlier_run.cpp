#include "agent/session/earlier_run.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include "agent/connection/message_parts.hpp"
#include "agent/session/conversation.hpp"
#include "history/conversation/transcript.hpp"
#include "history/listing/listing.hpp"
#include "wire/codec/codec.hpp"
#include "wire/ids.hpp"

namespace parley::agent {
namespace {

Json json_of(const auto& value) { return RawJson(encode(value)).json().value(); }

std::vector<ToolUseBlock> calls_in(const MessageParam& message) {
  std::vector<ToolUseBlock> calls;
  if (const auto* blocks = std::get_if<std::vector<ContentBlock>>(&message.content)) {
    for (const ContentBlock& block : *blocks) {
      if (const auto* call = std::get_if<ToolUseBlock>(&block)) calls.push_back(*call);
    }
  }
  return calls;
}

/// A call, and the uuid of the line that made it.
struct MadeCall {
  ToolUseBlock call;
  std::string uuid;
};

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Told to the model in place of a result that nobody will ever know.
constexpr const char* kNeverAnswered =
    "[This call was running when the session ended, and its result was lost. It may have done its "
    "work, a part of it or nothing: look before you rely on it or do it again.]";
/// The same for a call that was put off, when only one of several is taken up again.
constexpr const char* kNeverCarriedOut =
    "[A hook put this call off, and it was not carried out. Call it again if it is still needed.]";
/// What the real CLI says for a prompt that got no answer; readers know it and do not show it.
constexpr const char* kNoAnswer = "No response requested.";

/// Notes beside the conversation that matter to who goes on with it.
struct SideNotes {
  Json cost_state;  ///< The last one counts.
  std::vector<Json> checkpoints;
  std::set<std::string> errors;       ///< Uuids of answers that only say that the API failed.
  std::vector<std::string> deferred;  ///< Ids of the calls that hooks put off, in order.
};

SideNotes read_side_notes(const std::string& path) {
  SideNotes notes;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
    if (!has("\"cost-state\"") && !has("\"isApiErrorMessage\"") && !has("\"file-history-") &&
        !has("\"hook_deferred_tool\"")) {
      continue;
    }
    auto json = Json::parse(line);
    if (!json) continue;
    if ((*json)["type"].as_string().starts_with("file-history-")) {
      notes.checkpoints.push_back(*std::move(json));
      continue;
    }
    if ((*json)["attachment"]["type"].as_string() == "hook_deferred_tool") {
      notes.deferred.emplace_back((*json)["attachment"]["toolUseID"].as_string());
    }
    if ((*json)["isApiErrorMessage"].as_bool()) notes.errors.emplace((*json)["uuid"].as_string());
    if ((*json)["type"].as_string() == "cost-state") notes.cost_state = *std::move(json);
  }
  return notes;
}

/// Gives the calls that were never answered a result, and the last prompt an answer. The last of
/// those that hooks put off stays open instead: it is carried out now.
void finish(EarlierRun& run, const std::vector<std::string>& open_calls,
            const std::vector<std::string>& deferred,
            const std::map<std::string, MadeCall>& calls) {
  for (const std::string& id : deferred) {
    if (!contains(open_calls, id)) continue;
    const MadeCall& made = calls.at(id);
    run.deferred = DeferredCall{made.call, made.uuid};
  }
  for (const std::string& id : open_calls) {
    if (run.deferred && run.deferred->call.id == id) continue;
    const char* const text = contains(deferred, id) ? kNeverCarriedOut : kNeverAnswered;
    ToolResultBlock lost;
    lost.tool_use_id = id;
    lost.content = text;
    lost.is_error = true;
    MessageParam result;
    result.role = "user";
    result.content = std::vector<ContentBlock>{std::move(lost)};
    run.endings.push_back(Json::object({{"type", "user"},
                                        {"message", json_of(result)},
                                        {"toolUseResult", text},
                                        {"sourceToolAssistantUUID", calls.at(id).uuid}}));
    add_to_conversation(run.messages, std::move(result));
  }
  if (run.deferred || run.messages.empty() || run.messages.back().role == "assistant") return;
  const ApiMessage answer = synthetic_answer(kNoAnswer).message;
  run.endings.push_back(Json::object({{"message", json_of(answer)}, {"type", "assistant"}}));
  MessageParam param;
  param.role = "assistant";
  param.content = answer.content;
  add_to_conversation(run.messages, std::move(param));
}

}  // namespace

std::optional<MessageParam> message_param(const RawJson& message) {
  const auto json = message.json();
  if (!json || !(*json)["role"].is_string() || json->find("content") == nullptr) return {};
  const Json bare = Json::object({{"role", (*json)["role"]}, {"content", (*json)["content"]}});
  auto param = RawJson(bare.dump()).as<MessageParam>();
  if (!param) return {};
  return *std::move(param);
}

Result<EarlierRun> read_earlier_run(const std::string& root, const std::string& cwd,
                                    const std::string& session_id,
                                    const std::optional<std::string>& until) {
  // The project of this folder first; a session may be resumed from anywhere.
  auto place = history::find_session({{root}, cwd}, session_id);
  if (!place) place = history::find_session({{root}, {}}, session_id);
  if (!place) return place.error();
  auto page = history::read_messages(*place);
  if (!page) return page.error();
  EarlierRun run;
  run.place = *place;
  SideNotes notes = read_side_notes(place->path());
  run.cost_state = std::move(notes.cost_state);
  run.checkpoints = std::move(notes.checkpoints);
  std::vector<MessageParam> messages;
  std::map<std::string, MadeCall> calls;
  for (const history::Message& message : page->messages) {
    if (!message.message) continue;
    auto param =
        notes.errors.contains(message.uuid) ? std::nullopt : message_param(*message.message);
    if (param) {
      for (const ToolUseBlock& call : calls_in(*param)) calls[call.id] = {call, message.uuid};
      add_to_conversation(messages, *std::move(param));
    }
    run.last_uuid = message.uuid;
    if (message.type == "user") run.uuids.insert(message.uuid);
    if (until && message.uuid == *until) break;
  }
  if (until && run.last_uuid != *until) {
    return Error(ErrorCode::kNotFound, "No message found with message.uuid of: " + *until);
  }
  MendedConversation mended = mend_conversation(std::move(messages));
  run.messages = std::move(mended.messages);
  finish(run, mended.open_calls, notes.deferred, calls);
  return run;
}

std::optional<std::string> latest_session(const std::string& root, const std::string& cwd) {
  history::ListOptions options;
  // "Here" is this folder, not another worktree of the same repository.
  options.scope = {{root}, cwd};
  options.scope.worktrees = false;
  options.limit = 1;
  const history::Listing listing = history::list_sessions(options);
  if (listing.sessions.empty()) return std::nullopt;
  return listing.sessions.front().sessionId;
}

std::optional<std::string> session_of_title(const std::string& root, const std::string& cwd,
                                            const std::string& title) {
  history::ListOptions options;
  options.scope = {{root}, cwd};
  std::optional<std::string> found;
  for (const history::SessionInfo& info : history::list_sessions(options).sessions) {
    if (info.customTitle != title) continue;
    if (found) return std::nullopt;
    found = info.sessionId;
  }
  return found;
}

Result<void> fork_transcript(const EarlierRun& from, const std::string& root,
                             const std::string& cwd, const std::string& new_id) {
  std::ifstream file(from.place.path(), std::ios::binary);
  if (!file) return Error(ErrorCode::kNotFound, "cannot read the transcript", from.place.path());
  auto appender = history::Appender::open({root, project_folder_name(cwd), new_id});
  if (!appender) return appender.error();
  for (std::string line; std::getline(file, line);) {
    auto json = Json::parse(line);
    if (!json || !json->is_object()) continue;
    if (json->find("sessionId") != nullptr) json->set("sessionId", new_id);
    if (auto written = appender->append(json->dump()); !written) return written;
    if ((*json)["uuid"].as_string() == from.last_uuid) break;
  }
  return {};
}

}  // namespace parley::agent
