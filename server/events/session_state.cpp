#include "server/events/session_state.hpp"

#include <algorithm>
#include <utility>

#include "server/events/events.hpp"

namespace parley::server {
namespace {

constexpr int kSnapshotVersion = 1;
constexpr std::size_t kTitleLength = 80;
/// Of what an agent or a user calls something. Every page gets it for every session.
constexpr std::size_t kMostShown = 256;

constexpr std::pair<Life, std::string_view> kLives[] = {{Life::starting, "starting"},
                                                        {Life::alive, "idle"},
                                                        {Life::ended, "ended"},
                                                        {Life::failed, "failed"},
                                                        {Life::stored, "stored"}};

std::string_view name_of(Life life) {
  for (const auto& [value, name] : kLives) {
    if (value == life) return name;
  }
  return "ended";
}

/// Of a text that is too long the beginning, in whole characters, and that there was more.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

/// The first line of what was said.
std::string title_from(const Json& content) {
  std::string_view text = content.as_string();
  for (const Json& block : content.items()) {
    if (text.empty()) text = block["text"].as_string();
  }
  return shortened(text.substr(0, text.find('\n')), kTitleLength);
}

/// Folds one message of the agent. Those that say nothing about the session as a whole only show
/// that it works.
struct MessageFold {
  std::string& model;
  std::string& mode;
  std::string& title;
  std::string& agent_session;
  double& cost;
  bool& busy;
  bool& answered;
  std::uint64_t& background;
  std::string_view begun = {};    ///< The prompt that the message shows to be begun.
  std::string_view dropped = {};  ///< The prompt that will not be run, at the user's wish.
  bool turn_over = false;

