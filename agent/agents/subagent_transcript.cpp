#include "agent/agents/subagent_transcript.hpp"

#include <filesystem>

#include "history/conversation/subagents.hpp"

namespace parley::agent {

namespace fs = std::filesystem;

SubagentTranscript::SubagentTranscript(Setup setup)
    : setup_(std::move(setup)),
      file_(
          {setup_.cwd, setup_.place.session_id, setup_.entrypoint, setup_.persist, setup_.mirror}) {
  file_.set_place(setup_.place, setup_.identity.id);
}

std::string SubagentTranscript::path() const {
  const fs::path session = fs::path(setup_.place.path()).replace_extension();
  return (session / "subagents" / ("agent-" + setup_.identity.id + ".jsonl")).string();
}

void SubagentTranscript::resume(std::string last_uuid) {
  const std::lock_guard lock(mutex_);
  file_.resume(std::move(last_uuid));
}

std::string SubagentTranscript::add(Json line) {
  const std::lock_guard lock(mutex_);
  return file_.add(Json::object({{"isSidechain", true}, {"agentId", setup_.identity.id}}),
                   std::move(line));
}

/// Notes beside the conversation (titles, last prompts) are the session's.
void SubagentTranscript::note(Json /*line*/) {}

void SubagentTranscript::sync() {
  const std::lock_guard lock(mutex_);
  file_.sync();
}

void SubagentTranscript::describe(bool background, bool finished) {
  const std::lock_guard lock(mutex_);
  if (!file_.works()) return;
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
  if (!history::write_subagent_note(setup_.place, identity.id, note.dump())) file_.give_up();
  if (finished) file_.close();
}

}  // namespace parley::agent
