#include "agent/transcript.hpp"

#include <algorithm>
#include <fstream>

#include "agent/uuid.hpp"
#include "agent/version.hpp"
#include "history/listing.hpp"
#include "history/transcript.hpp"
#include "wire/codec.hpp"
#include "wire/ids.hpp"

namespace parley::agent {
namespace {

std::vector<ContentBlock> blocks_of(Content content) {
  if (auto* blocks = std::get_if<std::vector<ContentBlock>>(&content)) return std::move(*blocks);
  std::vector<ContentBlock> blocks;
  blocks.emplace_back(TextBlock{std::get<std::string>(std::move(content)), {}, {}, {}});
  return blocks;
}

/// A message of a transcript without what only its answer had (id, usage, stop reason).
std::optional<MessageParam> param_of(const RawJson& message) {
  const auto json = message.json();
  if (!json || !(*json)["role"].is_string() || json->find("content") == nullptr) return {};
  const Json bare = Json::object({{"role", (*json)["role"]}, {"content", (*json)["content"]}});
  auto param = RawJson(bare.dump()).as<MessageParam>();
  if (!param) return {};
  return *std::move(param);
}

}  // namespace

void add_to_conversation(std::vector<MessageParam>& messages, MessageParam message) {
  if (messages.empty() || messages.back().role != message.role) {
    messages.push_back(std::move(message));
    return;
  }
  std::vector<ContentBlock> blocks = blocks_of(std::move(messages.back().content));
  for (ContentBlock& block : blocks_of(std::move(message.content))) {
    blocks.push_back(std::move(block));
  }
  // The API wants the results of tools before everything else.
  std::stable_partition(blocks.begin(), blocks.end(), [](const ContentBlock& block) {
    return std::holds_alternative<ToolResultBlock>(block);
  });
  messages.back().content = std::move(blocks);
}

void Transcript::resume(const EarlierRun& run) {
  const std::lock_guard lock(mutex_);
  place_ = run.place;
  last_uuid_ = run.last_uuid;
}

history::SessionPlace Transcript::place() const {
  if (place_) return *place_;
  return {setup_.root, project_folder_name(setup_.cwd), setup_.session_id};
}

std::string Transcript::path() const { return place().path(); }

std::string Transcript::add(Json line) {
  const std::lock_guard lock(mutex_);
  Json full = Json::object(
      {{"parentUuid", last_uuid_.empty() ? Json() : Json(last_uuid_)}, {"isSidechain", false}});
  for (auto& [key, value] : line.members()) full.set(key, std::move(value));
  if (full["uuid"].as_string().empty()) full.set("uuid", make_uuid());
  if (full.find("timestamp") == nullptr) full.set("timestamp", timestamp());
  full.set("userType", "external");
  full.set("entrypoint", setup_.entrypoint);
  full.set("cwd", setup_.cwd);
  full.set("sessionId", setup_.session_id);
  full.set("version", kBehavesLike);
  last_uuid_ = full["uuid"].as_string();
  write(full);
  return last_uuid_;
}

void Transcript::note(Json line) {
  const std::lock_guard lock(mutex_);
  line.set("sessionId", setup_.session_id);
  write(line);
}

void Transcript::write(const Json& line) {
  if (!setup_.persist || failure_) return;
  if (!appender_) {
    std::error_code ignored;
    std::filesystem::create_directories(setup_.root, ignored);
    auto opened = history::Appender::open(place());
    if (!opened) {
      failure_ = opened.error();
      return;
    }
    appender_.emplace(*std::move(opened));
  }
  if (auto written = appender_->append(line.dump()); !written) failure_ = written.error();
}

void Transcript::sync() {
  const std::lock_guard lock(mutex_);
  if (!appender_) return;
  if (auto synced = appender_->sync(); !synced && !failure_) failure_ = synced.error();
}

std::optional<Error> Transcript::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
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
  for (const history::Message& message : page->messages) {
    if (!message.message) continue;
    if (auto param = param_of(*message.message)) {
      add_to_conversation(run.messages, *std::move(param));
    }
    run.last_uuid = message.uuid;
    if (message.type == "user") run.uuids.insert(message.uuid);
    if (until && message.uuid == *until) break;
  }
  if (until && run.last_uuid != *until) {
    return Error(ErrorCode::kNotFound, "No message found with message.uuid of: " + *until);
  }
  // Costs are noted beside the conversation; the last note counts.
  std::ifstream file(place->path(), std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (line.find("\"cost-state\"") == std::string::npos) continue;
    if (auto json = Json::parse(line); json && (*json)["type"].as_string() == "cost-state") {
      run.cost_state = *std::move(json);
    }
  }
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
