#include "agent/agents/subagent_transcript.hpp"

#include <filesystem>

#include "agent/version.hpp"
#include "history/conversation/subagents.hpp"
#include "support/random.hpp"
#include "support/time.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string SubagentTranscript::path() const {
  const fs::path session = fs::path(setup_.place.path()).replace_extension();
  return (session / "subagents" / ("agent-" + setup_.identity.id + ".jsonl")).string();
}

void SubagentTranscript::resume(std::string last_uuid) {
  const std::lock_guard lock(mutex_);
  last_uuid_ = std::move(last_uuid);
}

std::string SubagentTranscript::add(Json line) {
  const std::lock_guard lock(mutex_);
  Json full = Json::object({{"parentUuid", last_uuid_.empty() ? Json() : Json(last_uuid_)},
                            {"isSidechain", true},
                            {"agentId", setup_.identity.id}});
  for (auto& [key, value] : line.members()) full.set(key, std::move(value));
  if (full["uuid"].as_string().empty()) full.set("uuid", make_uuid());
  if (full.find("timestamp") == nullptr) full.set("timestamp", timestamp());
  full.set("userType", "external");
  full.set("entrypoint", setup_.entrypoint);
  full.set("cwd", setup_.cwd);
  full.set("sessionId", setup_.place.session_id);
  full.set("version", kBehavesLike);
  last_uuid_ = full["uuid"].as_string();
  write(full);
  return last_uuid_;
}

/// Notes beside the conversation (titles, last prompts) are the session's.
void SubagentTranscript::note(Json /*line*/) {}

void SubagentTranscript::sync() {
  const std::lock_guard lock(mutex_);
  if (appender_ && !appender_->sync()) failed_ = true;
}

void SubagentTranscript::write(const Json& line) {
  if (!setup_.persist || failed_) return;
  if (!appender_) {
    std::error_code ignored;
    fs::create_directories(setup_.place.root, ignored);
    history::AppenderOptions options;
    options.agent_id = setup_.identity.id;
    auto opened = history::Appender::open(setup_.place, options);
    if (!opened) {
      failed_ = true;
      return;
    }
    appender_.emplace(*std::move(opened));
  }
  const std::string text = line.dump();
  if (auto written = appender_->append(text); !written) {
    failed_ = true;
  } else if (setup_.mirror) {
    setup_.mirror(appender_->path(), text);
  }
}

void SubagentTranscript::describe(bool background, bool finished) {
  const std::lock_guard lock(mutex_);
  if (!setup_.persist || failed_) return;
  const SubagentIdentity& identity = setup_.identity;
  Json note = Json::object({{"agentType", identity.kind.name},
                            {"isBuiltIn", identity.kind.built_in},
                            {"description", identity.description},
                            {"toolUseId", identity.tool_use_id}});
  if (!identity.parent_id.empty()) note.set("parentAgentId", identity.parent_id);
  note.set("spawnDepth", identity.depth);
  note.set("requestShape", background ? "background" : "foreground");
  note.set("requestNonInteractive", true);
  if (finished) note.set("finished", true);
  if (!history::write_subagent_note(setup_.place, identity.id, note.dump())) failed_ = true;
  // The file is locked only while somebody writes.
  if (finished) appender_.reset();
}

}  // namespace parley::agent
