#include "agent/api/answer_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <optional>

#include "agent/api/message_events.hpp"
#include "support/text/text.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

using Kind = ApiOutcome::Kind;
using std::chrono::milliseconds;

/// Of an answer that is an error: enough for any message, whatever a proxy sends.
constexpr std::size_t kFailureBytes = 16 * 1024;
constexpr std::size_t kMaxHeaders = 200;
constexpr std::size_t kShownBytes = 200;

/// "HTTP/1.1 429 Too Many Requests": 429, or nothing if the line is no status line.
std::optional<int> status_of(std::string_view line) {
  if (!line.starts_with("HTTP/")) return std::nullopt;
  const std::size_t space = line.find(' ');
  int status = 0;
  if (space != std::string_view::npos) {
    std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
  }
  return status;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0) {
    return std::nullopt;
  }
  return std::min(value, 1e9);
}

/// "Sun, 06 Nov 1994 08:49:37 GMT", from now.
std::optional<milliseconds> until_date(const std::string& text) {
  std::tm date{};
  const char* end = strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S", &date);
  if (end == nullptr || trimmed(end) != "GMT") return std::nullopt;
  const auto at = std::chrono::system_clock::from_time_t(timegm(&date));
  return std::max(milliseconds(0),
                  std::chrono::duration_cast<milliseconds>(at - std::chrono::system_clock::now()));
}

std::optional<milliseconds> retry_after(const std::map<std::string, std::string>& headers) {
  if (const auto ms = headers.find("retry-after-ms"); ms != headers.end()) {
    if (const auto value = number_of(ms->second)) {
      return milliseconds(static_cast<milliseconds::rep>(*value));
    }
  }
  const auto header = headers.find("retry-after");
  if (header == headers.end()) return std::nullopt;
  if (const auto value = number_of(header->second)) {
    return milliseconds(static_cast<milliseconds::rep>(*value * 1000));
  }
  return until_date(header->second);
}

std::string header_in(const std::map<std::string, std::string>& headers, const char* name) {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

/// The beginning of what the server sent, so that a person sees what it was.
std::string shown(std::string_view text) {
  text = trimmed(text);
  std::string out(text.substr(0, kShownBytes));
  if (text.size() > kShownBytes) out += "…";
  return out;
}

}  // namespace

AnswerReader::AnswerReader(const ApiLimits& limits, const ApiClient::OnEvent* on_event,
                           std::string* request_id)
    : limits_(limits), on_event_(on_event), request_id_(request_id), parser_(limits.event_bytes) {}

void AnswerReader::on_head(std::string_view line) {
  if (const auto status = status_of(line)) {  // also after "100 Continue"
    outcome_.status = *status;
    outcome_.headers.clear();
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || outcome_.headers.size() >= kMaxHeaders) return;
  const std::string name = lower(trimmed(line.substr(0, colon)));
  outcome_.headers[name] = trimmed(line.substr(colon + 1));
  if (request_id_ != nullptr && name == "request-id") *request_id_ = outcome_.headers[name];
}

AnswerReader::Form AnswerReader::decide(std::string_view bytes) const {
  if (outcome_.status < 200 || outcome_.status > 299) return Form::failure;
  if (on_event_ == nullptr) return Form::whole;
  if (lower(header_in(outcome_.headers, "content-type")).starts_with("text/event-stream")) {
    return Form::events;
  }
  // Some servers do not label their answers well; no event stream begins with a brace.
  const std::string_view start = trimmed(bytes);
  if (start.empty()) return Form::undecided;
  return start.front() == '{' ? Form::whole : Form::events;
}

