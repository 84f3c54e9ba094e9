#include "server/sessions/list_feed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <set>
#include <vector>

namespace parley::server {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class Watcher : public ListWatcher {
 public:
  void on_sessions(const std::string& message) override {
    messages.push_back(message);
    std::set<std::string> ids;
    const auto told = Json::parse(message).value();
    for (const Json& session : told["sessions"].items()) ids.emplace(session["id"].as_string());
    sessions.push_back(std::move(ids));
    if (heard) heard->set_value();
    heard = nullptr;
  }
  void on_gone(const std::string& id) override { gone.push_back(id); }
  [[nodiscard]] bool has_room() const override { return room; }

  bool room = true;
  std::promise<void>* heard = nullptr;  ///< Kept for the next message.
  std::vector<std::string> messages, gone;
  std::vector<std::set<std::string>> sessions;
};

class ListFeedTest : public ::testing::Test {
 protected:
  ~ListFeedTest() override {
    loop_->run([this] { feed_.stop(); });
  }
  /// Changes something, and waits until the watcher has been told of it.
  void change_and_wait(Watcher& watcher, const std::function<void()>& change) {
    std::promise<void> heard;
    loop_->run([&] {
      watcher.heard = &heard;
      change();
    });
    heard.get_future().wait();
  }

  std::shared_ptr<Loop> loop_ = Loop::create().value();
  ListFeed feed_{*loop_, [](const std::string& id) -> std::optional<Json> {
                   if (id == "vanished") return std::nullopt;
                   return Json::object({{"id", id}});
                 }};
  Watcher first_, second_;
};

TEST_F(ListFeedTest, ChangesThatComeTogetherAreToldTogether) {
  loop_->run([this] { feed_.add(first_); });
  change_and_wait(first_, [this] {
    for (const char* id : {"a", "b", "a", "vanished"}) feed_.changed(id);
  });
  loop_->run([this] {
    ASSERT_THAT(first_.sessions, SizeIs(1));
    EXPECT_THAT(first_.sessions[0], ElementsAre("a", "b"));
  });
}

TEST_F(ListFeedTest, WhoDidNotReadIsToldEverythingLater) {
  loop_->run([this] {
    feed_.add(first_);
    feed_.add(second_);
    second_.room = false;
  });
  change_and_wait(first_, [this] { feed_.changed("a"); });
  change_and_wait(first_, [this] { feed_.changed("b"); });
  loop_->run([this] { EXPECT_THAT(second_.messages, SizeIs(0)); });
  change_and_wait(second_, [this] {
    second_.room = true;
    feed_.changed("c");
  });
  loop_->run([this] {
    ASSERT_THAT(second_.sessions, SizeIs(1));
    EXPECT_THAT(second_.sessions[0], ElementsAre("a", "b", "c"));
  });
}

TEST_F(ListFeedTest, TheEndOfASessionIsToldAtOnce) {
  loop_->run([this] {
    feed_.add(first_);
    feed_.changed("a");
    feed_.gone("a");
    EXPECT_THAT(first_.gone, ElementsAre("a"));
  });
  change_and_wait(first_, [this] { feed_.changed("b"); });
  loop_->run([this] { EXPECT_THAT(first_.sessions.back(), ElementsAre("b")); });
}

}  // namespace
}  // namespace parley::server
