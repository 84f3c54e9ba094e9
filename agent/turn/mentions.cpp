#include "agent/turn/mentions.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "agent/tools/tool_state.hpp"
#include "support/files/io.hpp"
#include "support/text/utf8.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 100 * 1024;
constexpr std::size_t kMostNames = 500;
constexpr std::size_t kMostMentions = 20;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string file_text(const fs::path& path) {
  std::string text = read_file(path, kMostBytes + 1).value_or("");
  if (text.find('\0') != std::string::npos) return {};
  const bool cut = text.size() > kMostBytes;
  if (cut) text.resize(kMostBytes);
  return "Contents of " + path.string() + (cut ? " (the beginning)" : "") + ":\n\n" + to_utf8(text);
}

std::string folder_text(const fs::path& path, const std::function<bool(const fs::path&)>& hidden) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (hidden && hidden(entry->path())) continue;
    std::error_code ignored;
    names.push_back(entry->path().filename().string() + (entry->is_directory(ignored) ? "/" : ""));
  }
  std::sort(names.begin(), names.end());
  std::string text = "Files in " + path.string() + ":\n\n";
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += names[i] + "\n";
  if (names.size() > kMostNames) {
    text += "and " + std::to_string(names.size() - kMostNames) + " more\n";
  }
  return to_utf8(text);
}

}  // namespace

std::vector<std::string> find_mentions(const std::string& prompt) {
  std::vector<std::string> found;
  for (std::size_t at = prompt.find('@'); at != std::string::npos; at = prompt.find('@', at + 1)) {
    if (at > 0 && !is_space(prompt[at - 1]) && prompt[at - 1] != '(') continue;
    std::string path;
    if (at + 1 < prompt.size() && prompt[at + 1] == '"') {
      const std::size_t end = prompt.find('"', at + 2);
      if (end == std::string::npos) continue;
      path = prompt.substr(at + 2, end - at - 2);
    } else {
      std::size_t end = at + 1;
      while (end < prompt.size() && !is_space(prompt[end])) ++end;
      path = prompt.substr(at + 1, end - at - 1);
      while (!path.empty() && std::string_view(".,;:!?)").find(path.back()) != std::string::npos) {
        path.pop_back();
      }
    }
    if (!path.empty() && std::find(found.begin(), found.end(), path) == found.end()) {
      found.push_back(std::move(path));
    }
  }
  if (found.size() > kMostMentions) found.resize(kMostMentions);
  return found;
}

std::vector<std::string> read_mentions(const TurnContext& context, const std::string& prompt,
                                       const std::stop_token& stop) {
  std::vector<std::string> texts;
  for (const std::string& mention : find_mentions(prompt)) {
    const fs::path path = context.tools.state().absolute(mention);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (error || !(fs::is_regular_file(status) || fs::is_directory(status))) {
      auto resource = context.read_resource ? context.read_resource(mention, stop) : std::nullopt;
      if (resource) texts.push_back(*std::move(resource));
      continue;
    }
    Intent intent;
    intent.kind = Intent::Kind::read_file;
    intent.path = path;
    const RawJson input(Json::object({{"file_path", path.string()}}).dump());
    if (context.permissions.judge("Read", input, intent, context.tools.state().cwd()).kind !=
        Verdict::Kind::allow) {
      continue;
    }
    std::string text = fs::is_directory(status)
                           ? folder_text(path, context.permissions.hidden_from("Read"))
                           : file_text(path);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace parley::agent
