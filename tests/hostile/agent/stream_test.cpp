// A model that breaks the protocol of its stream, or of HTTP below it.
#include "hostile.hpp"

namespace parley::testing {
namespace {

const std::string kStart =
    sse(R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",)"
        R"("model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}})");
const std::string kTextBlock =
    sse(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})");
const std::string kTextDelta =
    sse(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}})");
const std::string kBlockStop = sse(R"({"type":"content_block_stop","index":0})");
const std::string kEnd = sse(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},)"
                             R"("usage":{"output_tokens":2}})") +
                         sse(R"({"type":"message_stop"})");
const std::string kText = kTextBlock + kTextDelta + kBlockStop;

class HostileStream : public HostileTest {};

struct Odd {
  const char* name;
  std::string body;
};
void PrintTo(const Odd& odd, std::ostream* out) { *out << odd.name; }

class OddStream : public HostileStream, public ::testing::WithParamInterface<Odd> {};

/// The odd answer comes first, good ones follow: the turn ends with what could be read of it, with
/// one of the others, or with an error.
TEST_P(OddStream, EndsInAResult) {
  const AgentEnd end = turn({events(GetParam().body)}, {},
                            {"--include-partial-messages", "--permission-mode", "dontAsk"});
  const Json result = end.result();
  EXPECT_TRUE(result["is_error"].as_bool() || result["result"].is_string()) << result.dump();
}

/// It never gets better: the agent gives up.
TEST_P(OddStream, AgainAndAgainEndsInAResult) {
  turn(std::vector<Reply>(64, events(GetParam().body)), {},
       {"--permission-mode", "dontAsk", "--max-turns", "5"});
}