bool AnswerReader::on_body(std::string_view bytes) {
  if (done_) return true;
  if (failed_) return false;
  bytes_ += bytes.size();
  if (bytes_ > limits_.answer_bytes) {
    return fail(Kind::malformed,
                "the answer is larger than " + std::to_string(limits_.answer_bytes) + " bytes");
  }
  if (form_ == Form::undecided) form_ = decide(bytes);
  switch (form_) {
    case Form::undecided: return true;
    case Form::whole: collected_ += bytes; return true;
    case Form::failure:
      collected_ += bytes.substr(0, kFailureBytes - std::min(kFailureBytes, collected_.size()));
      return collected_.size() < kFailureBytes;
    case Form::events: break;
  }
  parser_.push(bytes, [this](std::string_view json) { return take_event(json); });
  if (parser_.too_large()) {
    return fail(Kind::malformed,
                "an event is larger than " + std::to_string(limits_.event_bytes) + " bytes");
  }
  return !failed_;
}

bool AnswerReader::take_event(std::string_view json) {
  auto event = decode<ApiEvent>(json);
  if (!event) {
    return fail(Kind::malformed, std::string("an event cannot be read: ") + event.error().what() +
                                     " in " + shown(json));
  }
  if (const auto* error = std::get_if<StreamError>(&*event)) {
    return fail_with(Kind::event, error->error);
  }
  if (!std::holds_alternative<StreamPing>(*event)) ++events_;
  if (std::holds_alternative<ContentBlockStart>(*event) && ++blocks_ > limits_.answer_blocks) {
    return fail(Kind::malformed,
                "the answer has more than " + std::to_string(limits_.answer_blocks) + " blocks");
  }
  (*on_event_)(*event, json);
  done_ = std::holds_alternative<MessageStop>(*event);
  return !done_;
}

bool AnswerReader::fail(Kind kind, std::string message) {
  failed_ = true;
  outcome_.kind = kind;
  outcome_.message = std::move(message);
  return false;
}

bool AnswerReader::fail_with(Kind kind, const ApiError& error) {
  outcome_.error_type = error.type;
  return fail(kind, error.message.value_or(error.type));
}

ApiOutcome AnswerReader::finish(const HttpEnd& end) {
  outcome_.request_id = header_in(outcome_.headers, "request-id");
  outcome_.retry_after = retry_after(outcome_.headers);
  if (end.kind == HttpEnd::Kind::cancelled) {
    fail(Kind::cancelled, "cancelled");
  } else if (done_ || failed_) {
    // Decided already.
  } else if (outcome_.status == 0) {
    fail(Kind::connect,
         end.why.empty() ? "the server closed the connection without an answer" : end.why);
  } else if (outcome_.status < 200 || outcome_.status > 299) {
    finish_http();
  } else if (form_ == Form::events && events_ > 0) {
    fail(Kind::cut, end.why.empty() ? "the stream ended in the middle of the answer" : end.why);
  } else if (end.kind == HttpEnd::Kind::broken) {
    fail(Kind::connect, end.why);
  } else if (form_ == Form::whole) {
    finish_whole();
  } else {
    fail(Kind::malformed, "the answer holds no events");
  }
  return std::move(outcome_);
}

void AnswerReader::finish_http() {
  fail(Kind::http, {});
  // Read leniently: proxies answer in shapes of their own.
  if (const auto json = Json::parse(collected_)) {
    const Json& error = (*json)["error"];
    outcome_.error_type = error["type"].as_string();
    outcome_.message = error["message"].as_string(error.as_string((*json)["message"].as_string()));
    if (outcome_.request_id.empty()) outcome_.request_id = (*json)["request_id"].as_string();
  }
  if (outcome_.message.empty()) outcome_.message = shown(collected_);
  if (outcome_.message.empty()) outcome_.message = "status " + std::to_string(outcome_.status);
  outcome_.body = std::move(collected_);
}

void AnswerReader::finish_whole() {
  if (on_event_ == nullptr) {
    outcome_.body = std::move(collected_);
    return;
  }
  if (const auto failure = decode<ApiEvent>(collected_);
      failure && std::holds_alternative<StreamError>(*failure)) {
    fail_with(Kind::event, std::get<StreamError>(*failure).error);
    return;
  }
  const auto message = decode<ApiMessage>(collected_);
  if (!message) {
    fail(Kind::malformed, std::string("the answer cannot be read: ") + message.error().what());
    return;
  }
  for (const ApiEvent& event : events_of(*message)) (*on_event_)(event, encode(event));
}

}  // namespace parley::agent
