// Requests to the client: each is answered once, withdrawn, or fails when the client hangs up. The
// requests themselves go to stdout, which a pipe stands in for.
#include "agent/connection/asker.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "wire/framing.hpp"

namespace parley::agent {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// Stands in for whoever reads stdout.
class Asking : public ::testing::Test {
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

  std::string line() {
    for (;;) {
      if (auto frame = framer_.next()) return std::string(frame->text);
      char buffer[4096];
      const ssize_t count = ::read(ends_[0], buffer, sizeof buffer);
      if (count <= 0) return "";
      framer_.push(std::string_view(buffer, static_cast<std::size_t>(count)));
    }
  }
  std::string next_request() {
    const auto message = decode_message(line());
    return std::get<ControlRequest>(message.value()).request_id;
  }
  static ControlResponse success(const std::string& id, const std::string& body) {
    ControlSuccess good;
    good.request_id = id;
    good.response = RawJson(body);
    return {std::move(good), {}};
  }

  Output output_{Format::kStreamJson, true};
  Asker asker_{output_};

 private:
  int ends_[2] = {-1, -1};
  int saved_ = -1;
  LineFramer framer_;
};

control::CanUseTool question() {
  control::CanUseTool request;
  request.tool_name = "Bash";
  request.input = RawJson("{}");
  request.tool_use_id = "t1";
  return request;
}

TEST_F(Asking, AnswersReachWhoAskedInAnyOrder) {
  std::jthread client([&] {
    const std::string first = next_request();
    const std::string second = next_request();
    asker_.answered(success("unknown", "0"));
    asker_.answered(success(second, "2"));
    asker_.answered(success(first, "1"));
    asker_.answered(success(first, "3"));
  });
  Asker::Reply early;
  std::jthread other([&] { early = asker_.ask(question(), {}); });
  const Asker::Reply late = asker_.ask(question(), {});
  other.join();
  EXPECT_EQ(late.end, Asker::End::kAnswered);
  EXPECT_NE(late.body.text, early.body.text);
}

TEST_F(Asking, AStopWithdrawsTheRequest) {
  // On the heap, because the compiler is wrong about one on the stack.
  const auto stop = std::make_unique<std::stop_source>();
  std::jthread client([&] {
    (void)next_request();
    stop->request_stop();
  });
  EXPECT_EQ(asker_.ask(question(), stop->get_token()).end, Asker::End::kWithdrawn);
  EXPECT_THAT(line(), HasSubstr("control_cancel_request"));
}

TEST_F(Asking, ADeadlineWithdrawsItToo) {
  EXPECT_EQ(asker_.ask(question(), {}, 1ms).end, Asker::End::kTimeout);
  (void)next_request();
  EXPECT_THAT(line(), HasSubstr("control_cancel_request"));
}

TEST_F(Asking, HangingUpFailsWhatWaitsAndWhatComes) {
  std::jthread client([&] {
    (void)next_request();
    asker_.close();
  });
  EXPECT_EQ(asker_.ask(question(), {}).end, Asker::End::kClosed);
  EXPECT_EQ(asker_.ask(question(), {}).end, Asker::End::kClosed);
}

TEST_F(Asking, WithdrawingAllNamesEach) {
  std::jthread client([&] {
    const std::string id = next_request();
    EXPECT_EQ(asker_.pending().size(), 1u);
    asker_.withdraw_all();
    EXPECT_THAT(line(), HasSubstr(id));
  });
  EXPECT_EQ(asker_.ask(question(), {}).end, Asker::End::kWithdrawn);
  client.join();
  EXPECT_TRUE(asker_.pending().empty());
}

}  // namespace
}  // namespace parley::agent
