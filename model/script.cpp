#include "model/script.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "support/files/io.hpp"

namespace parley::model {
namespace {

using namespace std::literals;

constexpr std::uintmax_t kLargestFile = 64 * 1024 * 1024;
constexpr std::int64_t kLongest = 24 * 60 * 60 * 1000;  // ms
constexpr std::int64_t kMostTokens = 1'000'000'000;

/// Everything a scenario may say; most of it concerns the client, not the model.
constexpr std::string_view kScenarioKeys[] = {
    "api",          "argv",       "auto",        "aux",
    "before",       "cwd",        "description", "env",
    "exit_timeout", "files",      "name",        "runs",
    "stdin",        "stdin_kind", "timeout",     "tools_zero_main",
    "versions"};
constexpr std::string_view kTurnKeys[] = {
    "aux",         "chunk",    "chunk_delay_ms", "content",    "cut_after",     "delay_ms",
    "drop",        "error",    "hang",           "hang_after", "hang_ms",       "headers",
    "id",          "inject",   "inject_after",   "model",      "output_tokens", "ping",
    "raw_body",    "raw_sse",  "repeat",         "status",     "stop_reason",   "usage_end",
    "usage_start", "when_any", "when_first",     "when_last",  "when_model"};

std::string place(const std::string& parent, std::string_view key) {
  return parent.empty() ? std::string(key) : parent + "." + std::string(key);
}
std::string place(const std::string& parent, std::size_t index) {
  return parent + "[" + std::to_string(index) + "]";
}

/// Reads one object. The first problem stays; what is read after it does not matter.
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail(where_, "expected object");
  }

  void known_keys(std::span<const std::string_view> keys) {
    for (const auto& [key, value] : object_.members()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
        fail(place(where_, key), "unknown key");
      }
    }
  }

  [[nodiscard]] bool has(std::string_view key) const { return object_.find(key) != nullptr; }
  [[nodiscard]] const Json& get(std::string_view key) const { return object_[key]; }
  [[nodiscard]] std::string at(std::string_view key) const { return place(where_, key); }

  void read(std::string_view key, bool& out) {
    const Json* value = object_.find(key);
    if (value == nullptr) return;
    if (!value->is_bool()) return fail(at(key), "expected true or false");
    out = value->as_bool();
  }
  void read(std::string_view key, std::string& out) {
    const Json* value = object_.find(key);
    if (value == nullptr) return;
    if (!value->is_string()) return fail(at(key), "expected string");
    out = value->as_string();
  }
  void read(std::string_view key, std::optional<std::string>& out) {
    if (!has(key)) return;
    read(key, out.emplace());
  }
  void read(std::string_view key, std::int64_t& out, std::int64_t least, std::int64_t most) {
    const Json* value = object_.find(key);
    if (value == nullptr) return;
    const std::int64_t number = value->as_int(least - 1);
    if (number < least || number > most) {
      return fail(at(key), "expected a whole number from " + std::to_string(least) + " to " +
                               std::to_string(most));
    }
    out = number;
  }
  void read(std::string_view key, std::chrono::milliseconds& out) {
    std::int64_t number = out.count();
    read(key, number, 0, kLongest);
    out = std::chrono::milliseconds(number);
  }
  void read(std::string_view key, std::optional<std::size_t>& out) {
    if (!has(key)) return;
    std::int64_t number = 0;
    read(key, number, 0, kMostTokens);
    out = static_cast<std::size_t>(number);
  }
  void read(std::string_view key, std::optional<Condition>& out) {
    const Json* value = object_.find(key);
    if (value == nullptr) return;
    Condition& condition = out.emplace();
    if (value->is_string()) {
      read_expression(*value, at(key), condition.all);
    } else if (value->is_object()) {
      read_condition(*value, at(key), condition);
    } else {
      fail(at(key), "expected a regular expression, or an object with all and none");
    }
  }
  void read_object(std::string_view key, Json& out) {
    const Json* value = object_.find(key);
    if (value == nullptr) return;
    if (!value->is_object()) return fail(at(key), "expected object");
    out = *value;
  }

  void require(std::string_view key) {
    if (!has(key)) fail(at(key), "missing");
  }
  void fail(const std::string& where, const std::string& why) {
    if (!problem_) problem_ = Error(ErrorCode::unexpected, why, where);
  }
  void fail(const std::optional<Error>& problem) {
    if (!problem_) problem_ = problem;
  }
  [[nodiscard]] const std::optional<Error>& problem() const { return problem_; }

 private:
  void read_condition(const Json& json, const std::string& where, Condition& out) {
    for (const auto& [key, expressions] : json.members()) {
      const std::string here = place(where, key);
      if (key != "all" && key != "none") return fail(here, "unknown key");
      if (!expressions.is_array()) return fail(here, "expected list of regular expressions");
      for (std::size_t i = 0; i < expressions.items().size(); ++i) {
        read_expression(expressions[i], place(here, i), key == "all" ? out.all : out.none);
      }
    }
    if (out.all.empty() && out.none.empty()) fail(where, "all and none are both empty");
  }
  void read_expression(const Json& json, const std::string& where, std::vector<Regex>& out) {
    if (!json.is_string()) return fail(where, "expected string");
    std::string why;
    auto regex = Regex::compile(json.as_string(), {}, why);
    if (!regex) return fail(where, "bad regular expression: " + why);
    out.push_back(*std::move(regex));
  }

  const Json& object_;
  const std::string where_;
  std::optional<Error> problem_;
};