INSTANTIATE_TEST_SUITE_P(
    All, OddStream,
    ::testing::Values(
        Odd{"Empty", ""}, Odd{"OnlyComments", ": hello\n\n: again\n\n"},
        Odd{"BadJson", kStart + "data: {\"type\":\n\n"},
        Odd{"BadJsonAtOnce", "data: this is no json\n\n"},
        Odd{"AnArray", kStart + sse("[1,2,3]") + kText + kEnd},
        Odd{"NoType", kStart + sse(R"({"a":1})") + kText + kEnd},
        Odd{"TypeIsANumber", kStart + sse(R"({"type":7})") + kText + kEnd},
        Odd{"UnknownEvent", kStart + sse(R"({"type":"tomorrow","x":[{}]})") + kText + kEnd},
        Odd{"UnknownBlock",
            kStart +
                sse(R"({"type":"content_block_start","index":0,"content_block":{"type":"dream"}})") +
                sse(R"({"type":"content_block_delta","index":0,"delta":{"type":"dream_delta"}})") +
                kBlockStop + kEnd},
        Odd{"BlockWithoutType",
            kStart + sse(R"({"type":"content_block_start","index":0,"content_block":{}})") +
                kBlockStop + kEnd},
        Odd{"NoMessageStart", kText + kEnd},
        Odd{"MessageStartWithoutMessage", sse(R"({"type":"message_start"})") + kText + kEnd},
        Odd{"MessageIsNull", sse(R"({"type":"message_start","message":null})") + kText + kEnd},
        Odd{"TwoMessageStarts", kStart + kText + kStart + kText + kEnd},
        Odd{"NoMessageStop", kStart + kText},
        Odd{"OnlyMessageStop", sse(R"({"type":"message_stop"})")},
        Odd{"StopFirst", sse(R"({"type":"message_stop"})") + kStart + kText + kEnd},
        Odd{"BlockNeverStops", kStart + kTextBlock + kTextDelta + kEnd},
        Odd{"DeltaWithoutBlock", kStart + kTextDelta + kBlockStop + kEnd},
        Odd{"StopWithoutBlock", kStart + kBlockStop + kEnd},
        Odd{"DeltaAfterStop", kStart + kText + kTextDelta + kEnd},
        Odd{"SameIndexTwice", kStart + kTextBlock + kTextBlock + kTextDelta + kBlockStop + kEnd},
        Odd{"SameBlockStopsTwice", kStart + kText + kBlockStop + kBlockStop + kEnd},
        Odd{"NegativeIndex",
            kStart +
                sse(R"({"type":"content_block_start","index":-1,"content_block":{"type":"text"}})") +
                kEnd},
        Odd{"HugeIndex", kStart +
                             sse(R"({"type":"content_block_start","index":9223372036854775807,)"
                                 R"("content_block":{"type":"text","text":""}})") +
                             kEnd},
        Odd{"WrongDelta", kStart + kTextBlock +
                              sse(R"({"type":"content_block_delta","index":0,)"
                                  R"("delta":{"type":"input_json_delta","partial_json":"{}"}})") +
                              kBlockStop + kEnd},
        Odd{"DeltaIsText", kStart + kTextBlock +
                               sse(R"({"type":"content_block_delta","index":0,"delta":"hi"})") +
                               kBlockStop + kEnd},
        Odd{"UsageIsText",
            kStart + kText + sse(R"({"type":"message_delta","delta":{},"usage":"a lot"})") + kEnd},
        Odd{"HugeUsage", kStart + kText +
                             sse(R"({"type":"message_delta","delta":{},)"
                                 R"("usage":{"output_tokens":1e300,"input_tokens":-5}})") +
                             kEnd},
        Odd{"InvalidUtf8",
            kStart + kTextBlock +
                "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
                "\"text_delta\",\"text\":\"\xff\xfe\xc3\"}}\n\n" +
                kBlockStop + kEnd},
        Odd{"LoneSurrogate", kStart + kTextBlock +
                                 sse(R"({"type":"content_block_delta","index":0,)"
                                     R"("delta":{"type":"text_delta","text":"\ud800"}})") +
                                 kBlockStop + kEnd},
        Odd{"NulBytes", kStart + std::string(4096, '\0') + "\n\n" + kText + kEnd},
        Odd{"EscapedNuls",
            kStart + kTextBlock +
                sse(R"({"type":"content_block_delta","index":0,)"
                    R"("delta":{"type":"text_delta","text":"\u0000\u0001\u2028"}})") +
                kBlockStop + kEnd},
        Odd{"DeepJson", kStart + sse(std::string(100'000, '[')) + kText + kEnd},
        Odd{"CarriageReturns", "data: {}\r\rdata: x\r\r\r\r"},
        Odd{"ErrorEventInTheMiddle",
            kStart + kTextBlock + kTextDelta +
                sse(R"({"type":"error","error":{"type":"overloaded_error","message":"busy"}})")},
        Odd{"ErrorEventWithoutError", sse(R"({"type":"error"})")},
        Odd{"ThinkingWithoutSignature",
            kStart +
                sse(R"({"type":"content_block_start","index":0,)"
                    R"("content_block":{"type":"thinking","thinking":""}})") +
                sse(R"({"type":"content_block_delta","index":0,)"
                    R"("delta":{"type":"thinking_delta","thinking":"hm"}})") +
                kBlockStop + kEnd},
        Odd{"UnknownStopReason",
            kStart + kText + sse(R"({"type":"message_delta","delta":{"stop_reason":"bored"}})") +
                sse(R"({"type":"message_stop"})")},
        Odd{"ToolUseWithoutTool",
            kStart + kText + sse(R"({"type":"message_delta","delta":{"stop_reason":"tool_use"}})") +
                sse(R"({"type":"message_stop"})")},
        Odd{"NothingButMaxTokens",
            kStart + sse(R"({"type":"message_delta","delta":{"stop_reason":"max_tokens"}})") +
                sse(R"({"type":"message_stop"})")},
        Odd{"NothingButPause",
            kStart + sse(R"({"type":"message_delta","delta":{"stop_reason":"pause_turn"}})") +
                sse(R"({"type":"message_stop"})")}),
    [](const auto& odd) { return std::string(odd.param.name); });

/// A stream of known events that is cut behind every single one of them.
TEST_F(HostileStream, CutAtEachPhase) {
  const std::string whole = kStart + kText + kEnd;
  std::vector<Reply> replies;
  for (std::size_t end = 0; end < whole.size(); end = whole.find("\n\n", end + 1)) {
    replies.push_back(events(whole.substr(0, end)));
    replies.push_back(events(whole.substr(0, end + 1)));  // also within an event
    if (whole.find("\n\n", end + 1) == std::string::npos) break;
  }
  for (const Reply& reply : replies) {
    const AgentEnd end = turn({reply}, {}, {"--include-partial-messages"});
    EXPECT_FALSE(end.result()["is_error"].as_bool()) << end.result().dump();
  }
}

TEST_F(HostileStream, ConnectionIsResetInTheMiddle) {
  const AgentEnd end = turn({[](Peer& peer) {
    peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + kStart + kTextBlock);
    peer.reset();
  }});
  EXPECT_EQ(end.result()["result"].as_string(), "done");
}

TEST_F(HostileStream, SilenceBeforeTheAnswer) {
  const AgentEnd end = turn({[](Peer& peer) { peer.wait_for_close(); }});
  EXPECT_EQ(end.result()["result"].as_string(), "done");
}

TEST_F(HostileStream, SilenceInTheMiddle) {
  const AgentEnd end = turn({events_then_silence(kStart + kTextBlock + kTextDelta)});
  EXPECT_EQ(end.result()["result"].as_string(), "done");
}

/// Sends `piece` again and again behind `front` until the agent has had enough.
Reply endless(std::string front, std::string piece) {
  return [front = std::move(front), piece = std::move(piece)](Peer& peer) {
    peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + front);
    while (peer.send(piece)) {
    }
  };
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST_F(HostileStream, EndlessText) {
  const Reply flood = endless(
      kStart + kTextBlock,
      repeated(
          sse(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":")" +
              std::string(1000, 'x') + R"("}})"),
          60));
  const AgentEnd end = turn({flood, flood, flood, flood}, {60s, 400});
  EXPECT_TRUE(end.result()["is_error"].as_bool()) << end.result().dump();
}

