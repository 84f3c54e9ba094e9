#include "benchmarks/soak/soak_model.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>

#include "model/model_server.hpp"
#include "support/process/spawn.hpp"

namespace parley::bench {
namespace {

/// What the newest prompt says.
struct Question {
  std::string kind, number;
  std::string file;       ///< Of kReadFile.
  bool tool_ran = false;  ///< The model has called its tool, and has the result.
};

std::optional<Question> question_in(std::string_view text) {
  for (const std::string_view kind : {kSayText, kRunCommand, kReadFile, kCallTool, kBeSlow}) {
    if (!text.starts_with(kind) || text.substr(kind.size(), 1) != " ") continue;
    const std::string_view rest = text.substr(kind.size() + 1);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view file = rest.substr(std::min(end + 1, rest.size()));
    return Question{std::string(kind), std::string(rest.substr(0, end)), std::string(file), false};
  }
  return std::nullopt;
}

/// In the last of a message's blocks that is a question.
std::optional<Question> question_in(const Json& message) {
  const Json& content = message["content"];
  if (content.is_string()) return question_in(content.as_string());
  std::optional<Question> found;
  for (const Json& block : content.items()) {
    if (auto question = question_in(block["text"].as_string())) found = std::move(question);
  }
  return found;
}

Question newest_question(const Json& request) {
  const auto& messages = request["messages"].items();
  for (std::size_t i = messages.size(); i-- > 0;) {
    if (messages[i]["role"].as_string() != "user") continue;
    if (auto question = question_in(messages[i])) {
      question->tool_ran = i + 1 < messages.size();
      return *std::move(question);
    }
  }
  return {};
}

class SoakModel : public model::TurnSource {
 public:
  model::Choice choose(const Json& request) override {
    const Question question = newest_question(request);
    return {answer(question), question.kind};
  }

 private:
  model::Turn answer(const Question& question) {
    if (question.kind == kBeSlow) {
      model::Turn turn = model::text_turn("This answer to " + question.number + " has no end.");
      turn.hang_after = 4;  // message_start, the start of the block, two pieces of text
      return turn;
    }
    if (question.tool_ran || question.kind == kSayText || question.kind.empty()) {
      return model::text_turn("The answer to " + question.number + ".");
    }
    if (question.kind == kRunCommand) {
      return call("Bash", Json::object({{"command", "touch made-by-the-soak"}}));
    }
    if (question.kind == kReadFile)
      return call("Read", Json::object({{"file_path", question.file}}));
    return call("mcp__soak__count", Json::object({{"number", question.number}}));
  }

  model::Turn call(std::string_view tool, Json input) {
    model::Turn turn;
    turn.content.push_back(Json::object({{"type", "tool_use"},
                                         {"id", "toolu_" + std::to_string(++calls_)},
                                         {"name", tool},
                                         {"input", std::move(input)}}));
    return turn;
  }

  std::atomic<std::size_t> calls_{0};
};

}  // namespace

int serve_model() {
  const auto server = model::ModelServer::start(std::make_shared<SoakModel>());
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().what());
    return 1;
  }
  std::printf("%s\n", (*server)->url().c_str());
  std::fflush(stdout);
  std::array<char, 64> ignored{};
  while (::read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) {
  }
  return 0;
}

ModelProcess::ModelProcess(const std::string& program) {
  auto input = make_pipe();
  auto output = make_pipe();
  if (!input || !output) return;
  SpawnSpec spec;
  spec.program = program;
  spec.arguments = {program, "--model"};
  spec.stdio = {input->read.get(), output->write.get(), STDERR_FILENO};
  const Spawned child = spawn(spec);
  if (!child) return;
  pid_ = child.pid;
  input_ = std::move(input->write);
  output->write.reset();
  for (char byte = 0; ::read(output->read.get(), &byte, 1) == 1 && byte != '\n';) url_ += byte;
}

ModelProcess::~ModelProcess() {
  input_.reset();
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

}  // namespace parley::bench