std::optional<Error> check_block(const Json& block, const std::string& where) {
  Reader reader(block, where);
  std::string type, ignored;
  reader.require("type");
  reader.read("type", type);
  if (type == "text") {
    reader.known_keys(std::array{"type"sv, "text"sv});
    reader.require("text");
    reader.read("text", ignored);
  } else if (type == "thinking") {
    reader.known_keys(std::array{"type"sv, "thinking"sv, "signature"sv});
    reader.require("thinking");
    reader.read("thinking", ignored);
    reader.read("signature", ignored);
  } else if (type == "tool_use" || type == "server_tool_use") {
    reader.known_keys(std::array{"type"sv, "id"sv, "name"sv, "input"sv, "raw_input"sv});
    reader.require("id");
    reader.read("id", ignored);
    reader.require("name");
    reader.read("name", ignored);
    if (!reader.has("raw_input")) reader.require("input");
    reader.read("raw_input", ignored);
  }
  return reader.problem();
}

void read_headers(Reader& reader, http::Headers& out) {
  Json headers = Json::object();
  reader.read_object("headers", headers);
  for (const auto& [name, value] : headers.members()) {
    if (!value.is_string() || !http::is_valid_field(name, value.as_string())) {
      return reader.fail(place(reader.at("headers"), name), "cannot be sent as a header field");
    }
    out.add(name, value.as_string());
  }
}

void read_content(Reader& reader, Turn& turn) {
  if (!reader.has("content")) return;
  const Json& content = reader.get("content");
  if (!content.is_array()) return reader.fail(reader.at("content"), "expected list of blocks");
  for (std::size_t i = 0; i < content.items().size(); ++i) {
    reader.fail(check_block(content[i], place(reader.at("content"), i)));
  }
  turn.content = content.items();
}

void read_answer(Reader& reader, Turn& turn) {
  read_content(reader, turn);
  reader.read("stop_reason", turn.stop_reason);
  reader.read("id", turn.id);
  reader.read("model", turn.model);
  reader.read_object("usage_start", turn.usage_start);
  reader.read_object("usage_end", turn.usage_end);
  reader.read("output_tokens", turn.output_tokens, 0, kMostTokens);
  reader.read("ping", turn.ping);
  if (reader.has("status")) {
    std::int64_t status = 0;
    reader.read("status", status, 200, 599);
    turn.status = static_cast<int>(status);
  }
  turn.error = reader.get("error");
  reader.read("raw_body", turn.raw_body);
  reader.read("raw_sse", turn.raw_sse);
  read_headers(reader, turn.headers);
}

