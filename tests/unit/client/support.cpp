#include "support.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace parley::testing {

namespace fs = std::filesystem;

fs::path fake_cli() { return fs::read_symlink("/proc/self/exe").parent_path() / "parley_fake_cli"; }

Options fake(const std::string& script) {
  Options options;
  options.cli.program = fake_cli().string();
  options.process.environment = {{"PARLEY_FAKE_SCRIPT", script}};
  options.deadlines.close = 1s;
  options.deadlines.kill = 1s;
  options.deadlines.request = 20s;
  return options;
}

std::string request(const std::string& body) {
  return R"(out {"type":"control_request","request_id":"q","request":)" + body + "}";
}

ShellCli::ShellCli(const std::string& commands) {
  // Not in the folder of the tests, which others need not be allowed to enter.
  std::string name = "/tmp/parley-shell-cli-XXXXXX";
  EXPECT_NE(::mkdtemp(name.data()), nullptr);
  folder_ = name;
  std::ofstream(program()) << "#!/bin/sh\n"
                              R"(read line; id="${line#*request_id\":\"}"; id="${id%%\"*}")"
                              "\n"
                              R"(printf '{"type":"control_response","response":{"subtype":)"
                              R"("success","request_id":"%s","response":{}}}\n' "$id")"
                              "\n"
                           << commands << "\ncat >/dev/null\n";
  fs::permissions(program(), fs::perms(0755));
  fs::permissions(folder_, fs::perms(0755));
}

ShellCli::~ShellCli() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Result<ResultMessage> next_result(Session& session,
                                  const std::function<void(const Message&)>& each) {
  for (;;) {
    const auto message = session.receive(kPatience);
    if (!message) return message.error();
    if (each) each(*message);
    const auto* result = message->get_if<ResultMessage>();
    if (result == nullptr) continue;
    if (const auto error = error_of(*result)) return *error;
    return *result;
  }
}

fs::path temporary_file(const std::string& name) {
  struct Folder {
    fs::path path = fs::temp_directory_path() / ("parley-test-" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path / name;
}

std::vector<std::string> read_lines(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const Message& message) {
  const auto* assistant = std::get_if<AssistantMessage>(&message);
  if (assistant == nullptr) return {};
  std::string text;
  for (const ContentBlock& block : assistant->message.content) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  }
  return text;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

}  // namespace parley::testing
