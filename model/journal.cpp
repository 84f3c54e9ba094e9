#include "model/journal.hpp"

#include "support/text/text.hpp"
#include "support/time.hpp"

namespace parley::model {
namespace {

constexpr std::size_t kMostBytes = 64 * 1024 * 1024;
constexpr std::size_t kShownOfASecret = 4;

bool is_secret(std::string_view header) {
  return same_ignoring_case(header, "x-api-key") || same_ignoring_case(header, "authorization") ||
         same_ignoring_case(header, "proxy-authorization") || same_ignoring_case(header, "cookie");
}

/// "Bearer sk-a... (43 characters)"
std::string cut_secret(std::string_view value) {
  const auto blank = value.find(' ');
  const auto from = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view secret = value.substr(from);
  return std::string(value.substr(0, from)) + std::string(secret.substr(0, kShownOfASecret)) +
         "... (" + std::to_string(secret.size()) + " characters)";
}

Json headers_of(const http::Request& request) {
  Json headers = Json::object();
  for (const auto& [name, value] : request.headers.fields()) {
    std::string lower = name;
    for (char& c : lower) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
    headers.set(lower, is_secret(name) ? cut_secret(value) : value);
  }
  return headers;
}

}  // namespace

Result<void> Journal::open(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  file_.open(file, std::ios::binary | std::ios::trunc);
  if (!file_) return Error(ErrorCode::io, "cannot be written", file.string());
  return {};
}

void Journal::add(const http::Request& request, const Json& body, const std::string& turn) {
  Json entry = Json::object({{"time_ms", now_ms()},
                             {"method", request.method},
                             {"target", request.target},
                             {"headers", headers_of(request)}});
  if (!turn.empty()) entry.set("turn", turn);
  if (!body.is_null()) entry.set("body", body);
  std::string line = entry.dump() + "\n";

  const std::lock_guard lock(mutex_);
  if (file_.is_open()) file_ << line << std::flush;
  bytes_ += line.size();
  lines_.push_back(std::move(line));
  while (bytes_ > kMostBytes && lines_.size() > 1) {
    bytes_ -= lines_.front().size();
    lines_.pop_front();
  }
}

std::string Journal::lines() const {
  const std::lock_guard lock(mutex_);
  std::string all;
  all.reserve(bytes_);
  for (const std::string& line : lines_) all += line;
  return all;
}

}  // namespace parley::model
