// Files that are not what they seem: endless, enormous, special, elsewhere, or changed meanwhile.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "hostile.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;

class HostileFiles : public HostileTest {
 protected:
  Json read(const std::string& path, const Bounds& bounds = {}) {
    return call("Read", Json::object({{"file_path", path}}), bounds);
  }
  Json write(const std::string& path, const Bounds& bounds = {}) {
    return call("Write", Json::object({{"file_path", path}, {"content", "new"}}), bounds);
  }
  /// The same turn without leave to do anything outside of the working folder.
  AgentEnd asked(const std::string& tool, const Json& input) {
    return turn({events(call_events({{tool, input.dump()}}))}, {},
                {"--permission-mode", "acceptEdits"});
  }
};

TEST_F(HostileFiles, DevicesAreNotRead) {
  for (const char* path :
       {"/dev/zero", "/dev/urandom", "/dev/stdin", "/dev/tty", "/dev/../dev/zero", "/proc/self/mem",
        "/proc/self/environ", "/proc/kmsg", "/proc/kcore"}) {
    EXPECT_TRUE(read(path)["is_error"].as_bool()) << path;
  }
}

TEST_F(HostileFiles, DevicesBehindLinksAreNotRead) {
  fs::create_symlink("/dev/zero", workspace_.path("zero.txt"));
  fs::create_symlink("/proc/self/environ", workspace_.path("secret.txt"));
  fs::create_directory_symlink("/dev", workspace_.path("folder"));
  for (const char* name : {"zero.txt", "secret.txt", "folder/urandom"}) {
    EXPECT_TRUE(read(workspace_.path(name))["is_error"].as_bool()) << name;
  }
}

TEST_F(HostileFiles, AFifoIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo(workspace_.path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(workspace_.path("pipe.png").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(workspace_.path("pipe.ipynb").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(workspace_.path("pipe.pdf").c_str(), 0600), 0);
  for (const char* name : {"pipe", "pipe.png", "pipe.ipynb", "pipe.pdf"}) {
    EXPECT_TRUE(read(workspace_.path(name))["is_error"].as_bool()) << name;
    EXPECT_TRUE(write(workspace_.path(name))["is_error"].as_bool()) << name;
  }
  call("Grep", Json::object({{"pattern", "x"}, {"output_mode", "content"}}));
  call("Glob", Json::object({{"pattern", "**/*"}}));
}

TEST_F(HostileFiles, ASocketIsNotRead) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  workspace_.path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_TRUE(read(workspace_.path("socket"))["is_error"].as_bool());
  EXPECT_TRUE(write(workspace_.path("socket"))["is_error"].as_bool());
  ::close(fd);
}

TEST_F(HostileFiles, FoldersAreNotFiles) {
  fs::create_directory(workspace_.path("folder"));
  expect_refused(read(workspace_.path("folder")), "EISDIR");
  EXPECT_TRUE(write(workspace_.path("folder"))["is_error"].as_bool());
  EXPECT_TRUE(read(workspace_.path("folder") + "/")["is_error"].as_bool());
}

TEST_F(HostileFiles, TwoGigabytesOfNothing) {
  workspace_.write("huge.txt", "");
  fs::resize_file(workspace_.path("huge.txt"), std::uintmax_t{2} << 30);
  for (const char* name : {"huge.png", "huge.pdf", "huge.ipynb"}) {
    workspace_.write(name, "");
    fs::resize_file(workspace_.path(name), std::uintmax_t{2} << 30);
    EXPECT_TRUE(read(workspace_.path(name))["is_error"].as_bool()) << name;
  }
  expect_refused(read(workspace_.path("huge.txt")), "exceeds maximum allowed size");
  const Json part =
      call("Read",
           Json::object({{"file_path", workspace_.path("huge.txt")}, {"offset", 1}, {"limit", 5}}));
  EXPECT_TRUE(part["is_error"].as_bool());
  EXPECT_TRUE(call("Edit", Json::object({{"file_path", workspace_.path("huge.txt")},
                                         {"old_string", "a"},
                                         {"new_string", "b"}}))["is_error"]
                  .as_bool());
  call("Grep", Json::object({{"pattern", "needle"}, {"path", workspace_.path("huge.txt")}}),
       {60s, 128});
}

TEST_F(HostileFiles, OneLineOfAHundredMegabytes) {
  {
    std::ofstream out(workspace_.path("line.txt"));
    const std::string piece(1 << 20, 'x');
    for (int i = 0; i < 100; ++i) out << piece;
  }
  const Json input =
      Json::object({{"file_path", workspace_.path("line.txt")}, {"offset", 1}, {"limit", 1}});
  EXPECT_TRUE(call("Read", input)["is_error"].as_bool());
  Json large = input;
  large.set("allow_large", true);
  call("Read", large, {30s, 128});
  call("Grep",
       Json::object(
           {{"pattern", "xxx"}, {"path", workspace_.path("line.txt")}, {"output_mode", "content"}}),
       {60s, 300});
}

TEST_F(HostileFiles, LinksThatLeadInCircles) {
  fs::create_symlink("b", workspace_.path("a"));
  fs::create_symlink("a", workspace_.path("b"));
  fs::create_directory_symlink(workspace_.work(), workspace_.path("self"));
  for (const char* name : {"a", "self/self/self/a"}) {
    EXPECT_TRUE(read(workspace_.path(name))["is_error"].as_bool()) << name;
    EXPECT_TRUE(write(workspace_.path(name))["is_error"].as_bool()) << name;
  }
  call("Grep", Json::object({{"pattern", "x"}}));
  call("Glob", Json::object({{"pattern", "**/*"}}));
}

TEST_F(HostileFiles, NothingIsWrittenOutsideWithoutLeave) {
  const std::string outside = workspace_.outside() / "file";
  fs::create_directory_symlink(workspace_.outside(), workspace_.path("link"));
  for (const std::string& path :
       {outside, workspace_.path("../outside/file"), workspace_.path("link/file"),
        workspace_.path("./x/../../outside/file")}) {
    const AgentEnd end = asked("Write", Json::object({{"file_path", path}, {"content", "new"}}));
    EXPECT_FALSE(fs::exists(outside)) << path;
    EXPECT_EQ(end.result()["permission_denials"].items().size(), 1u) << path;
  }
}

TEST_F(HostileFiles, NothingIsReadOutsideWithoutLeave) {
  std::ofstream(workspace_.outside() / "secret") << "the secret";
  fs::create_symlink(workspace_.outside() / "secret", workspace_.path("harmless.txt"));
  for (const std::string& path :
       {(workspace_.outside() / "secret").string(), workspace_.path("../outside/secret"),
        workspace_.path("harmless.txt")}) {
    const AgentEnd end = asked("Read", Json::object({{"file_path", path}}));
    for (const Json& message : end.messages) {
      EXPECT_THAT(message.dump(), ::testing::Not(HasSubstr("the secret"))) << path;
    }
  }
}

/// The file becomes a link while the user is asked about it.
TEST_F(HostileFiles, AFileThatTurnsIntoALink) {
  std::ofstream(workspace_.outside() / "target") << "old";
  workspace_.write("file", "old");
  const HostileModel model(
      {events(call_events({{"Read", R"({"file_path":"file"})"}})),
       events(call_events({{"Write", R"({"file_path":"file","content":"new"})", "toolu_2"}}))});
  AgentRun run(
      workspace_,
      {model.url(), {"--input-format", "stream-json", "--permission-prompt-tool", "stdio"}, {}});
  run.say(R"({"type":"user","message":{"role":"user","content":"go"}})"
          "\n");
  Json request;
  ASSERT_TRUE(run.wait_for([&](const Json& message) {
    if (message["type"].as_string() == "control_request") request = message;
    return request.is_object();
  }));
  fs::remove(workspace_.path("file"));
  fs::create_symlink(workspace_.outside() / "target", workspace_.path("file"));
  run.say(Json::object(
              {{"type", "control_response"},
               {"response",
                Json::object({{"subtype", "success"},
                              {"request_id", request["request_id"]},
                              {"response",
                               Json::object({{"behavior", "allow"},
                                             {"updatedInput", request["request"]["input"]}})}})}})
              .dump() +
          "\n");
  const AgentEnd end = run.finish(20s);
  expect_result(end);
  std::ifstream target(workspace_.outside() / "target");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(target), {}), "old");
  ASSERT_EQ(end.tool_results().size(), 2u);
  EXPECT_TRUE(end.tool_results()[1]["is_error"].as_bool());
}

