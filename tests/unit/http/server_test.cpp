#include "http/server.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "server_fixture.hpp"

namespace parley::http {
namespace {

using namespace testing;

TEST(HttpServer, AnswersOnAFreePort) {
  const auto server = serve(echo);
  EXPECT_GT(server->port(), 0);
  EXPECT_EQ(server->url(), "http://127.0.0.1:" + std::to_string(server->port()));
  RawClient client(server->port());
  client.send(get("/hello?x=1"));
  const std::string response = client.read_response();
  EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\n")) << response;
  EXPECT_NE(response.find("Content-Type: text/plain; charset=utf-8\r\n"), std::string::npos);
  EXPECT_EQ(body_of(response), "GET /hello?x=1 ");
}

TEST(HttpServer, KeepsAConnectionForManyRequests) {
  const auto server = serve(echo);
  RawClient client(server->port());
  for (int i = 0; i < 100; ++i) {
    const std::string target = "/" + std::to_string(i);
    client.send(get(target));
    EXPECT_EQ(body_of(client.read_response()), "GET " + target + " ");
  }
  EXPECT_EQ(server->connections(), 1U);
}

TEST(HttpServer, ClosesWhenAskedTo) {
  const auto server = serve(echo);
  RawClient client(server->port());
  client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string response = client.read_all();
  EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos) << response;
  EXPECT_TRUE(client.ended());
}

TEST(HttpServer, OldClients) {
  const auto server = serve(echo);
  RawClient client(server->port());
  client.send("GET /old HTTP/1.0\r\n\r\n");
  EXPECT_EQ(body_of(client.read_all()), "GET /old ");
}

TEST(HttpServer, HeadHasNoBody) {
  const auto server = serve(echo);
  RawClient client(server->port());
  client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"));
  EXPECT_NE(client.read_until("\r\n\r\n").find("Content-Length: 8\r\n"), std::string::npos);
  EXPECT_EQ(body_of(client.read_response()), "GET /next ");
}

TEST(HttpServer, PipelinedRequestsAreAnsweredInOrder) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    // The first takes longest.
    exchange->after(exchange->request().target == "/0" ? 50ms : 0ms,
                    [exchange] { echo(exchange); });
  });
  RawClient client(server->port());
  std::string all;
  for (int i = 0; i < 20; ++i) all += get("/" + std::to_string(i));
  client.send(all);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(body_of(client.read_response()), "GET /" + std::to_string(i) + " ");
  }
}

TEST(HttpServer, BodyAfterContinue) {
  const auto server = serve(echo);
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_EQ(body_of(client.read_response()), "POST / abc");
}

TEST(HttpServer, AnswersLaterFromAnotherThread) {
  std::vector<std::thread> threads;
  const auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    threads.emplace_back([exchange] { echo(exchange); });
  });
  RawClient client(server->port());
  for (int i = 0; i < 5; ++i) {
    client.send(get("/later"));
    EXPECT_EQ(body_of(client.read_response()), "GET /later ");
  }
  server->stop();
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpServer, AForgottenRequestIsA500) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    if (exchange->request().target == "/throw") throw std::runtime_error("oops");
  });
  RawClient client(server->port());
  client.send(get("/forget"));
  EXPECT_EQ(status_of(client.read_response()), "HTTP/1.1 500");
  client.send(get("/throw"));
  EXPECT_EQ(status_of(client.read_response()), "HTTP/1.1 500");
}

TEST(HttpServer, OneAnswerOnly) {
  std::string said;
  const auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    echo(exchange);
    try {
      echo(exchange);
    } catch (const std::logic_error& error) {
      said = error.what();
    }
    EXPECT_THROW(exchange->stream({}, Framing::chunked), std::logic_error);
  });
  RawClient client(server->port());
  client.send(get("/"));
  client.read_response();
  server->stop();
  EXPECT_EQ(said, "the request has been answered already");
}

TEST(HttpServer, HeadersThatCannotBeSentAreRefused) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    Response response = Response::text(200, "x");
    response.headers.add("X-Evil", "a\r\nSet-Cookie: b");
    EXPECT_THROW(exchange->respond(response), std::invalid_argument);
    echo(exchange);
  });
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_EQ(body_of(client.read_response()), "GET / ");
}

TEST(HttpServer, DropSaysNothing) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) { exchange->drop(); });
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_TRUE(client.ended());
}

TEST(HttpStream, Chunked) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    const auto stream = exchange->stream({200, {{"X-Kind", "stream"}}, "one"}, Framing::chunked);
    stream->write("two");
    stream->finish();
    EXPECT_FALSE(stream->open());
    stream->write("too late");
  });
  RawClient client(server->port());
  client.send(get("/") + get("/again"));
  for (int i = 0; i < 2; ++i) {
    const std::string head = client.read_until("\r\n\r\n");
    EXPECT_NE(head.find("Transfer-Encoding: chunked\r\n"), std::string::npos) << head;
    EXPECT_NE(head.find("X-Kind: stream\r\n"), std::string::npos) << head;
    EXPECT_EQ(client.read_until("0\r\n\r\n"), "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n");
  }
}

