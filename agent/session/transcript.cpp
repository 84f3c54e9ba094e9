#include "agent/session/transcript.hpp"

#include <filesystem>

#include "agent/version.hpp"
#include "support/random.hpp"
#include "support/time.hpp"
#include "wire/ids.hpp"

namespace parley::agent {

void Transcript::resume(const EarlierRun& run) {
  const std::lock_guard lock(mutex_);
  place_ = run.place;
  last_uuid_ = run.last_uuid;
  endings_ = run.endings;
}

history::SessionPlace Transcript::place() const {
  if (place_) return *place_;
  return {setup_.root, project_folder_name(setup_.cwd), setup_.session_id};
}

std::string Transcript::path() const { return place().path(); }

std::string Transcript::add(Json line) {
  const std::lock_guard lock(mutex_);
  for (Json& ending : std::exchange(endings_, {})) add_line(std::move(ending));
  return add_line(std::move(line));
}

std::string Transcript::add_line(Json line) {
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
  if (!setup_.persist || failed_) return;
  if (!appender_) {
    std::error_code ignored;
    std::filesystem::create_directories(setup_.root, ignored);
    auto opened = history::Appender::open(place());
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

void Transcript::sync() {
  const std::lock_guard lock(mutex_);
  if (appender_ && !appender_->sync()) failed_ = true;
}

}  // namespace parley::agent
