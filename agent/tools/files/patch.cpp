#include "agent/tools/files/patch.hpp"

#include <string>
#include <vector>

#include "support/text/line_diff.hpp"

namespace parley::agent {
namespace {

constexpr std::size_t kAround = 3;
constexpr const char* kNoNewline = "\\ No newline at end of file";

bool lacks_newline(std::string_view text) { return !text.empty() && text.back() != '\n'; }

/// Counts the lines of both sides while it walks along the difference.
struct Place {
  std::int64_t old_line = 1, new_line = 1;
  void pass(char mark) {
    if (mark != '+') ++old_line;
    if (mark != '-') ++new_line;
  }
};

}  // namespace

Json structured_patch(std::string_view before, std::string_view after) {
  std::vector<DiffLine> lines = line_diff(before, after);
  // The last lines can read the same and still differ by their end.
  if (lacks_newline(before) != lacks_newline(after) && !lines.empty() && lines.back().mark == ' ') {
    const std::string_view text = lines.back().text;
    lines.back().mark = '-';
    lines.push_back({'+', text});
  }

  Json hunks = Json::array();
  Place place;
  const std::int64_t old_total = [&] {
    std::int64_t count = 0;
    for (const DiffLine& line : lines) count += line.mark != '+';
    return count;
  }();
  const std::int64_t new_total = [&] {
    std::int64_t count = 0;
    for (const DiffLine& line : lines) count += line.mark != '-';
    return count;
  }();

  std::size_t at = 0;
  while (at < lines.size()) {
    std::size_t change = at;
    while (change < lines.size() && lines[change].mark == ' ') ++change;
    if (change == lines.size()) break;
    const std::size_t begin = change - at > kAround ? change - kAround : at;
    for (; at < begin; ++at) place.pass(lines[at].mark);
    // To the last change that is no further away than the lines around two of them.
    std::size_t last = change;
    for (std::size_t i = change; i < lines.size() && i - last <= 2 * kAround; ++i) {
      if (lines[i].mark != ' ') last = i;
    }
    const std::size_t end = std::min(lines.size(), last + 1 + kAround);
    const Place start = place;
    Json texts = Json::array();
    for (; at < end; ++at) {
      const char mark = lines[at].mark;
      texts.push(Json(std::string(1, mark) + std::string(lines[at].text)));
      place.pass(mark);
      const bool last_old = mark != '+' && place.old_line > old_total && lacks_newline(before);
      const bool last_new = mark != '-' && place.new_line > new_total && lacks_newline(after);
      if (mark == ' ' ? last_old && last_new : last_old || last_new) texts.push(kNoNewline);
    }
    hunks.push(Json::object({{"oldStart", start.old_line},
                             {"oldLines", place.old_line - start.old_line},
                             {"newStart", start.new_line},
                             {"newLines", place.new_line - start.new_line},
                             {"lines", std::move(texts)}}));
  }
  return hunks;
}

}  // namespace parley::agent
