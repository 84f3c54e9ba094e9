#include "agent/api/api_client.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/raw_server.hpp"

namespace parley::agent {
namespace {

using parley::testing::Peer;
using parley::testing::RawServer;
using parley::testing::sse;
using parley::testing::text_answer;
using Kind = ApiOutcome::Kind;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

const std::string kBody = R"({"model":"m","stream":true})";

ApiAccess access_to(const std::string& url) {
  ApiAccess access;
  access.base_url = url;
  access.api_key = "sk-test";
  return access;
}

/// What one streamed request brought.
struct Streamed {
  ApiOutcome outcome;
  std::vector<std::string> events;
  std::string text;
};

Streamed stream(ApiClient& client, std::stop_token stop = {}) {
  Streamed got;
  got.outcome = client.stream(kBody, stop, [&](const ApiEvent& event, std::string_view json) {
    got.events.emplace_back(json);
    if (const auto* delta = std::get_if<ContentBlockDelta>(&event)) {
      if (const auto* text = std::get_if<TextDelta>(&delta->delta)) got.text += text->text;
    }
  });
  return got;
}

Streamed stream(const RawServer& server) {
  ApiClient client(access_to(server.url()));
  return stream(client);
}

/// Sends `bytes` to everybody and closes.
RawServer::Handler says(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) {
    peer.read_request();
    peer.send(bytes);
  };
}

std::string head(const std::string& status, const std::string& more = {}) {
  return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + more + "\r\n";
}
const std::string kStreamHead = head("200 OK", "Content-Type: text/event-stream\r\n");

TEST(ApiClient, StreamsAnAnswer) {
  std::string request;
  RawServer server([&](Peer& peer) {
    request = peer.read_request();
    peer.send_events(": hi\n\n" + sse(R"({"type":"ping"})") + text_answer("Hello"));
  });
  ApiAccess access = access_to(server.url());
  access.headers = {{"X-Mine", "1"}, {"user-agent", "other"}, {"X-Empty", ""}};
  access.betas = {"a-1", "b-2"};
  ApiClient client(access);
  std::string text;
  int pings = 0;
  const ApiOutcome outcome = client.stream(kBody, {},
                                           [&](const ApiEvent& event, std::string_view) {
                                             if (std::holds_alternative<StreamPing>(event)) ++pings;
                                           },
                                           {"b-2", "c-3"});
  EXPECT_EQ(outcome.kind, Kind::done) << outcome.message;
  EXPECT_EQ(outcome.status, 200);
  EXPECT_EQ(outcome.request_id, "req_1");
  EXPECT_EQ(pings, 1);
  EXPECT_TRUE(request.starts_with("POST /v1/messages?beta=true HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\n\r\n" + kBody)) << request;
  for (const char* header :
       {"\r\nx-api-key: sk-test\r\n", "\r\nanthropic-version: 2023-06-01\r\n",
        "\r\nanthropic-beta: a-1,b-2,c-3\r\n", "\r\nX-Mine: 1\r\n", "\r\nuser-agent: other\r\n",
        "\r\nX-Empty:\r\n", "\r\nContent-Type: application/json\r\n"}) {
    EXPECT_NE(request.find(header), std::string::npos) << header << " in " << request;
  }
  EXPECT_EQ(request.find("parley-agent"), std::string::npos);
  EXPECT_EQ(request.find("Expect"), std::string::npos);
}

TEST(ApiClient, PrefersTheTokenAndNamesItself) {
  std::string request;
  RawServer server([&](Peer& peer) {
    request = peer.read_request();
    peer.send_events(text_answer("x"));
  });
  ApiAccess access = access_to(server.url());
  access.auth_token = "tok";
  ApiClient client(access);
  EXPECT_EQ(stream(client).outcome.kind, Kind::done);
  EXPECT_NE(request.find("\r\nAuthorization: Bearer tok\r\n"), std::string::npos) << request;
  EXPECT_NE(request.find("\r\nUser-Agent: parley-agent/"), std::string::npos) << request;
  EXPECT_EQ(request.find("x-api-key"), std::string::npos);
  EXPECT_TRUE(request.starts_with("POST /v1/messages HTTP/1.1\r\n"));
}

TEST(ApiClient, LooksForAKeyAndForAnotherOneIfItIsRefused) {
  std::vector<std::string> requests;
  RawServer server([&](Peer& peer) {
    requests.push_back(peer.read_request());
    if (requests.size() == 1) {
      peer.send(head("401 Unauthorized"));
    } else {
      peer.send_events(text_answer("Hello"));
    }
  });
  ApiAccess access;
  access.base_url = server.url();
  EXPECT_FALSE(access.has_credentials());
  int found = 0;
  access.find_key = [&](const std::stop_token&) { return "key-" + std::to_string(++found); };
  EXPECT_TRUE(access.has_credentials());
  ApiClient client(access);
  EXPECT_EQ(stream(client).text, "Hello");
  EXPECT_EQ(stream(client).text, "Hello");
  EXPECT_EQ(found, 2);
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_NE(requests[0].find("x-api-key: key-1\r\nAuthorization: Bearer key-1\r\n"),
            std::string::npos);
  EXPECT_NE(requests[1].find("x-api-key: key-2\r\n"), std::string::npos);
  EXPECT_NE(requests[2].find("x-api-key: key-2\r\n"), std::string::npos);
}

TEST(ApiClient, LooksForAKeyAgainWhenItsLifeIsOver) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send_events(text_answer("Hello"));
  });
  ApiAccess access;
  access.base_url = server.url();
  access.key_life = milliseconds(0);
  int found = 0;
  access.find_key = [&](const std::stop_token&) { return "key-" + std::to_string(++found); };
  ApiClient client(access);
  stream(client);
  stream(client);
  EXPECT_EQ(found, 2);
}

