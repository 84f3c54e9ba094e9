#include "client/mcp/serve_stdio.hpp"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/handlers/dispatcher.hpp"
#include "client/mcp/line_writer.hpp"
#include "client/mcp/mcp_connection.hpp"
#include "wire/framing.hpp"
#include "wire/mcp/json_rpc.hpp"

namespace parley {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
/// Requests that wait for a thread.
constexpr std::size_t kMostWaitingCalls = 1024;
/// The one revision of MCP in which a line may hold several messages.
constexpr std::string_view kBatchVersion = "2025-03-26";
/// For functions that were told to stop.
constexpr std::chrono::milliseconds kStopPatience{2000};

/// A message, or why it is none.
struct Incoming {
  JsonRpcMessage message;
  std::optional<JsonRpcMessage> refusal;
};

Incoming refused(const JsonRpcMessage& message, std::int64_t code, std::string why) {
  return {{}, detail::rpc_error(message, code, std::move(why))};
}

bool is_id(const RawJson& id) {
  return id.text.starts_with('"') || id.text.starts_with('-') ||
         (id.text[0] >= '0' && id.text[0] <= '9');
}

/// An id that can be told even though the message as a whole makes no sense.
JsonRpcMessage only_id(std::string_view line) {
  JsonRpcMessage message;
  if (const auto json = Json::parse(line)) {
    const Json& id = (*json)["id"];
    if (id.is_string() || id.is_number()) message.id = RawJson(id.dump());
  }
  return message;
}

Incoming read_message(std::string_view line) {
  auto message = decode<JsonRpcMessage>(line);
  if (!message) {
    const bool malformed = message.error().code() == ErrorCode::malformed;
    return malformed ? refused({}, mcp::kParseError, message.error().what())
                     : refused(only_id(line), mcp::kInvalidRequest, message.error().what());
  }
  const auto bad = [&](std::string why) {
    return refused(only_id(line), mcp::kInvalidRequest, std::move(why));
  };
  if (message->jsonrpc != "2.0") return bad("jsonrpc: expected \"2.0\"");
  if (message->id && !is_id(*message->id)) return bad("id: expected a string or a number");
  for (const Extra::Member& member : message->extra.members) {
    // What was left out makes a notification; null is a mistake whose maker waits for an answer.
    if (member.spelling && member.key == "id" && member.value.is_null()) return bad("id: null");
  }
  if (!message->method && !message->is_response()) return bad("it has no method");
  return {*std::move(message), std::nullopt};
}

/// Gathers the answers to messages that came in one line, and writes them as one.
class Batch {
 public:
  Batch(std::shared_ptr<detail::LineWriter> writer, std::size_t expected)
      : writer_(std::move(writer)), left_(expected) {}

  void add(const JsonRpcMessage& answer, bool cancelled) {
    const std::lock_guard lock(mutex_);
    if (!cancelled) answers_ += (answers_.empty() ? "" : ",") + encode(answer);
    if (--left_ == 0 && !answers_.empty()) writer_->write("[" + answers_ + "]");
  }

 private:
  const std::shared_ptr<detail::LineWriter> writer_;
  std::mutex mutex_;
  std::size_t left_;
  std::string answers_;
};

class StdioService {
 public:
  StdioService(const McpServer& server, const StdioOptions& options)
      : options_(options),
        writer_(std::make_shared<detail::LineWriter>(options.output)),
        calls_(std::make_shared<detail::Dispatcher>(std::max<std::size_t>(options.handlers, 1))),
        stops_(std::make_shared<detail::Dispatcher>(1)) {
    detail::McpConnection::Carrier carrier;
    carrier.send = [writer = writer_](const JsonRpcMessage& message) {
      writer->write(encode(message));
    };
    carrier.run = [calls = calls_](std::function<void()> task) {
      return calls->run(std::move(task), kMostWaitingCalls);
    };
    carrier.run_stop = [stops = stops_](std::function<void()> task) {
      stops->run(std::move(task));
    };
    connection_ = detail::McpConnection::open(server, std::move(carrier));
  }

