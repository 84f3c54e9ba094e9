#include "support.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/files/io.hpp"
#include "support/process/environment.hpp"
#include "support/process/spawn.hpp"

namespace parley::real {

namespace fs = std::filesystem;

namespace {

std::string variable(const char* name) {
  const std::string value = environment_variable(name);
  if (value.empty()) throw std::runtime_error(std::string(name) + " is not set; run ./test --real");
  return value;
}

std::string content_text(const std::optional<Content>& content) {
  if (!content) return {};
  if (const auto* text = std::get_if<std::string>(&*content)) return *text;
  std::string all;
  for (const ContentBlock& block : std::get<std::vector<ContentBlock>>(*content)) {
    if (const auto* text = std::get_if<TextBlock>(&block)) all += text->text;
  }
  return all;
}

}  // namespace

Model::Model(const fs::path& folder, const std::string& turns) : log_(folder / "requests.jsonl") {
  const fs::path script = folder / "script.json";
  std::ofstream(script) << turns;
  const std::string program = variable("PARLEY_SOURCE_DIR") + "/tests/support/model_server.mjs";
  auto in = make_pipe(), out = make_pipe();
  const auto node = find_program("node", variable("PATH"), PathFolders::all);
  if (!in || !out || !node) throw std::runtime_error("no pipe, or no node");
  SpawnSpec wanted;
  wanted.program = node->string();
  wanted.arguments = {"node", program, script.string(), log_.string()};
  wanted.environment = environment_texts(current_environment());
  wanted.stdio = {in->read.get(), out->write.get(), STDERR_FILENO};
  const Spawned child = spawn(wanted);
  if (!child) throw std::runtime_error("the model server did not start");
  pid_ = child.pid;
  input_ = std::move(in->write);
  const UniqueFd output = std::move(out->read);
  out->write.reset();
  std::string port;
  for (char c = 0; ::read(output.get(), &c, 1) == 1 && c != '\n';) port += c;
  if (port.empty()) throw std::runtime_error("the model server did not start");
  address_ = "http://127.0.0.1:" + port;
}

Model::~Model() {
  input_.reset();
  ::waitpid(pid_, nullptr, 0);
}

std::vector<Json> Model::requests() const {
  std::vector<Json> all;
  std::ifstream file(log_);
  for (std::string line; std::getline(file, line);) all.push_back(Json::parse(line).value());
  return all;
}

RealCli::RealCli() {
  folder_ = temporary_.path();
  home_ = folder_ / "home";
  work_ = folder_ / "work";
  fs::create_directory(home_);
  fs::create_directory(work_);
}

void RealCli::script(const std::string& turns) { model_ = std::make_unique<Model>(folder_, turns); }

Options RealCli::options() const {
  Options options;
  options.cli.program = variable("PARLEY_REAL_CLI");
  options.cwd = work_;
  options.process.replace_environment = true;
  options.process.environment = {{"HOME", home_.string()},
                                 {"PATH", variable("PATH")},
                                 {"LANG", "C.UTF-8"},
                                 {"SHELL", "/bin/bash"},
                                 {"ANTHROPIC_API_KEY", "sk-dummy"},
                                 {"ANTHROPIC_BASE_URL", model_->address()},
                                 {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                                 {"DISABLE_AUTOUPDATER", "1"},
                                 {"DISABLE_TELEMETRY", "1"},
                                 {"CLAUDE_CODE_MAX_RETRIES", "2"},
                                 {"IS_SANDBOX", "1"}};
  return options;
}

void RealCli::forget_transcripts() const { fs::remove_all(home_ / ".claude" / "projects"); }

bool RealCli::has_transcript(const std::string& session_id) const {
  for (const auto& entry : fs::recursive_directory_iterator(home_)) {
    if (entry.path().filename() == session_id + ".jsonl") return true;
  }
  return false;
}

bool RealCli::at_least(const CliVersion& version) {
  return CliVersion::parse(variable("PARLEY_REAL_VERSION")).value() >= version;
}

const std::string kDot = [] {
  constexpr unsigned char kBytes[] = {
      0x89, 'P',  'N',  'G',  0x0d, 0x0a, 0x1a, 0x0a, 0,    0,   0,    0x0d, 'I',  'H',
      'D',  'R',  0,    0,    0,    1,    0,    0,    0,    1,   8,    6,    0,    0,
      0,    0x1f, 0x15, 0xc4, 0x89, 0,    0,    0,    0x0d, 'I', 'D',  'A',  'T',  0x78,
      0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0,    5,    0,   1,    0xff, 0x56, 0xc7,
      0x2f, 0x0d, 0,    0,    0,    0,    'I',  'E',  'N',  'D', 0xae, 0x42, 0x60, 0x82};
  return std::string(std::begin(kBytes), std::end(kBytes));
}();

std::string content_of(const fs::path& file) { return read_file(file).value_or(""); }

PermissionAnswer WithheldPermission::withhold(const PermissionAsk& ask) {
  asked.set_value();
  std::promise<void> stopped;
  const std::stop_callback on_stop(ask.stop, [&] { stopped.set_value(); });
  if (stopped.get_future().wait_for(kPatience) == std::future_status::ready) {
    withdrawn.set_value();
  }
  return deny("too late");
}

std::string text_turn(const std::string& text) {
  return R"({"content":[{"type":"text","text":)" + Json(text).dump() + "}]}";
}

std::string tool_turn(const std::string& tool, const std::string& input, const std::string& id) {
  return R"({"content":[{"type":"tool_use","id":")" + id + R"(","name":")" + tool +
         R"(","input":)" + input + "}]}";
}

std::string turns(const std::vector<std::string>& turns) {
  std::string text;
  for (const std::string& turn : turns) text += (text.empty() ? "[" : ",") + turn;
  return text + "]";
}

std::string text_of(const std::vector<Message>& messages) {
  std::string all;
  for (const Message& message : messages) {
    if (const auto* answer = std::get_if<AssistantMessage>(&message)) {
      all += content_text(Content(answer->message.content));
    }
  }
  return all;
}

std::string results_of(const std::vector<Message>& messages) {
  std::string all;
  for (const Message& message : messages) {
    const auto* user = std::get_if<UserMessage>(&message);
    if (user == nullptr) continue;
    const auto* blocks = std::get_if<std::vector<ContentBlock>>(&user->message.content);
    if (blocks == nullptr) continue;
    for (const ContentBlock& block : *blocks) {
      if (const auto* result = std::get_if<ToolResultBlock>(&block)) {
        all += content_text(result->content);
      }
    }
  }
  return all;
}

TakenTurn take_turn(Session& session, Prompt prompt) {
  TakenTurn taken;
  Turn turn = session.ask(std::move(prompt));
  while (auto message = turn.next(kPatience)) taken.messages.push_back(*std::move(message));
  taken.result = turn.result(kPatience);
  return taken;
}

Result<ResultMessage> next_result(Session& session) {
  for (;;) {
    auto message = session.receive(kPatience);
    if (!message) return message.error();
    const auto* result = message->get_if<ResultMessage>();
    if (result == nullptr) continue;
    if (const auto error = error_of(*result)) return *error;
    return *result;
  }
}

bool read_until(Session& session, const std::function<bool(const Message&)>& wanted) {
  for (;;) {
    const auto message = session.receive(kPatience);
    if (!message) return false;
    if (wanted(*message)) return true;
  }
}

}  // namespace parley::real
