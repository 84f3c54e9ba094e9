#include "recorded_client.hpp"

#include <signal.h>
#include <string.h>

#include <future>
#include <map>
#include <mutex>
#include <set>

#include "client/client.hpp"
#include "transport/replay.hpp"

namespace parley::test {
namespace {

using namespace std::chrono_literals;

/// Nothing in a replay takes long; who waits this long has failed.
constexpr auto kPatience = 20s;

/// "system/init", "result/success", "assistant"; empty for control traffic and for what is no
/// message.
std::string delivered_kind(const Json& line) {
  const std::string type(line["type"].as_string());
  if (type.empty() || type.starts_with("control_") || type == "keep_alive") return {};
  const bool has_subtype = type == "system" || type == "result";
  return has_subtype ? type + "/" + std::string(line["subtype"].as_string()) : type;
}

Json json_line(const Json& event) {
  const auto line = Json::parse(event["line"].as_string());
  return line ? *line : Json();
}

int signal_number(std::string_view name) {
  for (int number = 1; number < NSIG; ++number) {
    const char* abbreviation = ::sigabbrev_np(number);
    if (abbreviation != nullptr && name == "SIG" + std::string(abbreviation)) return number;
  }
  return 0;
}

/// Remembers how the process ended.
class ExitWatch : public Observer {
 public:
  void on_exit(const ExitStatus& status) override { promise_.set_value(status); }
  ExitStatus wait() {
    auto future = promise_.get_future();
    if (future.wait_for(kPatience) != std::future_status::ready) return {};
    return future.get();
  }

 private:
  std::promise<ExitStatus> promise_;
};

/// The answers of the recorded client to permission requests, by request id.
class RecordedAnswers {
 public:
  explicit RecordedAnswers(const std::vector<Json>& events) {
    for (const Json& event : events) {
      if (event["dir"].as_string() != "in") continue;
      const Json response = json_line(event)["response"];
      if (!response.is_object()) continue;
      answers_.emplace(response["request_id"].as_string(), response);
    }
  }

  void answer(const PermissionAsk& ask, Reply<PermissionAnswer> reply) {
    const auto found = answers_.find(ask.request_id);
    if (found == answers_.end()) {
      // The recorded client left it open, so this one does as well.
      const std::lock_guard lock(mutex_);
      open_.push_back(std::move(reply));
      return;
    }
    const Json& response = found->second;
    if (response["subtype"].as_string() != "success") {
      return reply.fail(std::string(response["error"].as_string()));
    }
    const Json& decision = response["response"];
    if (decision["behavior"].as_string() == "allow") {
      PermissionAnswer allowed = allow();
      if (const Json* input = decision.find("updatedInput"); input != nullptr) {
        allowed = allow().with_input(RawJson(input->dump()));
      }
      return reply.send(std::move(allowed));
    }
    PermissionAnswer denied = deny(std::string(decision["message"].as_string()));
    if (decision["interrupt"].as_bool()) denied = std::move(denied).and_stop();
    reply.send(std::move(denied));
  }

 private:
  std::map<std::string, Json, std::less<>> answers_;
  std::mutex mutex_;
  std::vector<Reply<PermissionAnswer>> open_;
};

class Driver {
 public:
  explicit Driver(const std::vector<Json>& events)
      : events_(events),
        answers_(events),
        exit_(std::make_shared<ExitWatch>()),
        session_(options(), [this] { return transport(); }) {}

  RunEnd drive() {
    if (auto started = session_.start(); !started) {
      end_.stuck = started.error().what();
      return end_;
    }
    for (const Json& event : events_) {
      const std::string_view direction = event["dir"].as_string();
      if (direction == "in") write(event);
      if (direction == "out") read(event);
      if (!end_.stuck.empty()) break;
    }
    finish();
    return end_;
  }

 private:
  Options options() {
    Options options;
    options.delivery.observer = exit_;
    options.on_permission = [this](const PermissionAsk& ask, Reply<PermissionAnswer> reply) {
      answers_.answer(ask, std::move(reply));
    };
    return options;
  }

  std::unique_ptr<Transport> transport() {
    std::string text;
    for (const Json& event : events_) text += event.dump() + "\n";
    return make_replay_transport(Loop::shared().value(), Recording::parse(text).value());
  }