TEST_F(HostileStream, EndlessBlocks) {
  const Reply flood = [](Peer& peer) {
    peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + kStart);
    std::string index;
    const auto with_index = [&](std::string event) {
      return event.replace(event.find("\"index\":0"), 9, "\"index\":" + index);
    };
    for (int i = 0;; ++i) {
      index = std::to_string(i);
      if (!peer.send(with_index(kTextBlock) + with_index(kTextDelta) + with_index(kBlockStop))) {
        return;
      }
    }
  };
  turn({flood}, {60s, 128});
}

/// Each block counts once: a tool is not called again because the stream ends it again.
TEST_F(HostileStream, OneCallThatEndsManyTimes) {
  const std::string answer = call_events({{"Bash", R"({"command":"echo x >> file"})"}});
  const std::string stop = R"(data: {"type":"content_block_stop","index":0})"
                           "\n\n";
  const AgentEnd end = turn({events(answer.substr(0, answer.find(stop)) + repeated(stop, 1000) +
                                    answer.substr(answer.find(stop)))});
  EXPECT_EQ(end.tool_results().size(), 1u);
  EXPECT_EQ(workspace_.read("file"), "x\n");
}

TEST_F(HostileStream, OneEndlessLine) {
  const Reply flood = endless(kStart + "data: {\"type\":\"", std::string(64 << 10, 'x'));
  turn({flood, flood, flood, flood}, {60s, 200});
}

TEST_F(HostileStream, EndlessHead) {
  const Reply flood = [](Peer& peer) {
    peer.send("HTTP/1.1 200 OK\r\n");
    while (peer.send(repeated("X-More: and more\r\n", 1000))) {
    }
  };
  turn({flood, flood, flood, flood}, {60s, 100});
}

