#include "agent/session/transcript.hpp"

#include "wire/ids.hpp"

namespace parley::agent {

Transcript::Transcript(const Setup& setup)
    : session_id_(setup.session_id),
      place_{setup.root, project_folder_name(setup.cwd), setup.session_id},
      file_({setup.cwd, setup.session_id, setup.entrypoint, setup.persist, setup.mirror}) {
  file_.set_place(place_);
}

void Transcript::resume(const EarlierRun& run) {
  const std::lock_guard lock(mutex_);
  file_.set_place(place_ = run.place);
  file_.resume(run.last_uuid);
  endings_ = run.endings;
}

history::SessionPlace Transcript::place() const { return place_; }

std::string Transcript::path() const { return place().path(); }

std::string Transcript::add(Json line) {
  const std::lock_guard lock(mutex_);
  const Json head = Json::object({{"isSidechain", false}});
  for (Json& ending : std::exchange(endings_, {})) file_.add(head, std::move(ending));
  return file_.add(head, std::move(line));
}

void Transcript::note(Json line) {
  const std::lock_guard lock(mutex_);
  line.set("sessionId", session_id_);
  file_.append(line);
}

void Transcript::sync() {
  const std::lock_guard lock(mutex_);
  file_.sync();
}

}  // namespace parley::agent