TEST(ApiClient, HandsEventsOverAsTheyCome) {
  std::promise<void> seen;
  RawServer server([&](Peer& peer) {
    peer.read_request();
    const std::string answer = text_answer("now");
    const std::size_t half = answer.find("now") + 10;
    peer.send(kStreamHead + answer.substr(0, half));
    seen.get_future().wait();
    peer.send(answer.substr(half));
  });
  ApiClient client(access_to(server.url()));
  const auto outcome = client.stream(kBody, {}, [&](const ApiEvent& event, std::string_view) {
    if (std::holds_alternative<ContentBlockStart>(event)) seen.set_value();
  });
  EXPECT_EQ(outcome.kind, Kind::done);
}

TEST(ApiClient, UsesAConnectionAgain) {
  RawServer server([](Peer& peer) {
    while (!peer.read_request().empty()) peer.send_events(text_answer("again"));
  });
  ApiClient client(access_to(server.url()));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(stream(client).text, "again");
  EXPECT_EQ(client.send("/v1/messages", "{}", {}).kind, Kind::done);
  EXPECT_EQ(server.connections(), 1);
}

TEST(ApiClient, SurvivesAConnectionThatWasClosedMeanwhile) {
  RawServer server([](Peer& peer) {  // claims to keep it, and closes
    peer.read_request();
    peer.send_events(text_answer("once"));
  });
  ApiClient client(access_to(server.url()));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(stream(client).text, "once");
  EXPECT_EQ(server.connections(), 3);
}

TEST(ApiClient, RunsRequestsAtOnce) {
  std::promise<void> both;
  std::shared_future<void> together = both.get_future().share();
  std::atomic<int> waiting = 0;
  RawServer server([&](Peer& peer) {
    peer.read_request();
    if (++waiting == 2) both.set_value();
    together.wait();
    peer.send_events(text_answer("both"));
  });
  ApiClient client(access_to(server.url()));
  auto other = std::async(std::launch::async, [&] { return stream(client).text; });
  EXPECT_EQ(stream(client).text, "both");
  EXPECT_EQ(other.get(), "both");
}

