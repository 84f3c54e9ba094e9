#include "agent/session/transcript_file.hpp"

#include <filesystem>

#include "agent/version.hpp"
#include "support/random.hpp"
#include "support/time.hpp"

namespace parley::agent {

void TranscriptFile::set_place(history::SessionPlace place, std::string agent_id) {
  place_ = std::move(place);
  agent_id_ = std::move(agent_id);
}

std::string TranscriptFile::add(Json head, Json line) {
  Json full = Json::object({{"parentUuid", last_uuid_.empty() ? Json() : Json(last_uuid_)}});
  for (auto& [key, value] : head.members()) full.set(key, std::move(value));
  for (auto& [key, value] : line.members()) full.set(key, std::move(value));
  if (full["uuid"].as_string().empty()) full.set("uuid", make_uuid());
  if (full.find("timestamp") == nullptr) full.set("timestamp", timestamp());
  full.set("userType", "external");
  full.set("entrypoint", setup_.entrypoint);
  full.set("cwd", setup_.cwd);
  full.set("sessionId", setup_.session_id);
  full.set("version", kBehavesLike);
  last_uuid_ = full["uuid"].as_string();
  append(full);
  return last_uuid_;
}

bool TranscriptFile::open() {
  if (appender_) return true;
  std::error_code ignored;
  std::filesystem::create_directories(place_.root, ignored);
  history::AppenderOptions options;
  options.agent_id = agent_id_;
  auto opened = history::Appender::open(place_, options);
  if (!opened) return false;
  appender_.emplace(*std::move(opened));
  return true;
}

void TranscriptFile::append(const Json& line) {
  if (!works()) return;
  const std::string text = line.dump();
  if (!open() || !appender_->append(text)) {
    failed_ = true;
  } else if (setup_.mirror) {
    setup_.mirror(appender_->path(), text);
  }
}

void TranscriptFile::sync() {
  if (appender_ && !appender_->sync()) failed_ = true;
}

}  // namespace parley::agent
