#include "server/links/inbound_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace parley::server {
namespace {

class FakeSocket : public http::WebSocket {
 public:
  void send(std::string_view) override {}
  void close(std::uint16_t, std::string) override {}
  [[nodiscard]] std::size_t unsent() const override { return 0; }
  [[nodiscard]] bool open() const override { return true; }
  void pause() override { reads = false; }
  void resume() override { reads = true; }

  bool reads = true;
};

class InboundQueueTest : public ::testing::Test {
 protected:
  InboundQueueTest() { queue_->set_socket(socket_); }
  void run_one() {
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
  }

  std::deque<std::function<void()>> tasks_;
  std::vector<std::size_t> taken_;
  std::shared_ptr<FakeSocket> socket_ = std::make_shared<FakeSocket>();
  std::shared_ptr<InboundQueue> queue_ = std::make_shared<InboundQueue>(
      [this](std::function<void()> task) { tasks_.push_back(std::move(task)); },
      [this](const std::string& text) { taken_.push_back(text.size()); });
};

TEST_F(InboundQueueTest, TakesMessagesInOrder) {
  for (std::size_t size = 1; size <= 3; ++size) queue_->push(std::string(size, 'x'));
  EXPECT_TRUE(taken_.empty());  // not on the socket's thread
  while (!tasks_.empty()) run_one();
  EXPECT_EQ(taken_, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_TRUE(socket_->reads);
}

TEST_F(InboundQueueTest, WhoTalksFasterThanTheHubListensIsNotReadFrom) {
  const std::string message(300 << 10, 'x');
  int put = 0;
  for (; socket_->reads; ++put) queue_->push(message);
  EXPECT_EQ(put, 4);  // 1 MiB and the rest of the last
  run_one();
  EXPECT_FALSE(socket_->reads);  // not for every message
  run_one();
  run_one();
  EXPECT_TRUE(socket_->reads);
  run_one();
  EXPECT_EQ(taken_.size(), 4U);
}

TEST_F(InboundQueueTest, AMessageBeyondTheBoundIsTaken) {
  queue_->push(std::string(5 << 20, 'x'));
  EXPECT_FALSE(socket_->reads);
  run_one();
  EXPECT_TRUE(socket_->reads);
}

TEST_F(InboundQueueTest, OutlivesItsSocket) {
  queue_->push(std::string(5 << 20, 'x'));
  socket_.reset();
  run_one();
  EXPECT_EQ(taken_.size(), 1U);
}

}  // namespace
}  // namespace parley::server