TEST_F(HostileFiles, OddNames) {
  for (const std::string& name : {std::string("new\nline"), std::string("quo\"te'`$(touch x)"),
                                  std::string("-rf"), std::string(" "), std::string("tab\t"),
                                  std::string("\xe2\x80\xae"
                                              "txt"),
                                  std::string(255, 'n')}) {
    workspace_.write(name, "content of it\n");
    EXPECT_THAT(text_of(read(workspace_.path(name))), HasSubstr("content of it")) << name;
  }
  // A name that is no UTF-8 cannot be said in JSON, but it lies in the folder.
  workspace_.write("bad\xff\xfe", "content of it\n");
  EXPECT_THAT(text_of(call("Glob", Json::object({{"pattern", "*"}}))), HasSubstr("bad"));
  call("Grep", Json::object({{"pattern", "content"}}));
  call("LS", Json::object({{"path", workspace_.work().string()}}));
  EXPECT_FALSE(fs::exists(workspace_.path("x")));
}

TEST_F(HostileFiles, UnreadableAndUnwritable) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read and write everything";
  workspace_.write("locked", "x");
  fs::permissions(workspace_.path("locked"), fs::perms::none);
  expect_refused(read(workspace_.path("locked")), "EACCES");
}

TEST_F(HostileFiles, NoFilesWhereFilesCannotBe) {
  for (const char* path : {"/proc/x/y", "/sys/x", "/dev/null/x", "/dev/full", "/dev/null"}) {
    EXPECT_TRUE(write(path)["is_error"].as_bool()) << path;
  }
}

TEST_F(HostileFiles, AThousandDeepFolders) {
  fs::path deep = workspace_.work();
  for (int i = 0; i < 300; ++i) deep /= "d";
  fs::create_directories(deep);
  call("Glob", Json::object({{"pattern", "**/x"}}), {30s, 128});
  call("Grep", Json::object({{"pattern", "x"}}), {30s, 128});
}

TEST_F(HostileFiles, BinaryJunk) {
  std::string junk;
  for (int i = 0; i < 100'000; ++i) junk += static_cast<char>(i * 7919 >> 3);
  for (const char* name : {"j.txt", "j.png", "j.jpg", "j.gif", "j.webp", "j.pdf", "j.ipynb"}) {
    workspace_.write(name, junk);
    EXPECT_TRUE(read(workspace_.path(name))["is_error"].as_bool()) << name;
  }
  workspace_.write("deep.ipynb", std::string(1'000'000, '['));
  EXPECT_TRUE(read(workspace_.path("deep.ipynb"))["is_error"].as_bool());
}

}  // namespace
}  // namespace parley::testing