  void write(const Json& event) {
    if (event["eof"].as_bool()) return session_.end_input();
    const Json line = json_line(event);
    const std::string_view type = line["type"].as_string();
    Result<void> sent;
    if (type == "control_request") {
      ask(line["request"]);
    } else if (type == "control_response") {
      // What was asked is answered by a handler or by the session itself. The rest was an answer
      // to nothing, or a second one.
      const std::string id(line["response"]["request_id"].as_string());
      if (asked_.erase(id) == 0) sent = session_.send_raw(RawJson(line.dump()));
    } else if (const auto message = decode_message(line.dump());
               message && std::holds_alternative<UserMessage>(*message)) {
      sent = send(std::get<UserMessage>(*message), line);
    } else {
      sent = session_.send_raw(RawJson(line.dump()));
    }
    // A CLI that has ended takes no more lines; the recorded client noticed as little.
    if (!sent && session_.alive()) end_.stuck = sent.error().what();
  }

  Result<void> send(const UserMessage& user, const Json& line) {
    Prompt prompt;
    if (const auto* text = std::get_if<std::string>(&user.message.content)) {
      prompt = Prompt(*text);
    } else {
      prompt.content = std::get<std::vector<ContentBlock>>(user.message.content);
    }
    // Lines with more than a prompt holds, or less, are sent as they are.
    const bool plain = !user.priority && !user.shouldQuery && !prompt.content.empty();
    if (!plain) return session_.send_raw(RawJson(line.dump()));
    prompt.uuid = user.uuid;
    const auto sent = session_.send(std::move(prompt));
    if (!sent) return sent.error();
    return {};
  }

  void ask(const Json& request) {
    // The session sends the first one by itself.
    if (request["subtype"].as_string() == "initialize" && !std::exchange(initialized_, true))
      return;
    requests_.push_back(std::async(std::launch::async, [this, body = RawJson(request.dump())] {
      (void)session_.request(body, kPatience);
    }));
  }

  void read(const Json& event) {
    const Json line = json_line(event);
    if (line["type"].as_string() == "control_request") {
      asked_.emplace(line["request_id"].as_string());
    }
    if (line["type"].as_string() == "control_cancel_request") {
      asked_.erase(std::string(line["request_id"].as_string()));
    }
    const std::string expected = delivered_kind(line);
    if (expected.empty()) return;
    const auto message = session_.receive(kPatience);
    if (!message) {
      end_.stuck = expected + ": " + message.error().what();
      return;
    }
    note(*message);
  }

  void note(const Message& message) {
    const Json line = Json::parse(encode_message(message)).value();
    end_.messages.push_back(delivered_kind(line));
    if (const auto* result = std::get_if<ResultMessage>(&message)) {
      end_.results.emplace_back(result->subtype.text());
    }
  }

  /// Nothing more may come, and the process must have ended.
  void finish() {
    while (end_.stuck.empty()) {
      const auto message = session_.receive(kPatience);
      if (!message) break;
      note(*message);
    }
    if (end_.stuck.empty()) end_.exit = exit_->wait();
    session_.close();
    requests_.clear();
  }

  const std::vector<Json>& events_;
  RecordedAnswers answers_;
  std::shared_ptr<ExitWatch> exit_;
  RunEnd end_;
  bool initialized_ = false;
  std::set<std::string, std::less<>> asked_;  ///< By the CLI, and not yet answered.
  Session session_;
  std::vector<std::future<void>> requests_;
};

}  // namespace

RunEnd recorded_end(const std::vector<Json>& events) {
  RunEnd end;
  for (const Json& event : events) {
    const std::string_view direction = event["dir"].as_string();
    if (direction == "exit") {
      if (event["code"].is_number()) end.exit.code = static_cast<int>(event["code"].as_int());
      if (event["signal"].is_string()) {
        end.exit.signal = signal_number(event["signal"].as_string());
      }
    }
    if (direction != "out") continue;
    const Json line = json_line(event);
    const std::string kind = delivered_kind(line);
    if (kind.empty()) continue;
    end.messages.push_back(kind);
    if (kind.starts_with("result/")) end.results.emplace_back(line["subtype"].as_string());
  }
  return end;
}

RunEnd replayed_end(const std::vector<Json>& events) { return Driver(events).drive(); }

}  // namespace parley::test
