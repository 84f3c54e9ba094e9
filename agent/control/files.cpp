// Files as clients see them: their text, and names for what somebody types.
#include "agent/tools/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "agent/control/requests.hpp"
#include "agent/tools/search/file_walk.hpp"
#include "support/files/io.hpp"
#include "support/files/unique_fd.hpp"
#include "support/text/base64.hpp"
#include "support/text/text.hpp"
#include "support/text/utf8.hpp"
#include "wire/control/control.hpp"

namespace parley::agent::requests {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUsualBytes = std::int64_t{1} << 20;
constexpr std::int64_t kMostBytes = std::int64_t{32} << 20;
constexpr std::size_t kMostSuggestions = 15;
/// The reader serves nobody else meanwhile.
constexpr std::chrono::milliseconds kWalkTime{300};

/// The first bytes of a regular file, up to one more than `limit`. Never waits.
std::optional<std::string> beginning_of(const fs::path& path, std::size_t limit) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string bytes;
  (void)!read_all(file.get(), bytes, limit + 1);
  return bytes;
}

/// How well the letters of `typed` are found in `path`, in order; the lower the better. No value:
/// they are not.
std::optional<double> distance(std::string_view typed, std::string_view path) {
  std::size_t next = 0;
  double gaps = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < path.size() && next < typed.size(); ++i) {
    if (lower(path[i]) != lower(typed[next])) continue;
    if (next > 0) gaps += static_cast<double>(i - last - 1);
    last = i;
    ++next;
  }
  if (next < typed.size()) return std::nullopt;
  // What stands near the end is the name; short paths before long ones.
  return gaps + static_cast<double>(path.size() - last) * 0.1 +
         static_cast<double>(path.size()) * 0.01;
}

std::vector<control::FileSuggestion> entries_of(const fs::path& folder) {
  std::vector<control::FileSuggestion> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::error_code ignored;
    const bool is_folder = entry.is_directory(ignored);
    if (entry.path().filename() == ".git") continue;
    found.push_back({to_utf8(entry.path().filename().string()) + (is_folder ? "/" : ""), {}, {}});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return found;
}

}  // namespace

ControlReply read_file(ControlContext& context, const control::ReadFile& request) {
  const Error denied(ErrorCode::permission, "read denied: " + request.path);
  const fs::path path = (fs::path(context.config.cwd) / request.path).lexically_normal();
  const RawJson input(Json::object({{"file_path", path.string()}}).dump());
  Intent intent;
  intent.kind = Intent::Kind::read_file;
  intent.path = path;
  const Verdict verdict = context.permissions.judge("Read", input, intent, context.config.cwd);
  if (verdict.kind != Verdict::Kind::allow || is_device_path(path)) return denied;
  const auto limit = static_cast<std::size_t>(
      std::clamp<std::int64_t>(request.max_bytes.value_or(kUsualBytes), 0, kMostBytes));
  auto bytes = beginning_of(path, limit);
  if (!bytes) return denied;
  control::ReadFileReply reply;
  reply.absPath = path.string();
  if (bytes->size() > limit) reply.truncated = true;
  if (request.encoding == control::FileEncoding::base64) {
    reply.contents = base64(std::string_view(*bytes).substr(0, limit));
    reply.encoding = control::FileEncoding::base64;
  } else {
    const std::string_view text = prefix(*bytes, limit);
    reply.contents = to_utf8(text);
    reply.lossy = reply.contents != text;
  }
  reply.extra.members.push_back({"requested_path", RawJson(Json(request.path).dump()), false});
  return encoded(reply);
}

ControlReply file_suggestions(ControlContext& context, const control::FileSuggestions& request) {
  const std::string& typed = request.query;
  control::FileSuggestionsReply reply;
  reply.cwd = context.config.cwd;
  if (typed.empty() || typed.ends_with('/')) {
    const fs::path folder = fs::path(context.config.cwd) / typed;
    for (control::FileSuggestion& found : entries_of(folder)) {
      found.path = typed + found.path;
      reply.suggestions.push_back(std::move(found));
    }
  } else {
    WalkLimits limits;
    limits.time = kWalkTime;
    limits.skip_repositories = true;
    walk_files(context.config.cwd, limits,
               [&](const fs::directory_entry&, const std::string& path) {
                 if (const auto score = distance(typed, path)) {
                   reply.suggestions.push_back({to_utf8(path), *score, {}});
                 }
               });
    std::stable_sort(reply.suggestions.begin(), reply.suggestions.end(),
                     [](const auto& a, const auto& b) { return a.score < b.score; });
  }
  if (reply.suggestions.size() > kMostSuggestions) reply.suggestions.resize(kMostSuggestions);
  return encoded(reply);
}

}  // namespace parley::agent::requests
