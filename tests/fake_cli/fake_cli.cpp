// A CLI that does what a script says, good or bad. The script is the value of PARLEY_FAKE_SCRIPT,
// one action per line; flags are ignored. It never waits by the clock.
//
//   init               wait for `initialize` and answer it
//   expect TEXT        read lines until one contains TEXT; its request_id is $ID from then on, its
//                      uuid $UUID, and itself $LINE, as a JSON string
//   turn TEXT          wait for a user message and answer it: init, assistant TEXT, result
//   turns TEXT         the same for every user message, until the end of input, then exit 0
//   answer JSON        expect any control request, answer success with JSON
//   reply SUBTYPE JSON how serve answers control requests of that kind; others get {}
//   serve TEXT         answers every user message with a turn and every control request, until the
//                      end of input
//   out LINE           a line on stdout;   err LINE   on stderr
//   raw BYTES          on stdout as they are, with \n \r \t \\ \xHH;   rawerr BYTES   on stderr
//   flood N LINE       N lines on stdout, $N in them is their number;   errflood N LINE   on stderr
//   fill N             a JSON string member of N bytes, in one assistant line
//   save FILE          all lines read so far, and those to come, also go to FILE
//   args FILE          writes the arguments and the environment to FILE, NUL between
//   eof                read to the end of input
//   exit N | die SIGNAL-NUMBER | hang | close in|out|err | ignore SIGNAL-NUMBER
//   grandchild         start a process that holds stdout and stderr open, and prints its pid
//
// After the last action it exits with 0.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "wire/json/json.hpp"

extern "C" char** environ;

namespace {

using parley::Json;

class FakeCli {
 public:
  FakeCli(int argc, char** argv) : arguments_(argv, argv + argc) {}

  int run(const std::string& script) {
    std::istringstream lines(script);
    for (std::string line; std::getline(lines, line);) {
      const auto blank = line.find(' ');
      const std::string verb = line.substr(0, blank);
      const std::string rest = blank == std::string::npos ? "" : line.substr(blank + 1);
      if (verb == "exit") return std::atoi(rest.c_str());
      if (!act(verb, rest)) {
        std::cerr << "fake_cli: unknown action: " << line << std::endl;
        return 99;
      }
    }
    return 0;
  }

 private:
  bool act(const std::string& verb, const std::string& rest) {
    if (verb.empty() || verb == "#") return true;
    if (verb == "init") return expect(R"("subtype":"initialize")") && answer("{}");
    if (verb == "expect") return expect(rest), true;
    if (verb == "turn") return turn(rest), true;
    if (verb == "turns") {
      while (turn(rest)) {
      }
      return true;
    }
    if (verb == "reply") return remember_reply(rest);
    if (verb == "serve") return serve(rest);
    if (verb == "answer") return expect(R"("type":"control_request")"), answer(rest);
    if (verb == "out") return say(1, substituted(rest) + "\n");
    if (verb == "err") return say(2, rest + "\n");
    if (verb == "raw") return say(1, unescaped(substituted(rest)));
    if (verb == "rawerr") return say(2, unescaped(rest));
    if (verb == "flood" || verb == "errflood") return flood(verb == "flood" ? 1 : 2, rest);
    if (verb == "fill") return fill(std::strtoull(rest.c_str(), nullptr, 10));
    if (verb == "save") return saved_.open(rest), true;
    if (verb == "args") return dump_arguments(rest);
    if (verb == "eof") {
      while (read_line()) {
      }
      return true;
    }
    if (verb == "die") {
      signal(std::atoi(rest.c_str()), SIG_DFL);
      raise(std::atoi(rest.c_str()));
      return true;
    }
    if (verb == "ignore") return signal(std::atoi(rest.c_str()), SIG_IGN), true;
    if (verb == "hang") {
      for (;;) pause();
    }
    if (verb == "close") return close(rest == "in" ? 0 : rest == "out" ? 1 : 2), true;
    if (verb == "grandchild") return grandchild();
    return false;
  }

  bool read_line() {
    if (!std::getline(std::cin, line_)) return false;
    if (saved_.is_open()) saved_ << line_ << std::endl;
    return true;
  }

  bool expect(const std::string& text) {
    while (read_line()) {
      if (line_.find(text) == std::string::npos) continue;
      if (const auto json = Json::parse(line_)) {
        if (const Json* id = json->find("request_id")) id_ = id->as_string();
        if (const Json* uuid = json->find("uuid")) uuid_ = uuid->as_string();
      }
      return true;
    }
    return true;  // the end of input ends the waiting
  }

  bool turn(const std::string& text) {
    do {
      if (!read_line()) return false;
    } while (line_.find(R"("type":"user")") == std::string::npos);
    say_turn(text);
    return true;
  }