/// Pings keep a connection alive for as long as the model thinks; a user can still end the wait.
TEST_F(HostileStream, EndlessPingsEndWithAnInterrupt) {
  const HostileModel model({endless(kStart, sse(R"({"type":"ping"})"))});
  AgentRun run(workspace_, {model.url(), {"--include-partial-messages", "go"}, {}});
  ASSERT_TRUE(run.wait_for([](const Json& m) { return m["type"].as_string() == "stream_event"; }));
  run.signal(SIGINT);
  expect_result(run.finish(20s));
}

// ---- HTTP ---------------------------------------------------------------------------------------

TEST_F(HostileStream, WrongContentType) {
  const std::string body = kStart + kText + kEnd;
  const AgentEnd end = turn({status(200, body, "Content-Type: image/png\r\n")});
  EXPECT_EQ(end.result()["result"].as_string(), "hi");
}

TEST_F(HostileStream, APageInsteadOfAnAnswer) {
  const Reply page =
      status(200, "<html><body>Please log in</body></html>", "Content-Type: text/html\r\n");
  const AgentEnd end = turn({page, page, page, page, page});
  EXPECT_TRUE(end.result()["is_error"].as_bool()) << end.result().dump();
}

TEST_F(HostileStream, ContentLengthTooLarge) {
  turn({raw(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99999999\r\n\r\n" +
      kStart + kText)});
}

TEST_F(HostileStream, ContentLengthTooSmall) {
  turn({raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 40\r\n\r\n" +
            kStart + kText + kEnd)});
}

TEST_F(HostileStream, ContentLengthIsNoNumber) {
  turn({raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: -7\r\n\r\n" +
            kStart + kText + kEnd)});
}

TEST_F(HostileStream, BrokenChunks) {
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& body :
       {std::string("zz\r\nhello\r\n"), std::string("ffffffffffffffffff\r\nx"),
        "5\r\n" + kStart + "\r\n0\r\n\r\n", std::string("4\r\nda")}) {
    EXPECT_EQ(turn({raw(head + body)}).result()["result"].as_string(), "done");
  }
}

TEST_F(HostileStream, NoHttpAtAll) {
  const AgentEnd end = turn({raw("SSH-2.0-OpenSSH_9.2\r\n"), raw(std::string(100'000, '\xff'))});
  EXPECT_TRUE(end.result().is_object());
}

TEST_F(HostileStream, RedirectsAreNotFollowed) {
  const HostileModel elsewhere({});
  const AgentEnd end = turn(
      std::vector<Reply>(4, status(307, "", "Location: " + elsewhere.url() + "/v1/messages\r\n")));
  EXPECT_TRUE(end.result()["is_error"].as_bool()) << end.result().dump();
  EXPECT_EQ(elsewhere.asked(), 0u);
}

TEST_F(HostileStream, ErrorsWithJunkBodies) {
  for (const int code : {400, 401, 403, 404, 413, 418, 429, 500, 502, 529, 599, 999}) {
    for (const std::string& body : {std::string(), std::string("\0\xff<html>", 8),
                                    std::string("{\"error\":[[]]}"), std::string(50'000, 'x')}) {
      const AgentEnd end = turn(std::vector<Reply>(8, status(code, body, "Retry-After: 0\r\n")));
      EXPECT_TRUE(end.result()["is_error"].as_bool()) << code << " " << end.result().dump();
    }
  }
}

TEST_F(HostileStream, RetryAfterAYear) {
  const HostileModel model({status(429, "{}", "Retry-After: 31536000\r\n")});
  AgentRun run(workspace_, {model.url(), {"go"}, {}});
  if (run.wait_for([](const Json& m) { return m["subtype"].as_string() == "api_retry"; }, 5s)) {
    run.signal(SIGINT);
  }
  expect_result(run.finish(20s));
}

}  // namespace
}  // namespace parley::testing