  void operator()(const SystemInit& init) {
    if (init.model) model = shortened(*init.model, kMostShown);
    if (init.permissionMode) mode = shortened(init.permissionMode->text(), kMostShown);
    // Cut, it would be another's.
    if (!init.session_id.empty() && init.session_id.size() <= kMostShown) {
      agent_session = init.session_id;
    }
    busy = true;
  }
  void operator()(const SystemStatus& status) {
    if (status.permissionMode) mode = shortened(status.permissionMode->text(), kMostShown);
  }
  void operator()(const SessionTitleChanged& changed) {
    if (changed.title && !changed.title->empty()) title = shortened(*changed.title, kMostShown);
  }
  void operator()(const UserMessage& message) {
    // The echo of a prompt says that it was taken, not that it runs: one that ran before a crash,
    // and was sent again, is echoed and no more.
    if (message.isReplay.value_or(false)) {
      begun = message.uuid;
    } else {
      busy = answered = true;
    }
  }
  void operator()(const CommandLifecycle& command) {
    if (command.state == "cancelled") dropped = command.command_uuid;
    if (command.state != "queued") begun = command.command_uuid;
  }
  void operator()(const AssistantMessage&) { busy = answered = true; }
  void operator()(const BackgroundTasksChanged& changed) { background = changed.tasks.size(); }
  void operator()(const StreamEvent&) { busy = true; }
  void operator()(const ResultMessage& result) {
    if (result.total_cost_usd) cost = std::max(cost, *result.total_cost_usd);
    turn_over = true;
  }
  template <class Other>
  void operator()(const Other&) {}
};

}  // namespace

void SessionState::touch(std::uint64_t seq, std::int64_t time) {
  last_seq_ = seq;
  if (created_ == 0) created_ = updated_ = prompted_ = time;
}

void SessionState::apply_message(std::uint64_t seq, std::int64_t time, const Message& message) {
  touch(seq, time);
  note_activity(time);
  MessageFold fold{model_, mode_, title_, agent_session_, cost_, busy_, answered_, background_};
  std::visit(fold, message);
  if (!fold.begun.empty()) mark_begun(fold.begun);
  if (!fold.dropped.empty()) mark_delivered(fold.dropped);
  if (fold.turn_over) on_turn_over();
}

void SessionState::apply(std::uint64_t seq, std::int64_t time, std::string_view event) {
  if (const std::string_view line = events::agent_message(event); !line.empty()) {
    if (const auto message = decode_message(line)) return apply_message(seq, time, *message);
    return touch(seq, time);
  }
  touch(seq, time);
  const auto json = Json::parse(event);
  if (!json) return;
  const std::string_view kind = (*json)["kind"].as_string();
  const bool of_a_person = kind == "prompt" || (*json)["reason"].as_string() == "answered";
  if (of_a_person) prompted_ = time;
  if (of_a_person || kind == "request") note_activity(time);
  if (kind == "prompt") return on_prompt(seq, *json);
  if (kind == "state") return on_state(*json);
  if (kind == "settings") return on_settings(*json);
  if (kind == "request") {
    pending_.emplace((*json)["request_id"].as_string(), seq);
  } else if (kind == "resolved") {
    pending_.erase(std::string((*json)["request_id"].as_string()));
  } else if (kind == "taken_back") {
    for (SentPrompt& prompt : prompts_) {
      if (prompt.client_id == (*json)["client_id"].as_string()) prompt.withdrawn = true;
    }
    if (waiting_prompts().empty() && agent_session_.empty()) busy_ = false;
  } else if (kind == "delivered") {
    for (const Json& id : (*json)["client_ids"].items()) mark_delivered(id.as_string());
  }
}

void SessionState::on_prompt(std::uint64_t seq, const Json& event) {
  SentPrompt prompt;
  prompt.client_id = event["client_id"].as_string();
  prompt.seq = seq;
  prompt.content = event["content"];
  prompts_.push_back(std::move(prompt));
  if (title_.empty()) title_ = title_from(event["content"]);
  busy_ = true;
  forget_old_prompts();
}

void SessionState::on_state(const Json& event) {
  const std::string_view name = event["state"].as_string();
  for (const auto& [value, text] : kLives) {
    if (text == name) life_ = value;
  }
  if (life_ == Life::starting || !alive()) background_ = 0;
  if (life_ == Life::starting) {
    cost_before_ += cost_;
    cost_ = 0;
    confirms_ = false;
    busy_ = false;
    // Another process knows only what the last one has left in its record.
    for (SentPrompt& prompt : prompts_) prompt.begun = false;
  } else if (!alive()) {
    busy_ = false;
  }
}

void SessionState::on_settings(const Json& event) {
  for (const auto& [name, member] : {std::pair<const char*, std::string*>{"cwd", &cwd_},
                                     {"model", &model_},
                                     {"mode", &mode_},
                                     {"title", &title_},
                                     {"agent_session", &agent_session_},
                                     {"new_agent_session", &new_agent_session_},
                                     {"client_id", &client_id_}}) {
    if (const Json* value = event.find(name)) *member = value->as_string();
  }
  for (std::string* text : {&model_, &mode_, &title_}) *text = shortened(*text, kMostShown);
  if (agent_session_.empty()) answered_ = false;
}

void SessionState::mark_begun(std::string_view client_id) {
  confirms_ = true;
  for (SentPrompt& prompt : prompts_) {
    if (prompt.client_id == client_id) prompt.begun = prompt.begun_once = true;
  }
}

/// Prompts are taken up in the order in which they came, and several may become one message that
/// has the uuid of the last: what was begun before one that is delivered is delivered, too.
void SessionState::mark_delivered(std::string_view client_id) {
  const SentPrompt* last = find_prompt(client_id);
  if (last == nullptr) return;
  for (SentPrompt& prompt : prompts_) {
    if (&prompt != last && !(prompt.seq < last->seq && prompt.begun_once)) continue;
    prompt.delivered = true;
    prompt.content = Json();
  }
}

/// An agent has its record on the disk before it says that a turn is over. Nothing that it says
/// before proves that: the echo of a prompt, and even an answer to it, may be on their way while
/// the record is only in its memory.
void SessionState::on_turn_over() {
  for (SentPrompt& prompt : prompts_) {
    // An agent that never says which prompt it takes up has taken up all of them, as far as anybody
    // can know.
    if (!confirms_) prompt.begun = prompt.begun_once = true;
    if (!prompt.begun) continue;
    prompt.delivered = true;
    prompt.content = Json();
  }
  busy_ = !waiting_prompts().empty();
}

void SessionState::forget_old_prompts() {
  while (prompts_.size() > kRememberedPrompts && !prompts_.front().owed()) {
    prompts_.pop_front();
  }
}

std::string_view SessionState::name() const {
  // An agent may ask before it has said that it is ready.
  const bool can_ask = life_ == Life::alive || life_ == Life::starting;
  if (can_ask && !pending_.empty()) return "waiting";
  if (life_ != Life::alive) return name_of(life_);
  return busy_ ? "running" : "idle";
}

const SentPrompt* SessionState::find_prompt(std::string_view client_id) const {
  const auto found = std::find_if(prompts_.rbegin(), prompts_.rend(),
                                  [&](const SentPrompt& p) { return p.client_id == client_id; });
  return found == prompts_.rend() ? nullptr : &*found;
}

std::vector<const SentPrompt*> SessionState::waiting_prompts() const {
  std::vector<const SentPrompt*> waiting;
  for (const SentPrompt& prompt : prompts_) {
    if (prompt.owed() && !prompt.begun) waiting.push_back(&prompt);
  }
  return waiting;
}

std::vector<const SentPrompt*> SessionState::owed_prompts() const {
  std::vector<const SentPrompt*> owed;
  for (const SentPrompt& prompt : prompts_) {
    if (prompt.owed()) owed.push_back(&prompt);
  }
  return owed;
}

Json SessionState::summary() const {
  return Json::object({{"id", id_},
                       {"title", title_},
                       {"cwd", cwd_},
                       {"state", name()},
                       {"created", created_},
                       {"updated", updated_},
                       {"prompted", prompted_},
                       {"model", model_},
                       {"mode", mode_},
                       {"cost_usd", cost_before_ + cost_},
                       {"pending", static_cast<std::uint64_t>(pending_.size())},
                       {"background", background_},
                       {"last_seq", last_seq_},
                       {"stored", life_ == Life::stored}});
}

std::string SessionState::headline() const {
  std::string text(name());
  for (const std::string* part : {&title_, &model_, &mode_, &cwd_}) text.append(1, '\n') += *part;
  text += '\n' + std::to_string(cost_before_ + cost_);
  text += '\n' + std::to_string(pending_.size());
  text += '\n' + std::to_string(background_);
  return text;
}

std::string SessionState::snapshot() const {
  Json pending = Json::object();
  for (const auto& [id, seq] : pending_) pending.set(id, seq);
  Json prompts = Json::array();
  for (const SentPrompt& prompt : prompts_) {
    Json item = Json::array({prompt.client_id, prompt.seq, prompt.delivered, prompt.withdrawn});
    if (!prompt.delivered) {
      for (const Json& value : {prompt.content, Json(prompt.begun), Json(prompt.begun_once)}) {
        item.push(value);
      }
    }
    prompts.push(std::move(item));
  }
  return Json::object({{"version", kSnapshotVersion},
                       {"cwd", cwd_},
                       {"title", title_},
                       {"model", model_},
                       {"mode", mode_},
                       {"agent_session", agent_session_},
                       {"new_agent_session", new_agent_session_},
                       {"answered", answered_},
                       {"client_id", client_id_},
                       {"life", name_of(life_)},
                       {"busy", busy_},
                       {"confirms", confirms_},
                       {"created", created_},
                       {"updated", updated_},
                       {"prompted", prompted_},
                       {"background", background_},
                       {"last_seq", last_seq_},
                       {"cost_before", cost_before_},
                       {"cost", cost_},
                       {"pending", pending},
                       {"prompts", prompts}})
      .dump();
}

Result<SessionState> SessionState::restore(const std::string& id, std::string_view snapshot) {
  const auto json = Json::parse(snapshot);
  if (!json) return json.error();
  if ((*json)["version"].as_int() != kSnapshotVersion) {
    return Error(ErrorCode::unexpected, "is a snapshot of another version");
  }
  SessionState state(id);
  state.on_settings(*json);
  for (const auto& [value, text] : kLives) {
    if (text == (*json)["life"].as_string()) state.life_ = value;
  }
  state.busy_ = (*json)["busy"].as_bool();
  state.confirms_ = (*json)["confirms"].as_bool();
  // Those of older servers do not say it; what they resume was answered.
  state.answered_ = (*json)["answered"].as_bool(!state.agent_session_.empty());
  state.created_ = (*json)["created"].as_int();
  state.updated_ = (*json)["updated"].as_int();
  state.prompted_ = (*json)["prompted"].as_int(state.updated_);
  state.background_ = static_cast<std::uint64_t>((*json)["background"].as_int());
  state.last_seq_ = static_cast<std::uint64_t>((*json)["last_seq"].as_int());
  state.cost_before_ = (*json)["cost_before"].as_double();
  state.cost_ = (*json)["cost"].as_double();
  for (const auto& [request, seq] : (*json)["pending"].members()) {
    state.pending_.emplace(request, static_cast<std::uint64_t>(seq.as_int()));
  }
  for (const Json& item : (*json)["prompts"].items()) {
    SentPrompt prompt;
    prompt.client_id = item[0].as_string();
    prompt.seq = static_cast<std::uint64_t>(item[1].as_int());
    prompt.delivered = item[2].as_bool();
    prompt.withdrawn = item[3].as_bool();
    prompt.content = item[4];
    prompt.begun = item[5].as_bool();
    prompt.begun_once = item[6].as_bool();
    state.prompts_.push_back(std::move(prompt));
  }
  return state;
}

}  // namespace parley::server
