// What goes out on stdout, which a pipe stands in for.
#include "agent/connection/output.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace parley::agent {
namespace {

using ::testing::HasSubstr;

/// Stands in for whoever reads stdout.
class OutputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::pipe2(ends_, O_CLOEXEC), 0);
    saved_ = ::dup(STDOUT_FILENO);
    std::fflush(stdout);
    ::dup2(ends_[1], STDOUT_FILENO);
  }
  void TearDown() override {
    ::dup2(saved_, STDOUT_FILENO);
    for (const int fd : {ends_[0], ends_[1], saved_}) ::close(fd);
  }
  /// What has been written. There is something, and it fits into the pipe.
  std::string written() {
    char buffer[4096];
    const ssize_t count = ::read(ends_[0], buffer, sizeof buffer);
    return {buffer, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  }
  static ResultMessage result(const std::string& text) {
    ResultMessage message;
    message.subtype = ResultSubtype::success;
    message.result = text;
    return message;
  }

 private:
  int ends_[2] = {-1, -1};
  int saved_ = -1;
};

TEST_F(OutputTest, AMessageIsALineWithItsStamp) {
  Output output(Format::stream_json, true);
  output.set_session_id("the-session");
  output.send(SystemStatus{});
  const std::string line = written();
  EXPECT_TRUE(line.ends_with("}\n"));
  EXPECT_THAT(line, HasSubstr(R"("session_id":"the-session")"));
  EXPECT_THAT(line, HasSubstr(R"("uuid":")"));
}

TEST_F(OutputTest, AStampThatIsThereStays) {
  Output output(Format::stream_json, true);
  output.set_session_id("the-session");
  SystemStatus status;
  status.uuid = "mine";
  status.session_id = "another";
  output.send(status);
  const std::string line = written();
  EXPECT_THAT(line, HasSubstr(R"("uuid":"mine")"));
  EXPECT_THAT(line, HasSubstr(R"("session_id":"another")"));
}

TEST_F(OutputTest, TextIsWhatTheResultsSay) {
  Output output(Format::text, false);
  output.send(result("one"));
  output.send(SystemStatus{});
  output.send(result("two"));
  output.finish();
  EXPECT_EQ(written(), "one\n\ntwo\n");
}

TEST_F(OutputTest, JsonIsTheLastResult) {
  Output output(Format::json, false);
  output.send(result("one"));
  output.send(result("two"));
  output.finish();
  const std::string line = written();
  EXPECT_THAT(line, HasSubstr(R"("result":"two")"));
  EXPECT_EQ(line.find(R"("one")"), std::string::npos);
  EXPECT_EQ(output.last_result()->result, "two");
}

}  // namespace
}  // namespace parley::agent
