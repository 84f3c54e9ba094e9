#include "transport/replay.hpp"

#include <signal.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "support/files/io.hpp"
#include "wire/framing.hpp"
#include "wire/json/json.hpp"

namespace parley {
namespace {

/// Recorders write the number or the name.
std::optional<int> signal_number(const Json& signal) {
  if (signal.is_number()) return static_cast<int>(signal.as_int());
  if (!signal.is_string()) return std::nullopt;
  for (int number = 1; number < NSIG; ++number) {
    const char* name = ::sigabbrev_np(number);
    if (name != nullptr && signal.as_string() == "SIG" + std::string(name)) return number;
  }
  return std::nullopt;
}

std::optional<RecordedEvent> event_of(const Json& json) {
  RecordedEvent event;
  event.line = json["line"].as_string();
  event.newline = !json["no_newline"].as_bool();
  const std::string_view direction = json["dir"].as_string();
  if (direction == "start") {
    event.kind = RecordedEvent::Kind::start;
    for (const Json& argument : json["argv"].items()) {
      event.arguments.emplace_back(argument.as_string());
    }
  } else if (direction == "in") {
    event.kind =
        json["eof"].as_bool() ? RecordedEvent::Kind::input_end : RecordedEvent::Kind::input;
  } else if (direction == "out") {
    event.kind = RecordedEvent::Kind::output;
  } else if (direction == "err") {
    event.kind = RecordedEvent::Kind::error_output;
  } else if (direction == "exit") {
    event.kind = RecordedEvent::Kind::exit;
    if (json["code"].is_number()) event.status.code = static_cast<int>(json["code"].as_int());
    event.status.signal = signal_number(json["signal"]);
  } else {
    return std::nullopt;  // signals and notes of whoever recorded
  }
  return event;
}

/// What makes two lines of a client count as the same: see the header.
struct InputKind {
  std::string kind;
  std::string id;  ///< The id the client chose, if it did.
};

InputKind kind_of(std::string_view text) {
  const auto parsed = Json::parse(text);
  if (!parsed) return {"malformed", ""};
  const Json& line = *parsed;
  const std::string type(line["type"].as_string());
  if (type == "control_request") {
    return {type + "/" + std::string(line["request"]["subtype"].as_string()),
            std::string(line["request_id"].as_string())};
  }
  if (type == "control_response") {
    return {type + "/" + std::string(line["response"]["request_id"].as_string()), ""};
  }
  return {type, std::string(line["uuid"].as_string())};
}

}  // namespace

Result<Recording> Recording::parse(std::string_view text, std::size_t run) {
  LineFramer framer;
  framer.push(text);
  framer.finish();
  Recording recording;
  std::size_t runs = 0;
  int number = 0;
  while (const auto frame = framer.next()) {
    ++number;
    const auto json = Json::parse(frame->text);
    if (!json) {
      return Error(ErrorCode::malformed, json.error().what(), "line " + std::to_string(number));
    }
    auto event = event_of(*json);
    if (!event) continue;
    if (event->kind == RecordedEvent::Kind::start) ++runs;
    // A recording without a start line is one run.
    if (std::max<std::size_t>(runs, 1) - 1 == run) recording.events.push_back(std::move(*event));
  }
  if (recording.events.empty()) {
    return Error(ErrorCode::not_found, "the recording has no run " + std::to_string(run));
  }
  return recording;
}

Result<Recording> Recording::load(const std::filesystem::path& file, std::size_t run) {
  const auto text = read_file(file);
  if (!text) return Error(ErrorCode::not_found, "cannot read the recording", file.string());
  auto recording = parse(*text, run);
  if (!recording) {
    return Error(recording.error().code(), recording.error().what(), file.string());
  }
  return recording;
}

Replayer::Replayer(Recording recording) : recording_(std::move(recording)) {}

std::vector<Replayer::Step> Replayer::advance() {
  std::vector<Step> steps = std::move(answers_);
  answers_.clear();
  for (; next_ < recording_.events.size(); ++next_) {
    const RecordedEvent& event = recording_.events[next_];
    switch (event.kind) {
      case RecordedEvent::Kind::start: break;
      case RecordedEvent::Kind::input:
      case RecordedEvent::Kind::input_end:
        if (!satisfied(event)) return steps;
        break;
      case RecordedEvent::Kind::output:
      case RecordedEvent::Kind::error_output:
        steps.push_back({event.kind, renamed(event.line) + (event.newline ? "\n" : ""), {}});
        break;
      case RecordedEvent::Kind::exit:
        steps.push_back({event.kind, "", event.status});
        next_ = recording_.events.size();
        over_ = true;
        return steps;
    }
  }
  // A recording that was cut short ends with its client.
  if (ended_ && !std::exchange(over_, true)) {
    steps.push_back({RecordedEvent::Kind::exit, "", {}});
  }
  return steps;
}

void Replayer::input(std::string_view line) {
  InputKind kind = kind_of(line);
  if (kind.kind.starts_with("control_request/") && !awaits(kind.kind)) {
    // The recorded client never asked this, so there is nothing to repeat; but who asks waits.
    Json response = Json::object(
        {{"subtype", "success"}, {"request_id", kind.id}, {"response", Json::object()}});
    answers_.push_back(
        {RecordedEvent::Kind::output,
         Json::object({{"type", "control_response"}, {"response", response}}).dump() + "\n",
         {}});
    return;
  }
  arrived_.push_back({std::move(kind.kind), std::move(kind.id)});
}

bool Replayer::awaits(const std::string& kind) const {
  return std::any_of(recording_.events.begin() + static_cast<std::ptrdiff_t>(next_),
                     recording_.events.end(), [&](const RecordedEvent& event) {
                       return event.kind == RecordedEvent::Kind::input &&
                              kind_of(event.line).kind == kind;
                     });
}

bool Replayer::satisfied(const RecordedEvent& event) {
  if (event.kind == RecordedEvent::Kind::input_end) return ended_;
  const InputKind wanted = kind_of(event.line);
  const auto found = std::find_if(arrived_.begin(), arrived_.end(), [&](const Arrived& arrived) {
    return arrived.kind == wanted.kind;
  });
  // A client that has hung up will not say it any more; the recording goes on without.
  if (found == arrived_.end()) return ended_;
  if (!wanted.id.empty() && !found->id.empty()) ids_[wanted.id] = found->id;
  arrived_.erase(found);
  return true;
}

std::string Replayer::renamed(const std::string& line) const {
  std::string result = line;
  for (const auto& [recorded, actual] : ids_) {
    const std::string from = "\"" + recorded + "\"";
    const std::string to = "\"" + actual + "\"";
    for (auto at = result.find(from); at != std::string::npos;
         at = result.find(from, at + to.size())) {
      result.replace(at, from.size(), to);
    }
  }
  return result;
}

std::string Replayer::waiting_for() const {
  if (next_ >= recording_.events.size()) return {};
  const RecordedEvent& event = recording_.events[next_];
  return event.kind == RecordedEvent::Kind::input_end ? "the end of input"
                                                      : kind_of(event.line).kind;
}

namespace {

/// Lives on the loop's thread, like the streams of real transports.
class Player : public std::enable_shared_from_this<Player> {
 public:
  Player(std::shared_ptr<Loop> loop, Recording recording)
      : loop_(std::move(loop)), replayer_(std::move(recording)) {}