void read_faults(Reader& reader, Turn& turn) {
  reader.read("delay_ms", turn.delay);
  std::int64_t chunk = static_cast<std::int64_t>(turn.chunk);
  reader.read("chunk", chunk, 1, kMostTokens);
  turn.chunk = static_cast<std::size_t>(chunk);
  reader.read("chunk_delay_ms", turn.chunk_delay);
  reader.read("hang", turn.hang);
  reader.read("hang_after", turn.hang_after);
  if (reader.has("hang_ms")) reader.read("hang_ms", turn.hang_for.emplace());
  reader.read("cut_after", turn.cut_after);
  reader.read("inject_after", turn.inject_after);
  reader.read("inject", turn.inject);
  reader.read("drop", turn.drop);
}

Result<ScriptedTurn> read_turn(const Json& json, const std::string& where) {
  Reader reader(json, where);
  reader.known_keys(kTurnKeys);
  ScriptedTurn scripted;
  reader.read("when_first", scripted.when_first);
  reader.read("when_last", scripted.when_last);
  reader.read("when_any", scripted.when_any);
  reader.read("when_model", scripted.when_model);
  reader.read("aux", scripted.aux);
  reader.read("repeat", scripted.repeat);
  read_answer(reader, scripted.turn);
  read_faults(reader, scripted.turn);
  if (!reader.has("content") && !reader.has("status") && !reader.has("raw_sse") &&
      !scripted.turn.drop) {
    reader.fail(where, "a turn needs content, status, raw_sse or drop");
  }
  if (reader.problem()) return *reader.problem();
  return scripted;
}

Result<Script> read_turns(const Json& turns, const std::string& where) {
  if (!turns.is_array()) return Error(ErrorCode::unexpected, "expected list of turns", where);
  Script script;
  for (std::size_t i = 0; i < turns.items().size(); ++i) {
    auto turn = read_turn(turns[i], place(where, i));
    if (!turn) return turn.error();
    script.turns.push_back(*std::move(turn));
  }
  return script;
}

Result<Script> read_scenario(const Json& scenario, std::size_t run) {
  Reader reader(scenario, "");
  reader.known_keys(kScenarioKeys);
  std::string aux = "ok";
  bool tools_zero_main = false;
  reader.read("aux", aux);
  reader.read("tools_zero_main", tools_zero_main);
  if (reader.problem()) return *reader.problem();

  const Json* part = &scenario;
  std::string where;
  if (const Json* runs = scenario.find("runs")) {
    if (run >= runs->items().size()) {
      return Error(ErrorCode::not_found, "there is no run " + std::to_string(run) +
                                             "; the scenario has " +
                                             std::to_string(runs->items().size()) + ", from 0");
    }
    part = &(*runs)[run];
    where = place("runs", run);
  } else if (run > 0) {
    return Error(ErrorCode::not_found, "the script has only one run, number 0");
  }
  const Json* api = part->find("api");
  if (api == nullptr) return Error(ErrorCode::unexpected, "missing", place(where, "api"));
  auto script = read_turns(*api, place(where, "api"));
  if (!script) return script;
  script->aux = aux;
  script->tools_zero_main = tools_zero_main;
  return script;
}

}  // namespace

bool Condition::holds_for(std::string_view text) const {
  const auto found = [&](const Regex& regex) { return regex.found_in(text); };
  return std::all_of(all.begin(), all.end(), found) &&
         std::none_of(none.begin(), none.end(), found);
}

Result<Script> Script::parse(std::string_view text, std::size_t run) {
  const auto json = Json::parse(text);
  if (!json) return json.error();
  if (json->is_object()) return read_scenario(*json, run);
  if (run > 0) return Error(ErrorCode::not_found, "the script has only one run, number 0");
  return read_turns(*json, "");
}

Result<Script> Script::load(const std::filesystem::path& file, std::size_t run) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) return Error(ErrorCode::not_found, error.message(), file.string());
  if (size > kLargestFile) return Error(ErrorCode::too_large, "not a script", file.string());
  const auto text = read_file(file);
  if (!text) return Error(ErrorCode::io, "cannot be read", file.string());
  auto script = parse(*text, run);
  if (script) return script;
  const Error& problem = script.error();
  return Error(problem.code(), problem.message(),
               file.string() + (problem.context().empty() ? "" : ": " + problem.context()));
}

}  // namespace parley::model