  static void say_turn(const std::string& text) {
    say(1,
        R"({"type":"system","subtype":"init","session_id":"s-1","model":"fake","tools":["Bash"],)"
        R"("permissionMode":"default","slash_commands":["help"],"uuid":"u-i"})"
        "\n");
    Json block = Json::object({{"type", "text"}, {"text", text}});
    Json message = Json::object({{"id", "m-1"},
                                 {"type", "message"},
                                 {"role", "assistant"},
                                 {"model", "fake"},
                                 {"content", Json::array({block})}});
    say(1, Json::object({{"type", "assistant"},
                         {"message", message},
                         {"parent_tool_use_id", nullptr},
                         {"session_id", "s-1"},
                         {"uuid", "u-a"}})
                   .dump() +
               "\n");
    say(1,
        R"({"type":"result","subtype":"success","is_error":false,"num_turns":1,"duration_ms":1,)"
        R"("total_cost_usd":0.5,"usage":{"input_tokens":3,"output_tokens":4},"session_id":"s-1",)"
        R"("uuid":"u-r","result":)" +
            Json(text).dump() + "}\n");
  }

  bool remember_reply(const std::string& rest) {
    const auto blank = rest.find(' ');
    if (blank == std::string::npos) return false;
    replies_[rest.substr(0, blank)] = rest.substr(blank + 1);
    return true;
  }

  bool serve(const std::string& text) {
    while (read_line()) {
      const auto json = Json::parse(line_);
      if (!json) continue;
      const std::string_view type = (*json)["type"].as_string();
      if (type == "user") say_turn(text);
      if (type != "control_request") continue;
      id_ = (*json)["request_id"].as_string();
      const auto known = replies_.find(std::string((*json)["request"]["subtype"].as_string()));
      answer(known == replies_.end() ? "{}" : known->second);
    }
    return true;
  }

  bool answer(const std::string& body) {
    return say(1, R"({"type":"control_response","response":{"subtype":"success","request_id":")" +
                      id_ + R"(","response":)" + substituted(body) + "}}\n");
  }

  bool flood(int fd, const std::string& rest) {
    const auto blank = rest.find(' ');
    const auto count = std::strtoull(rest.c_str(), nullptr, 10);
    const std::string line = substituted(rest.substr(blank + 1)) + "\n";
    std::string chunk;
    for (unsigned long long i = 0; i < count; ++i) {
      chunk += with("$N", std::to_string(i), line);
      if (chunk.size() > 60'000 || i + 1 == count) {
        if (!say(fd, chunk)) return true;
        chunk.clear();
      }
    }
    return true;
  }

  static bool fill(std::size_t bytes) {
    say(1,
        R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":")");
    const std::string block(std::min<std::size_t>(bytes, 1 << 20), 'x');
    for (std::size_t left = bytes; left > 0;) {
      const std::size_t part = std::min(left, block.size());
      if (!say(1, block.substr(0, part))) return true;
      left -= part;
    }
    return say(1, R"("}]},"parent_tool_use_id":null,"session_id":"s-1","uuid":"u-f"})"
                  "\n");
  }

  bool dump_arguments(const std::string& file) const {
    std::ofstream out(file, std::ios::binary);
    for (const std::string& argument : arguments_) out << argument << '\0';
    for (char** variable = environ; *variable != nullptr; ++variable) out << *variable << '\0';
    return out.good();
  }

  static bool grandchild() {
    if (fork() == 0) {
      for (;;) pause();
    }
    return true;
  }

  std::string substituted(const std::string& text) const {
    return with("$LINE", Json(line_).dump(), with("$UUID", uuid_, with("$ID", id_, text)));
  }

  /// The text with the value in the place of the name.
  static std::string with(const std::string& name, const std::string& value, std::string text) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      text.replace(at, name.size(), value);
      at += value.size();
    }
    return text;
  }

  static std::string unescaped(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\' || i + 1 == text.size()) {
        out += text[i];
        continue;
      }
      const char c = text[++i];
      if (c == 'x' && i + 2 < text.size()) {
        out += static_cast<char>(std::strtoul(text.substr(i + 1, 2).c_str(), nullptr, 16));
        i += 2;
      } else {
        out += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
      }
    }
    return out;
  }

  /// False if nobody reads any more.
  static bool say(int fd, const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = write(fd, bytes.data() + sent, bytes.size() - sent);
      if (count < 0) return true;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

  std::vector<std::string> arguments_;
  std::string line_, id_, uuid_;
  std::map<std::string, std::string> replies_;
  std::ofstream saved_;
};

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  signal(SIGPIPE, SIG_IGN);
  const char* script = std::getenv("PARLEY_FAKE_SCRIPT");
  if (argc > 1 && std::string(argv[1]) == "--version") {
    const char* version = std::getenv("PARLEY_FAKE_VERSION");
    std::cout << (version != nullptr ? version : "2.1.325 (Fake)") << std::endl;
    return 0;
  }
  return FakeCli(argc, argv).run(script != nullptr ? script : "init\nturns Hello");
}
