#include "hostile.hpp"

namespace parley::testing {
namespace {

/// A sanitizer's shadow and quarantine are not the agent's.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSlower = 5, kLarger = 12;
#else
constexpr int kSlower = 1, kLarger = 1;
#endif

/// The answer to a request that wants it whole.
constexpr const char* kDone =
    R"({"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"end_turn",)"
    R"("content":[{"type":"text","text":"done"}],"usage":{"input_tokens":1,"output_tokens":1}})";

std::string stream_head() {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
}

std::string quoted(const std::string& text) { return Json(text).dump(); }

}  // namespace

Reply raw(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) { peer.send(bytes); };
}

Reply events(std::string body) { return raw(stream_head() + body); }

Reply events_then_silence(std::string body) {
  return [bytes = stream_head() + body](Peer& peer) {
    peer.send(bytes);
    peer.wait_for_close();
  };
}

Reply status(int code, const std::string& body, const std::string& headers) {
  return raw("HTTP/1.1 " + std::to_string(code) + " Odd\r\n" + headers + "Content-Length: " +
             std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body);
}

std::string call_events(const std::vector<Call>& calls) {
  std::string body =
      sse(R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",)"
          R"("model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}})");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string index = std::to_string(i);
    body += sse(R"({"type":"content_block_start","index":)" + index +
                R"(,"content_block":{"type":"tool_use","id":)" + quoted(calls[i].id) +
                R"(,"name":)" + quoted(calls[i].tool) + R"(,"input":{}}})");
    body += sse(R"({"type":"content_block_delta","index":)" + index +
                R"(,"delta":{"type":"input_json_delta","partial_json":)" + quoted(calls[i].input) +
                "}}");
    body += sse(R"({"type":"content_block_stop","index":)" + index + "}");
  }
  body += sse(
      R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}})");
  return body + sse(R"({"type":"message_stop"})");
}

HostileModel::HostileModel(std::vector<Reply> replies)
    : replies_(std::move(replies)), server_(std::make_unique<RawServer>([this](Peer& peer) {
        const std::string request = peer.read_request();
        if (request.empty()) return;
        const std::size_t number = asked_++;
        if (number < replies_.size()) {
          replies_[number](peer);
        } else if (request.find("\"stream\":true") != std::string::npos) {
          events(text_answer("done"))(peer);
        } else {
          status(200, kDone, "Content-Type: application/json\r\n")(peer);
        }
      })) {}

void expect_bounded(const AgentEnd& end, const Bounds& bounds) {
  EXPECT_FALSE(end.hung) << "killed after " << end.took.count() << " ms; stderr: " << end.errors;
  EXPECT_NE(end.code, 128 + SIGSEGV) << end.errors;
  EXPECT_NE(end.code, 128 + SIGABRT) << end.errors;
  EXPECT_LE(end.memory_mb, bounds.memory_mb * kLarger);
  EXPECT_THAT(end.left_behind, ::testing::IsEmpty());
  EXPECT_THAT(end.no_json, ::testing::IsEmpty());
}

void expect_result(const AgentEnd& end, const Bounds& bounds) {
  expect_bounded(end, bounds);
  EXPECT_TRUE(end.code == 0 || end.code == 1) << end.code << " stderr: " << end.errors;
  ASSERT_FALSE(end.messages.empty()) << end.errors;
  EXPECT_EQ(end.messages.back()["type"].as_string(), "result") << end.messages.back().dump();
}

const std::vector<std::string> HostileTest::kAllowAll = {
    "--tools", "Bash,Read,Write,Edit,Glob,Grep,LS", "--permission-mode", "bypassPermissions"};

AgentEnd HostileTest::turn(std::vector<Reply> replies, const Bounds& bounds,
                           std::vector<std::string> arguments) {
  const HostileModel model(std::move(replies));
  arguments.emplace_back("go");
  AgentRun run(workspace_, {model.url(), std::move(arguments), {}});
  AgentEnd end = run.finish(bounds.time * kSlower);
  expect_result(end, bounds);
  return end;
}

Json HostileTest::call(const std::string& tool, const Json& input, const Bounds& bounds) {
  const AgentEnd end = turn({events(call_events({{tool, input.dump()}}))}, bounds);
  EXPECT_EQ(end.result()["result"].as_string(), "done");
  const std::vector<Json> results = end.tool_results();
  EXPECT_EQ(results.size(), 1u);
  return results.empty() ? Json() : results.front();
}

Json HostileTest::bash(const std::string& command, const Bounds& bounds) {
  return call("Bash", Json::object({{"command", command}}), bounds);
}

std::string HostileTest::text_of(const Json& tool_result) {
  const Json& content = tool_result["content"];
  return std::string(content.as_string(content[0]["text"].as_string()));
}

void HostileTest::expect_refused(const Json& tool_result, const std::string& words) {
  EXPECT_TRUE(tool_result["is_error"].as_bool()) << tool_result.dump();
  EXPECT_THAT(text_of(tool_result), HasSubstr(words));
}

}  // namespace parley::testing