TEST(ApiClient, DoesNotWaitForTheEndOfAStreamThatIsDone) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send(kStreamHead + text_answer("done"));
    peer.wait_for_close();
  });
  const auto start = Clock::now();
  const Streamed got = stream(server);
  EXPECT_EQ(got.outcome.kind, Kind::done) << got.outcome.message;
  EXPECT_EQ(got.text, "done");
  EXPECT_LT(Clock::now() - start, milliseconds(3000));
}

TEST(ApiClient, ReadsAChunkedStreamInSmallPieces) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
        "transfer-encoding: chunked\r\n\r\n");
    for (const char c : text_answer("bytes")) peer.send(std::string("1\r\n") + c + "\r\n");
    peer.send("0\r\n\r\n");
  });
  EXPECT_EQ(stream(server).text, "bytes");
}

TEST(ApiClient, TurnsAWholeMessageIntoEvents) {
  const std::string message =
      R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[)"
      R"({"type":"thinking","thinking":"hm","signature":"sig"},{"type":"text","text":"Hi"},)"
      R"({"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}],)"
      R"("stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,)"
      R"("output_tokens":2}})";
  RawServer server(says(head("200 OK", "Content-Type: application/json\r\n") + message));
  const Streamed got = stream(server);
  ASSERT_EQ(got.outcome.kind, Kind::done) << got.outcome.message;
  EXPECT_EQ(got.text, "Hi");
  ASSERT_EQ(got.events.size(), 13U);
  EXPECT_NE(got.events[0].find(R"("content":[])"), std::string::npos) << got.events[0];
  EXPECT_NE(got.events[9].find(R"("partial_json":"{\"command\":\"ls\"}")"), std::string::npos)
      << got.events[9];
  EXPECT_NE(got.events[11].find(R"("stop_reason":"tool_use")"), std::string::npos);
  EXPECT_NE(got.events[12].find("message_stop"), std::string::npos);
}

TEST(ApiClient, SendsWithoutStreaming) {
  std::string request;
  RawServer server([&](Peer& peer) {
    request = peer.read_request();
    peer.send(head("200 OK") + R"({"input_tokens":5})");
  });
  ApiClient client(access_to(server.url()));
  const ApiOutcome outcome = client.send("/v1/messages/count_tokens", "{}", {});
  EXPECT_EQ(outcome.kind, Kind::done);
  EXPECT_EQ(outcome.body, R"({"input_tokens":5})");
  EXPECT_TRUE(request.starts_with("POST /v1/messages/count_tokens HTTP/1.1"));
}

// ---- failures ----------------------------------------------------------------------------------

TEST(ApiClient, ReadsAnErrorAnswer) {
  RawServer server(says(head("429 Too Many Requests", "retry-after: 2.5\r\nRequest-ID: req_9\r\n") +
                        R"({"type":"error","error":{"type":"rate_limit_error",)"
                        R"("message":"slow down"}})"));
  const ApiOutcome outcome = stream(server).outcome;
  EXPECT_EQ(outcome.kind, Kind::http);
  EXPECT_EQ(outcome.status, 429);
  EXPECT_EQ(outcome.error_type, "rate_limit_error");
  EXPECT_EQ(outcome.message, "slow down");
  EXPECT_EQ(outcome.request_id, "req_9");
  EXPECT_EQ(outcome.retry_after, milliseconds(2500));
  EXPECT_EQ(outcome.headers.at("connection"), "close");
}

TEST(ApiClient, ReadsErrorsOfOtherShapes) {
  const auto message_of = [](const std::string& status, const std::string& body) {
    RawServer server(says(head(status) + body));
    const ApiOutcome outcome = stream(server).outcome;
    EXPECT_EQ(outcome.kind, Kind::http) << status;
    return outcome.message;
  };
  EXPECT_EQ(message_of("502 Bad Gateway", "<html>bad gateway</html>"), "<html>bad gateway</html>");
  EXPECT_EQ(message_of("503 x", ""), "status 503");
  EXPECT_EQ(message_of("400 x", R"({"error":"plain"})"), "plain");
  EXPECT_EQ(message_of("403 x", R"({"message":"proxy says no"})"), "proxy says no");
  EXPECT_EQ(message_of("302 Found", "moved"), "moved");
}

TEST(ApiClient, BoundsAnEndlessErrorAnswer) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send(head("500 x"));
    while (peer.send(std::string(65536, 'x'))) {
    }
  });
  const ApiOutcome outcome = stream(server).outcome;
  EXPECT_EQ(outcome.kind, Kind::http);
  EXPECT_LE(outcome.body.size(), 16384U);
}

