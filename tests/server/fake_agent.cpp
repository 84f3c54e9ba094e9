// An agent for the tests of the hub: it does what a prompt says, remembers across resumes which
// prompts it has run (as real ones do by their transcripts), and can be killed at any time.
//
//   stream N         N pieces of an answer, then the whole, then the result
//   ask N            asks for permission to run a tool, behind N pieces and the call, all in one
//                    write; the result says how that ended
//   alternate N      N times a piece and a question, some of them withdrawn, all in one write; goes
//                    on when the others are answered
//   say LINES        writes the lines as they are
//   name BYTES       calls its model by a name of that length
//   rate N SECONDS   N pieces a second, each with the time it was written (microseconds)
//   long BYTES       a message of that length
//   noise N          N lines that are no messages
//   die CODE         says why on stderr and exits
//   anything else    is repeated
//
// $FAKE_AGENT_FOLDER/<session>.ran gets the uuid of every prompt before it is run; without the
// variable nothing is remembered.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "wire/json/json.hpp"

namespace {

using parley::Json;

class Agent {
 public:
  Agent(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      for (const std::string flag : {"--session-id", "--resume"}) {
        if (argument == flag && i + 1 < argc) session_ = argv[i + 1];
        if (argument.starts_with(flag + "=")) session_ = argument.substr(flag.size() + 1);
      }
    }
    const char* folder = std::getenv("FAKE_AGENT_FOLDER");
    if (folder == nullptr) return;
    ran_path_ = std::string(folder) + "/" + session_ + ".ran";
    std::ifstream ran(ran_path_);
    for (std::string uuid; std::getline(ran, uuid);) ran_.insert(uuid);
  }

  int run() {
    while (!exit_code_) {
      const auto message = next();
      if (!message) return 0;
      if ((*message)["type"].as_string() == "control_request") answer(*message);
      if ((*message)["type"].as_string() == "user") take(*message);
    }
    return *exit_code_;
  }

 private:
  std::optional<Json> read() {
    std::string line;
    while (std::getline(std::cin, line)) {
      if (auto json = Json::parse(line)) return *std::move(json);
    }
    return std::nullopt;
  }
  std::optional<Json> next() {
    if (waiting_.empty()) return read();
    Json first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }

  void say(Json message) {
    message.set("session_id", session_);
    held_ += message.dump() + "\n";
    if (!holding_) put(std::exchange(held_, {}));
  }
  void put(std::string_view line) {
    for (std::string_view left = line; !left.empty();) {
      const ssize_t written = ::write(STDOUT_FILENO, left.data(), left.size());
      if (written <= 0) std::_Exit(0);
      left.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  std::string id(const char* kind) {
    return session_.substr(0, 8) + "-" + kind + "-" + std::to_string(::getpid()) + "-" +
           std::to_string(++number_);
  }

  void answer(const Json& request) {
    Json body = Json::object();
    if (request["request"]["subtype"].as_string() == "initialize") {
      body.set("models", Json::array({Json::object({{"value", "fake"}, {"displayName", "Fake"}})}));
      body.set("claude_code_version", "0.0.1");
    }
    say(Json::object({{"type", "control_response"},
                      {"response", Json::object({{"subtype", "success"},
                                                 {"request_id", request["request_id"]},
                                                 {"response", body}})}}));
  }

  void take(const Json& message) {
    const std::string uuid(message["uuid"].as_string());
    Json echo = message;
    echo.set("isReplay", true);
    if (!ran_.insert(uuid).second) return say(echo);
    if (!ran_path_.empty()) std::ofstream(ran_path_, std::ios::app) << uuid << std::endl;
    begin("fake");
    say(echo);
    const Json& content = message["message"]["content"];
    perform(
        std::string(content.is_string() ? content.as_string() : content[0]["text"].as_string()));
  }

  void begin(const std::string& model) {
    say(Json::object({{"type", "system"},
                      {"subtype", "init"},
                      {"model", model},
                      {"permissionMode", "default"},
                      {"tools", Json::array()},
                      {"uuid", id("init")}}));
  }

  void perform(const std::string& prompt) {
    std::istringstream words(prompt);
    std::string verb;
    int count = 0;
    words >> verb >> count;
    if (verb == "stream") {
      for (int i = 0; i < count; ++i) piece("word " + std::to_string(i) + " ");
      return finish("streamed " + std::to_string(count));
    }
    if (verb == "rate") {
      int seconds = 1;
      words >> seconds;
      return keep_rate(count, seconds);
    }
    if (verb == "ask") return ask(count);
    if (verb == "alternate") return alternate(count);
    if (verb == "say") {
      put(prompt.substr(4) + "\n");
      return finish("said it");
    }
    if (verb == "name") {
      begin(std::string(static_cast<std::size_t>(count), 'n'));
      return finish("has a name");
    }
    if (verb == "long") {
      piece(std::string(static_cast<std::size_t>(count), 'x'));
      return finish("said much");
    }
    if (verb == "noise") {
      for (int i = 0; i < count; ++i) put("noise \xff " + std::to_string(i) + "\n");
      return finish("made noise");
    }
    if (verb == "die") {
      std::cerr << "the fake agent was told to die" << std::endl;
      exit_code_ = count;
      return;
    }
    finish(prompt);
  }

  void piece(const std::string& text) {
    say(Json::object(
        {{"type", "stream_event"},
         {"event",
          Json::object({{"type", "content_block_delta"},
                        {"index", 0},
                        {"delta", Json::object({{"type", "text_delta"}, {"text", text}})}})},
         {"parent_tool_use_id", nullptr},
         {"uuid", id("piece")}}));
  }

  /// Hundreds of these share the processors with the server that is measured, so a line is not
  /// built anew each time: only the time and the last of the id change.
  void keep_rate(int per_second, int seconds) {
    using Clock = std::chrono::steady_clock;
    const std::string before =
        R"({"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":)"
        R"({"type":"text_delta","text":"at )";
    const std::string between = R"("}},"parent_tool_use_id":null,"uuid":")" + id("rate") + "-";
    const std::string after = R"(","session_id":")" + session_ + "\"}\n";
    std::string line;
    // Those that were asked together must not speak in chorus: each has a beat of its own.
    const auto period = std::chrono::microseconds(1'000'000 / per_second);
    const auto share = static_cast<double>(std::hash<std::string>()(session_) % 1000) / 1000;
    const auto start = Clock::now() + std::chrono::duration_cast<Clock::duration>(period * share);
    const int all = per_second * seconds;
    for (int i = 0; i < all; ++i) {
      std::this_thread::sleep_until(start + i * period);
      const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
          std::chrono::system_clock::now().time_since_epoch());
      line = before + std::to_string(now.count());
      line.append(between).append(std::to_string(i)).append(after);
      put(line);
    }
    finish("kept the rate");
  }

  void question(const std::string& request, const std::string& tool) {
    say(Json::object({{"type", "control_request"},
                      {"request_id", request},
                      {"request", Json::object({{"subtype", "can_use_tool"},
                                                {"tool_name", "Bash"},
                                                {"input", Json::object({{"command", "make"}})},
                                                {"tool_use_id", tool}})}}));
  }

  void alternate(int rounds) {
    std::set<std::string> open;
    holding_ = true;
    for (int i = 0; i < rounds; ++i) {
      const std::string request = "ask " + std::to_string(i);
      piece("before " + request);
      question(request, id("tool"));
      open.insert(request);
      if (i % 3 == 1) piece("behind " + request);
      if (i % 2 == 0) continue;
      say(Json::object({{"type", "control_cancel_request"}, {"request_id", request}}));
      open.erase(request);
    }
    holding_ = false;
    piece("all asked");
    while (!open.empty()) {
      const auto message = read();
      if (!message) return;
      open.erase(std::string((*message)["response"]["request_id"].as_string()));
    }
    finish("alternated");
  }

  void ask(int pieces) {
    const std::string request = id("ask");
    const std::string tool = id("tool");
    holding_ = true;
    for (int i = 0; i < pieces; ++i) piece("word ");
    if (pieces > 0) {
      say(Json::object(
          {{"type", "assistant"},
           {"message",
            Json::object({{"id", id("message")},
                          {"type", "message"},
                          {"role", "assistant"},
                          {"model", "fake"},
                          {"content", Json::array({Json::object(
                                          {{"type", "tool_use"},
                                           {"id", tool},
                                           {"name", "Bash"},
                                           {"input", Json::object({{"command", "make"}})}})})}})},
           {"parent_tool_use_id", nullptr},
           {"uuid", id("assistant")}}));
    }
    holding_ = false;
    question(request, tool);
    while (const auto message = read()) {
      if ((*message)["type"].as_string() == "control_response" &&
          (*message)["response"]["request_id"].as_string() == request) {
        const Json& reply = (*message)["response"]["response"];
        return finish("the answer was " + std::string(reply["behavior"].as_string()), reply.dump());
      }
      if ((*message)["type"].as_string() != "control_request") {
        waiting_.push_back(*message);
        continue;
      }
      answer(*message);
      if ((*message)["request"]["subtype"].as_string() != "interrupt") continue;
      say(Json::object({{"type", "control_cancel_request"}, {"request_id", request}}));
      return finish("interrupted");
    }
  }

  /// `details` come back as text in the result.
  void finish(const std::string& text, const std::string& details = "") {
    const Json block = Json::object({{"type", "text"}, {"text", text}});
    say(Json::object({{"type", "assistant"},
                      {"message", Json::object({{"id", id("message")},
                                                {"type", "message"},
                                                {"role", "assistant"},
                                                {"model", "fake"},
                                                {"content", Json::array({block})}})},
                      {"parent_tool_use_id", nullptr},
                      {"uuid", id("assistant")}}));
    say(Json::object({{"type", "result"},
                      {"subtype", "success"},
                      {"is_error", false},
                      {"num_turns", 1},
                      {"total_cost_usd", 0.25},
                      {"result", text},
                      {"structured_output", details},
                      {"uuid", id("result")}}));
  }

  std::string session_ = "00000000-0000-4000-8000-000000000000";
  std::string ran_path_;
  std::set<std::string> ran_;
  std::deque<Json> waiting_;
  std::string held_;  ///< Said, and not written yet.
  bool holding_ = false;
  int number_ = 0;
  std::optional<int> exit_code_;
};

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return Agent(argc, argv).run();
}
