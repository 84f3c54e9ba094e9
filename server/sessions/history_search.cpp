#include "server/sessions/history_search.hpp"

#include "history/search/search.hpp"

namespace parley::server {
namespace {

constexpr std::size_t kMostFound = 100;
/// Of one session, so that one does not hide all others.
constexpr std::size_t kMostOfASession = 5;
/// Bytes of the line around the match, on each side.
constexpr std::size_t kMostAround = 120;

bool begins_character(std::string_view text, std::size_t at) {
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
}

/// The end of a text, in whole characters.
std::string end_of(std::string_view text) {
  if (text.size() <= kMostAround) return std::string(text);
  std::size_t from = text.size() - kMostAround;
  while (!begins_character(text, from)) ++from;
  return "…" + std::string(text.substr(from));
}

std::string beginning_of(std::string_view text) {
  if (text.size() <= kMostAround) return std::string(text);
  std::size_t end = kMostAround;
  while (!begins_character(text, end)) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

Result<FoundTexts> search_history(const std::vector<std::string>& roots, std::string_view text) {
  auto pattern = history::Pattern::literal(text, true);
  if (!pattern) return pattern.error();
  history::SearchOptions options{.scope = {.roots = roots}, .pattern = *std::move(pattern)};
  const history::SearchResult result = history::search(options);
  FoundTexts found;
  found.count = result.hits;
  for (const history::SessionHits& session : result.sessions) {
    std::size_t taken = 0;
    for (const history::Hit& hit : session.hits) {
      if (found.hits.size() == kMostFound) return found;
      if (taken++ == kMostOfASession) break;
      found.hits.push_back({session.place.session_id, std::string(to_string(hit.kind)),
                            hit.timestamp, end_of(hit.before), beginning_of(hit.match),
                            beginning_of(hit.after)});
    }
  }
  return found;
}

}  // namespace parley::server