TEST(ApiClient, EndsWithAnErrorEvent) {
  RawServer server(says(kStreamHead + sse(R"({"type":"ping"})") +
                        sse(R"({"type":"error","error":{"type":"overloaded_error",)"
                            R"("message":"Overloaded"}})") +
                        text_answer("never")));
  const Streamed got = stream(server);
  EXPECT_EQ(got.outcome.kind, Kind::event);
  EXPECT_EQ(got.outcome.error_type, "overloaded_error");
  EXPECT_EQ(got.outcome.message, "Overloaded");
  EXPECT_EQ(got.events.size(), 1U);
}

TEST(ApiClient, TellsACutStreamFromABrokenConnection) {
  const std::string answer = text_answer("half");
  {
    RawServer server(says(kStreamHead + answer.substr(0, answer.find("half"))));
    EXPECT_EQ(stream(server).outcome.kind, Kind::cut);
  }
  {
    RawServer server(
        says("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
             "Content-Length: 100000\r\n\r\n" +
             answer.substr(0, answer.find("half"))));
    EXPECT_EQ(stream(server).outcome.kind, Kind::cut);
  }
  {
    RawServer server([](Peer& peer) { peer.read_request(); });
    EXPECT_EQ(stream(server).outcome.kind, Kind::connect);
  }
  {
    RawServer server([](Peer& peer) {
      peer.read_request();
      peer.reset();
    });
    EXPECT_EQ(stream(server).outcome.kind, Kind::connect);
  }
  {
    RawServer server(
        says("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
             "Content-Length: 1000\r\n\r\ndata: {"));
    EXPECT_EQ(stream(server).outcome.kind, Kind::connect);
  }
}

TEST(ApiClient, NamesMalformedAnswers) {
  const auto kind_of = [](const std::string& bytes) {
    RawServer server(says(bytes));
    const ApiOutcome outcome = stream(server).outcome;
    EXPECT_FALSE(outcome.message.empty());
    return outcome.kind;
  };
  EXPECT_EQ(kind_of(kStreamHead + "data: {\"type\":\"message_start\", broken\n\n"),
            Kind::malformed);
  EXPECT_EQ(kind_of(kStreamHead + sse(R"({"type":"content_block_delta"})")), Kind::malformed);
  EXPECT_EQ(kind_of(kStreamHead + sse("[]")), Kind::malformed);
  EXPECT_EQ(kind_of(kStreamHead + "<html>hello</html>"), Kind::malformed);
  EXPECT_EQ(kind_of(head("200 OK", "Content-Type: text/html\r\n") + "<html>"), Kind::malformed);
  EXPECT_EQ(kind_of(kStreamHead), Kind::malformed);
  EXPECT_EQ(kind_of(head("200 OK") + R"({"hello":1})"), Kind::malformed);
  EXPECT_EQ(kind_of(head("200 OK") + "{broken"), Kind::malformed);
  EXPECT_EQ(kind_of("SSH-2.0-OpenSSH_9.2\r\n"), Kind::connect);
}