TEST(HttpStream, UntilClose) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    const auto framing = exchange->request().http_1_0 ? Framing::chunked : Framing::until_close;
    exchange->stream({200, {}, "all of it"}, framing)->finish();
  });
  for (const char* request : {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}) {
    RawClient client(server->port());
    client.send(request);
    const std::string response = client.read_all();
    EXPECT_EQ(body_of(response), "all of it");
    EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos);
    EXPECT_EQ(response.find("chunked"), std::string::npos);
  }
}

TEST(HttpStream, CutEndsWithoutAnEnd) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    exchange->stream({200, {}, "half"}, Framing::chunked)->cut();
  });
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_EQ(body_of(client.read_all()), "4\r\nhalf\r\n");
}

TEST(HttpStream, DrainedTellsWhenToWriteMore) {
  const auto server = serve([](const std::shared_ptr<Exchange>& exchange) {
    const auto stream = exchange->stream({}, Framing::until_close);
    const auto left = std::make_shared<int>(100);
    stream->on_drained([stream, left] {
      EXPECT_EQ(stream->unsent(), 0U);
      if ((*left)-- == 0) return stream->finish();
      stream->write(std::string(10'000, 'x'));
    });
    stream->write("x");
  });
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_EQ(body_of(client.read_all()).size(), 1'000'001U);
}

TEST(HttpStream, TheClientGoes) {
  Signal streaming, gone, gone_again;
  std::shared_ptr<BodyStream> stream;
  const auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    stream = exchange->stream({200, {}, "x"}, Framing::chunked);
    stream->on_gone([&] { gone.set(); });
    stream->after(std::chrono::hours(1), [] { ADD_FAILURE() << "the stream was over"; });
    streaming.set();
  });
  RawClient client(server->port());
  client.send(get("/"));
  ASSERT_TRUE(streaming.wait());
  client.read_until("x");
  client.close();
  EXPECT_TRUE(gone.wait());
  EXPECT_FALSE(stream->open());
  stream->on_gone([&] { gone_again.set(); });
  EXPECT_TRUE(gone_again.wait()) << "who asks late is told as well";
  EXPECT_EQ(server->connections(), 0U);
}

TEST(HttpStream, FromAnotherThread) {
  std::thread writer;
  const auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    writer = std::thread([stream = exchange->stream({}, Framing::until_close)] {
      for (int i = 0; i < 1000; ++i) stream->write("0123456789");
      stream->finish();
    });
  });
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_EQ(body_of(client.read_all()).size(), 10'000U);
  writer.join();
}

TEST(HttpServer, StopLetsAnswersEnd) {
  Signal asked;
  const auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    exchange->after(50ms, [exchange] { echo(exchange); });
    asked.set();
  });
  RawClient busy(server->port()), idle(server->port());
  busy.send(get("/"));
  ASSERT_TRUE(asked.wait());
  server->stop(std::chrono::milliseconds(kPatienceMs));
  EXPECT_TRUE(idle.ended());
  const std::string response = busy.read_all();
  EXPECT_EQ(body_of(response), "GET / ");
  EXPECT_NE(response.find("Connection: close"), std::string::npos);
  EXPECT_EQ(server->connections(), 0U);
  EXPECT_FALSE(RawClient(server->port()).connected());
}

TEST(HttpServer, StopDoesNotWaitForEver) {
  Signal asked;
  std::shared_ptr<Exchange> kept;
  auto server = serve([&](const std::shared_ptr<Exchange>& exchange) {
    kept = exchange;
    asked.set();
  });
  RawClient client(server->port());
  client.send(get("/"));
  ASSERT_TRUE(asked.wait());
  server->stop(20ms);
  EXPECT_TRUE(client.ended());
  server.reset();
  echo(kept);  // too late, and harmless
}

TEST(HttpServer, CannotListen) {
  const auto first = serve(echo);
  ServerOptions options;
  options.port = first->port();
  const auto second = Server::start(options, echo);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::io);
  EXPECT_EQ(second.error().context(), "127.0.0.1:" + std::to_string(first->port()));
  options.host = "localhost";
  EXPECT_EQ(Server::start(options, echo).error().code(), ErrorCode::invalid);
}

TEST(HttpServer, SeveralThreads) {
  const auto server = serve(echo, {}, 3);
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&] {
      RawClient client(server->port());
      for (int i = 0; i < 50; ++i) {
        client.send(get("/x"));
        EXPECT_EQ(body_of(client.read_response()), "GET /x ");
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

}  // namespace
}  // namespace parley::http