  Result<void> start(TransportSink& sink) {
    loop_->run([&] { sink_ = &sink; });
    post([this] { play(); });
    return {};
  }
  void write(std::string bytes) {
    post([this, bytes = std::move(bytes)] {
      framer_.push(bytes);
      while (const auto frame = framer_.next()) replayer_.input(frame->text);
      play();
    });
  }
  void close_input() {
    post([this] {
      replayer_.input_end();
      play();
    });
  }
  void set_paused(bool paused) {
    post([this, paused] {
      paused_ = paused;
      play();
    });
  }
  void stop() {
    post([this] {
      paused_ = false;
      replayer_.input_end();
      play();
      finish({});
    });
  }
  void abandon() {
    loop_->run([this] { sink_ = nullptr; });
  }

 private:
  void post(std::function<void()> task) {
    loop_->post([keep = shared_from_this(), task = std::move(task)] { task(); });
  }

  void play() {
    for (Replayer::Step& step : replayer_.advance()) steps_.push_back(std::move(step));
    while (sink_ != nullptr && !paused_ && !steps_.empty()) {
      const Replayer::Step step = std::move(steps_.front());
      steps_.erase(steps_.begin());
      if (step.kind == RecordedEvent::Kind::exit) {
        finish(step.status);
      } else if (step.kind == RecordedEvent::Kind::error_output) {
        sink_->on_error_output(step.text);
      } else {
        sink_->on_output(step.text);
      }
    }
  }

  void finish(const ExitStatus& status) {
    if (TransportSink* sink = std::exchange(sink_, nullptr)) sink->on_end(status);
  }

  std::shared_ptr<Loop> loop_;
  Replayer replayer_;
  LineFramer framer_;
  TransportSink* sink_ = nullptr;
  std::vector<Replayer::Step> steps_;
  bool paused_ = false;
};

class ReplayTransport final : public Transport {
 public:
  explicit ReplayTransport(std::shared_ptr<Player> player) : player_(std::move(player)) {}
  ~ReplayTransport() override { player_->abandon(); }
  Result<void> start(TransportSink& sink) override { return player_->start(sink); }
  void write(std::string bytes) override { player_->write(std::move(bytes)); }
  [[nodiscard]] std::size_t unsent() const override { return 0; }
  void pause() override { player_->set_paused(true); }
  void resume() override { player_->set_paused(false); }
  void close_input() override { player_->close_input(); }
  void stop() override { player_->stop(); }
  void kill() override { player_->stop(); }

 private:
  std::shared_ptr<Player> player_;
};

}  // namespace

std::unique_ptr<Transport> make_replay_transport(std::shared_ptr<Loop> loop, Recording recording) {
  return std::make_unique<ReplayTransport>(
      std::make_shared<Player>(std::move(loop), std::move(recording)));
}

}  // namespace parley