  Result<void> run() {
    if (!writer_->end().valid()) return Error(ErrorCode::io, std::strerror(errno));
    const std::stop_callback on_stop(options_.stop, [this] { writer_->end().set(); });
    auto result = read_to_end();
    finish();
    if (const auto failure = writer_->failure()) {
      return Error(ErrorCode::closed, std::strerror(*failure), "output");
    }
    return result;
  }

 private:
  Result<void> read_to_end() {
    LineFramer framer(options_.line_bytes);
    for (;;) {
      std::array<pollfd, 2> ready = {
          {{options_.input, POLLIN, 0}, {writer_->end().fd(), POLLIN, 0}}};
      if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return input_error();
      if (ready[1].revents != 0) return {};
      if (ready[0].revents == 0) continue;
      const ssize_t got = ::read(options_.input, framer.prepare(kReadBytes).data(), kReadBytes);
      if (got < 0 && errno != EINTR && errno != EAGAIN) return input_error();
      if (got > 0) framer.commit(static_cast<std::size_t>(got));
      if (got == 0) framer.finish();
      while (const auto frame = framer.next()) take(*frame);
      if (got == 0) return {};
    }
  }

  static Error input_error() { return {ErrorCode::io, std::strerror(errno), "input"}; }

  void take(const Frame& frame) {
    if (frame.kind == Frame::Kind::too_long) {
      return writer_->write(encode(detail::rpc_error(
          {}, mcp::kInvalidRequest,
          "a message of more than " + std::to_string(options_.line_bytes) + " bytes")));
    }
    const std::size_t begin = frame.text.find_first_not_of(" \t");
    if (frame.text[begin] == '[' && connection_->protocol_version() == kBatchVersion) {
      return take_batch(frame.text);
    }
    take_message(read_message(frame.text),
                 [writer = writer_](const JsonRpcMessage& answer, bool cancelled) {
                   if (!cancelled) writer->write(encode(answer));
                 });
  }

  void take_message(const Incoming& incoming, const detail::McpConnection::Respond& respond) {
    if (incoming.refusal) return respond(*incoming.refusal, false);
    connection_->receive(incoming.message, respond);
  }

  void take_batch(std::string_view line) {
    const auto json = Json::parse(line);
    if (!json || json->items().empty()) {
      return writer_->write(encode(
          detail::rpc_error({}, json ? mcp::kInvalidRequest : mcp::kParseError,
                            json ? "a batch without messages" : std::string(json.error().what()))));
    }
    std::vector<Incoming> all;
    std::size_t expected = 0;
    for (const Json& item : json->items()) {
      const Incoming& one = all.emplace_back(read_message(item.dump()));
      if (one.refusal || one.message.is_request()) ++expected;
    }
    const auto batch = std::make_shared<Batch>(writer_, expected);
    for (const Incoming& one : all) {
      take_message(one, [batch](const JsonRpcMessage& answer, bool cancelled) {
        batch->add(answer, cancelled);
      });
    }
  }

  void finish() {
    connection_->end_answers();
    // Set already: nobody is there to hear an answer, or to wait for one.
    pollfd end = {writer_->end().fd(), POLLIN, 0};
    const bool wanted = ::poll(&end, 1, 0) == 0;
    if (!wanted || !calls_->finish(options_.drain)) {
      connection_->close();
      writer_->end().set();
      calls_->close(kStopPatience);
    }
    connection_->close();
    stops_->finish(kStopPatience);
    writer_->close();
  }

  const StdioOptions options_;
  const std::shared_ptr<detail::LineWriter> writer_;
  const std::shared_ptr<detail::Dispatcher> calls_, stops_;
  std::shared_ptr<detail::McpConnection> connection_;
};

}  // namespace

Result<void> serve_stdio(const McpServer& server, const StdioOptions& options) {
  return StdioService(server, options).run();
}

}  // namespace parley
