// Requests to the client: each is answered once, withdrawn, or fails when the client hangs up.
#include "agent/connection/asker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "../fakes/fakes.hpp"

namespace parley::agent {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class AskerTest : public ::testing::Test {
 protected:
  static control::CanUseTool question() {
    control::CanUseTool request;
    request.tool_name = "Bash";
    request.input = RawJson("{}");
    request.tool_use_id = "t1";
    return request;
  }

  FakeClient client_;
  Asker asker_{client_};
};

TEST_F(AskerTest, AnswersReachWhoAskedInAnyOrder) {
  std::jthread user([&] {
    const std::string first = client_.request(1).request_id;
    const std::string second = client_.request(2).request_id;
    asker_.answered(success("unknown", "0"));
    asker_.answered(success(second, "2"));
    asker_.answered(success(first, "1"));
    asker_.answered(success(first, "3"));
  });
  Asker::Reply early;
  std::jthread other([&] { early = asker_.ask(question(), {}); });
  const Asker::Reply late = asker_.ask(question(), {});
  other.join();
  EXPECT_EQ(late.end, Asker::End::answered);
  EXPECT_NE(late.body.text, early.body.text);
}

TEST_F(AskerTest, AStopWithdrawsTheRequest) {
  // On the heap, because the compiler is wrong about one on the stack.
  const auto stop = std::make_unique<std::stop_source>();
  std::jthread user([&] {
    (void)client_.request(1);
    stop->request_stop();
  });
  EXPECT_EQ(asker_.ask(question(), stop->get_token()).end, Asker::End::withdrawn);
  EXPECT_THAT(client_.kinds(), ElementsAre("control_request", "control_cancel_request"));
}

TEST_F(AskerTest, ADeadlineWithdrawsItToo) {
  EXPECT_EQ(asker_.ask(question(), {}, 1ms).end, Asker::End::timeout);
  EXPECT_THAT(client_.kinds(), ElementsAre("control_request", "control_cancel_request"));
}

TEST_F(AskerTest, HangingUpFailsWhatWaitsAndWhatComes) {
  std::jthread user([&] {
    (void)client_.request(1);
    asker_.close();
  });
  EXPECT_EQ(asker_.ask(question(), {}).end, Asker::End::closed);
  EXPECT_EQ(asker_.ask(question(), {}).end, Asker::End::closed);
}

TEST_F(AskerTest, WithdrawingAllNamesEach) {
  std::jthread user([&] {
    const std::string id = client_.request(1).request_id;
    EXPECT_EQ(asker_.pending().size(), 1u);
    asker_.withdraw_all();
    EXPECT_EQ(client_.last<ControlCancelRequest>().request_id, id);
  });
  EXPECT_EQ(asker_.ask(question(), {}).end, Asker::End::withdrawn);
  user.join();
  EXPECT_TRUE(asker_.pending().empty());
}

TEST_F(AskerTest, WithdrawsTheQuestionsOfOneAndOfThoseItWaitsFor) {
  asker_.set_awaited("child", "agent");
  asker_.set_awaited("agent", "");
  std::map<std::string, Asker::End> ends;
  std::mutex mutex;
  std::vector<std::jthread> asking;
  for (const char* who : {"", "agent", "child", "alone"}) {
    asking.emplace_back([&, who] {
      const Asker::Reply reply = asker_.ask(question(), {}, {}, {}, who);
      const std::lock_guard lock(mutex);
      ends[who] = reply.end;
    });
  }
  (void)client_.request(4);
  asker_.withdraw({"agent"});
  EXPECT_EQ(asker_.pending().size(), 2u) << "the session and the one that stands alone";
  asker_.withdraw({""});
  ASSERT_EQ(asker_.pending().size(), 1u);
  asker_.answered(success(asker_.pending().front().request_id, "{}"));
  asking.clear();
  EXPECT_EQ(ends["alone"], Asker::End::answered);
  for (const char* who : {"", "agent", "child"}) EXPECT_EQ(ends[who], Asker::End::withdrawn);
}

TEST_F(AskerTest, AnAgentThatNobodyWaitsForStandsAlone) {
  asker_.set_awaited("agent", "");
  asker_.set_alone("agent");
  std::jthread user([&] {
    const std::string id = client_.request(1).request_id;
    asker_.withdraw({""});
    asker_.answered(success(id, "{}"));
  });
  EXPECT_EQ(asker_.ask(question(), {}, {}, {}, "agent").end, Asker::End::answered);
}

}  // namespace
}  // namespace parley::agent
