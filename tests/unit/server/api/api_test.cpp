// The API over a real connection, with a hub whose loop the test can hold.
#include "server/api/api.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <future>

#include "server/api/respond.hpp"
#include "server/log/file_log.hpp"
#include "support/files/temporary.hpp"
#include "tests/unit/http/server_fixture.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;
using http::testing::body_of;
using http::testing::RawClient;
using http::testing::status_of;

class ApiTest : public ::testing::Test {
 protected:
  ApiTest() {
    http::ServerOptions options;
    options.gate = [this](const http::Request& request) { return api_.refuse(request); };
    options.refusal = refusal_response;
    server_ = http::Server::start(options, [this](const auto& exchange) {
                api_.handle(exchange);
              }).value();
  }
  ~ApiTest() override { server_.reset(); }

  std::string ask(const std::string& line, const std::string& fields = {}) {
    RawClient client(server_->port());
    client.send(line + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "Connection: close\r\n\r\n");
    return client.read_all();
  }

  TemporaryFolder temporary_ = TemporaryFolder::make("api-").value();
  const fs::path folder_ = temporary_.path();
  const std::shared_ptr<Loop> loop_ = Loop::create().value();
  Hub hub_{loop_, open_file_store(folder_ / "data").value(), Folders::make({folder_}).value(),
           HubOptions()};
  SignIns sign_ins_{"", [](const std::string&) {}, [] { return std::int64_t{0}; }};
  Access access_{"the-bearer", {}, 80, sign_ins_};
  Api api_{hub_, access_, {}};
  std::unique_ptr<http::Server> server_;
};

TEST_F(ApiTest, HealthIsTheLoopsHealth) {
  EXPECT_EQ(body_of(ask("GET /healthz")), R"({"status":"ok"})");
  std::promise<void> held;
  hub_.post([wait = held.get_future().share()] { wait.wait(); });
  const std::string stuck = ask("GET /healthz");
  held.set_value();
  EXPECT_EQ(status_of(stuck), "HTTP/1.1 503");
  EXPECT_EQ(body_of(stuck), R"({"error":{"code":"timeout","message":"the hub does not answer"}})");
  EXPECT_EQ(status_of(ask("GET /healthz")), "HTTP/1.1 200");
}

TEST_F(ApiTest, OnlyAGetUsesALinkUp) {
  const std::string target = "/?token=" + access_.make_link_token();
  EXPECT_EQ(status_of(ask("HEAD " + target)), "HTTP/1.1 401");
  EXPECT_EQ(status_of(ask("POST " + target)), "HTTP/1.1 405");
  EXPECT_EQ(status_of(ask("GET " + target)), "HTTP/1.1 303");
  EXPECT_EQ(status_of(ask("GET " + target)), "HTTP/1.1 401");
}

TEST_F(ApiTest, BodiesOfStrangersAreNotRead) {
  const std::string much = "Content-Type: application/json\r\nContent-Length: 8000000\r\n";
  EXPECT_EQ(status_of(ask("POST /api/sessions", much)), "HTTP/1.1 401");
  EXPECT_EQ(status_of(ask("POST /api/links", much + "Expect: 100-continue\r\n")), "HTTP/1.1 401");
  for (const char* path : {"/", "/healthz", "/index.html", "/nothing"}) {
    EXPECT_EQ(status_of(ask(std::string("GET ") + path, much)), "HTTP/1.1 413") << path;
  }
  RawClient friendly(server_->port());
  friendly.send("POST /api/links HTTP/1.1\r\nHost: localhost\r\n" + much +
                "Expect: 100-continue\r\nAuthorization: Bearer the-bearer\r\n\r\n");
  EXPECT_EQ(status_of(friendly.read_until("\r\n\r\n")), "HTTP/1.1 100");
}

}  // namespace
}  // namespace parley::server