TEST(ApiClient, BoundsEndlessStreams) {
  ApiLimits limits;
  limits.event_bytes = 100'000;
  limits.answer_bytes = 1'000'000;
  const auto endless = [&](const std::string& piece) {
    RawServer server([&](Peer& peer) {
      peer.read_request();
      peer.send(kStreamHead);
      while (peer.send(piece)) {
      }
    });
    ApiAccess access = access_to(server.url());
    access.limits = limits;
    ApiClient client(access);
    return stream(client).outcome;
  };
  EXPECT_EQ(endless(std::string(65536, 'x')).kind, Kind::malformed);
  EXPECT_EQ(endless("data: x\n").kind, Kind::malformed);
  EXPECT_EQ(endless(sse(R"({"type":"ping"})")).kind, Kind::malformed);
  EXPECT_EQ(endless("\n").kind, Kind::malformed);
}

TEST(ApiClient, EndsAnEndlessHead) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nX-Long: ");
    while (peer.send(std::string(65536, 'x'))) {
    }
  });
  EXPECT_NE(stream(server).outcome.kind, Kind::done);
}

TEST(ApiClient, EndsTheWaitForASilentServer) {
  RawServer server([](Peer& peer) { peer.wait_for_close(); });
  ApiAccess access = access_to(server.url());
  access.limits.first_byte = milliseconds(50);
  ApiClient client(access);
  const ApiOutcome outcome = stream(client).outcome;
  EXPECT_EQ(outcome.kind, Kind::connect);
  EXPECT_EQ(outcome.message, "no answer within 50 ms");
}

TEST(ApiClient, EndsAStreamThatStalls) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send(kStreamHead + text_answer("x").substr(0, 300));
    peer.wait_for_close();
  });
  ApiAccess access = access_to(server.url());
  access.limits.idle = milliseconds(50);
  ApiClient client(access);
  const ApiOutcome outcome = stream(client).outcome;
  EXPECT_EQ(outcome.kind, Kind::cut) << outcome.message;
}

TEST(ApiClient, EndsAStreamThatOnlyPings) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    const std::string answer = text_answer("x");
    peer.send(kStreamHead + answer.substr(0, answer.find("\n\n") + 2));
    while (peer.send(sse(R"({"type":"ping"})"))) {
      std::this_thread::sleep_for(milliseconds(1));  // a slow server, not a wait of the test
    }
  });
  ApiAccess access = access_to(server.url());
  ApiOutcome outcome;
  // A busy machine may need longer than that for the first event.
  for (milliseconds time(100); time < std::chrono::minutes(1); time *= 2) {
    access.limits.total = time;
    ApiClient client(access);
    outcome = stream(client).outcome;
    if (outcome.kind != Kind::connect) break;
  }
  EXPECT_EQ(outcome.kind, Kind::cut) << outcome.message;
}

TEST(ApiClient, SaysWhyThereIsNoConnection) {
  std::string url;
  {
    const RawServer gone([](Peer&) {});
    url = gone.url();
  }
  for (const std::string& address :
       {url, std::string("http://no-such-host.invalid"), std::string("gopher://127.0.0.1"),
        std::string("not a url"), std::string("file:///etc/passwd")}) {
    ApiClient client(access_to(address));
    const ApiOutcome outcome = stream(client).outcome;
    EXPECT_EQ(outcome.kind, Kind::connect) << address;
    EXPECT_FALSE(outcome.message.empty()) << address;
  }
}

TEST(ApiClient, LetsExceptionsOfTheCallerThrough) {
  RawServer server([](Peer& peer) {
    while (!peer.read_request().empty()) peer.send_events(text_answer("x"));
  });
  ApiClient client(access_to(server.url()));
  EXPECT_THROW(
      static_cast<void>(client.stream(
          kBody, {}, [](const ApiEvent&, std::string_view) { throw std::runtime_error("mine"); })),
      std::runtime_error);
  EXPECT_EQ(stream(client).text, "x");
}

