// A server in a process that has no descriptors left: it still answers, by those it kept.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "server_fixture.hpp"

namespace parley::http {
namespace {

using namespace testing;

/// Takes all descriptors that this process may have, and gives them back one by one.
class Shortage {
 public:
  Shortage() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit fewer = before_;
    // Some hundred are as good as a million, and taken sooner.
    fewer.rlim_cur = std::min<rlim_t>(before_.rlim_cur, 256);
    ::setrlimit(RLIMIT_NOFILE, &fewer);
    for (int fd = 0; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken_.push_back(fd);
    EXPECT_EQ(errno, EMFILE);
  }
  ~Shortage() {
    while (!taken_.empty()) give_one();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;

  void give_one() {
    ASSERT_FALSE(taken_.empty());
    ::close(taken_.back());
    taken_.pop_back();
  }
  /// A client with the only descriptor there is. The server takes none unless somebody comes.
  std::unique_ptr<RawClient> connect(const Server& server) {
    give_one();
    auto client = std::make_unique<RawClient>(server.port());
    EXPECT_TRUE(client->connected());
    return client;
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

class HttpDescriptors : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef PARLEY_UNDEFINED_SANITIZER
    GTEST_SKIP()
        << "the sanitizer looks at memory through a pipe, and takes having none for a fault";
#endif
  }
};

TEST_F(HttpDescriptors, SomeAreKeptForWhenThereAreNone) {
  const auto server = serve(echo);
  Shortage shortage;
  const auto client = shortage.connect(*server);
  client->send(get("/healthz"));
  EXPECT_EQ(body_of(client->read_response()), "GET /healthz ");
}

TEST_F(HttpDescriptors, WhoAsksForNothingMakesRoomForOthers) {
  const auto server = serve(echo);
  Shortage shortage;
  std::vector<std::unique_ptr<RawClient>> clients;
  // More than descriptors are kept; all of them stay, and none asks for anything more.
  for (int i = 0; i < 8; ++i) {
    clients.push_back(shortage.connect(*server));
    clients.back()->send(get("/healthz"));
    ASSERT_EQ(body_of(clients.back()->read_response()), "GET /healthz ") << i;
  }
  EXPECT_TRUE(clients.front()->ended());
}

TEST_F(HttpDescriptors, AreKeptAgainWhenThereAreSome) {
  const auto server = serve(echo);
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<RawClient>> clients;
    {
      Shortage shortage;
      // As many as are kept.
      for (int i = 0; i < 4; ++i) {
        clients.push_back(shortage.connect(*server));
        clients.back()->send(get("/"));
        ASSERT_EQ(body_of(clients.back()->read_response()), "GET / ") << round << ", " << i;
      }
    }
    // Whoever comes next finds descriptors; the server takes some for itself, before it looks for
    // the one behind that.
    for (int i = 0; i < 2; ++i) {
      clients.push_back(std::make_unique<RawClient>(server->port()));
      clients.back()->send(get("/"));
      ASSERT_EQ(body_of(clients.back()->read_response()), "GET / ") << round;
    }
    // No descriptor of theirs may take the place of one that is kept.
    for (const auto& client : clients) client->end_sending();
    for (const auto& client : clients) EXPECT_TRUE(client->ended());
  }
}

}  // namespace
}  // namespace parley::http