// ---- cancelling --------------------------------------------------------------------------------

/// Cancels once `ready`, and says how long the request went on.
milliseconds time_to_cancel(ApiClient& client, std::future<void> ready) {
  // On the heap: g++ 12 takes one on the stack for uninitialised.
  const auto source = std::make_unique<std::stop_source>();
  Clock::time_point asked;
  std::jthread canceller([&] {
    ready.wait();
    asked = Clock::now();
    source->request_stop();
  });
  const ApiOutcome outcome = stream(client, source->get_token()).outcome;
  const auto returned = Clock::now();
  canceller.join();
  EXPECT_EQ(outcome.kind, Kind::cancelled);
  return std::chrono::duration_cast<milliseconds>(returned - asked);
}

TEST(ApiClient, CancelsARequestThatIsNotAnswered) {
  std::promise<void> asked;
  RawServer server([&](Peer& peer) {
    peer.read_request();
    asked.set_value();
    peer.wait_for_close();
  });
  ApiClient client(access_to(server.url()));
  EXPECT_LT(time_to_cancel(client, asked.get_future()), milliseconds(1000));
}

TEST(ApiClient, CancelsInTheMiddleOfAStream) {
  std::promise<void> streaming;
  RawServer server([&](Peer& peer) {
    peer.read_request();
    peer.send(kStreamHead + text_answer("x").substr(0, 300));
    streaming.set_value();
    peer.wait_for_close();
  });
  ApiClient client(access_to(server.url()));
  EXPECT_LT(time_to_cancel(client, streaming.get_future()), milliseconds(1000));
}

TEST(ApiClient, DoesNotStartWhatIsCancelled) {
  RawServer server([](Peer& peer) { peer.wait_for_close(); });
  ApiClient client(access_to(server.url()));
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(stream(client, source.get_token()).outcome.kind, Kind::cancelled);
  EXPECT_EQ(server.connections(), 0);
}

TEST(ApiClient, CancelsFromInsideAnEvent) {
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send(kStreamHead + text_answer("x").substr(0, 300));
    peer.wait_for_close();
  });
  ApiClient client(access_to(server.url()));
  std::stop_source source;
  const ApiOutcome outcome = client.stream(
      kBody, source.get_token(), [&](const ApiEvent&, std::string_view) { source.request_stop(); });
  EXPECT_EQ(outcome.kind, Kind::cancelled);
}

// ---- proxies -----------------------------------------------------------------------------------

TEST(ApiClient, GoesThroughTheProxyUnlessTheHostIsExcepted) {
  std::string request;
  RawServer proxy([&](Peer& peer) {
    request = peer.read_request();
    peer.send_events(text_answer("proxied"));
  });
  RawServer server([](Peer& peer) {
    peer.read_request();
    peer.send_events(text_answer("direct"));
  });
  ApiAccess access = access_to("http://model.invalid:81");
  access.proxy = proxy.url();
  {
    ApiClient client(access);
    EXPECT_EQ(stream(client).text, "proxied");
    EXPECT_TRUE(request.starts_with("POST http://model.invalid:81/v1/messages HTTP/1.1"))
        << request;
  }
  access.base_url = server.url();
  access.no_proxy = "example.org,127.0.0.1";
  ApiClient client(access);
  EXPECT_EQ(stream(client).text, "direct");
}

TEST(ApiClient, TunnelsTlsThroughTheProxy) {
  std::string request;
  RawServer proxy([&](Peer& peer) {
    request = peer.read_request();
    peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  });
  ApiAccess access = access_to("https://model.invalid");
  access.proxy = proxy.url();
  ApiClient client(access);
  EXPECT_EQ(stream(client).outcome.kind, Kind::connect);
  EXPECT_TRUE(request.starts_with("CONNECT model.invalid:443 HTTP/1.1")) << request;
}

}  // namespace
}  // namespace parley::agent
