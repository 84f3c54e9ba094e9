#include "server/sessions/copies.hpp"

#include <optional>

#include "history/export/export.hpp"
#include "history/listing/listing.hpp"
#include "history/writing/change.hpp"

namespace parley::server {
namespace {

constexpr std::size_t kMostExported = std::size_t{64} << 20;

std::optional<history::ExportFormat> export_format(std::string_view name) {
  if (name == "markdown") return history::ExportFormat::markdown;
  if (name == "html") return history::ExportFormat::html;
  if (name == "jsonl") return history::ExportFormat::jsonl;
  return std::nullopt;
}

}  // namespace

Result<history::SessionInfo> fork_record(const std::vector<std::string>& roots,
                                         const std::string& agent_session,
                                         const std::string& up_to) {
  const history::Scope scope{.roots = roots};
  const auto place = history::find_session(scope, agent_session);
  if (!place) return place.error();
  const auto forked = history::fork_session(*place, {.up_to = up_to});
  if (!forked) return forked.error();
  return history::session_info(scope, forked->session_id);
}

Result<std::string> export_record(const std::vector<std::string>& roots,
                                  const std::string& agent_session, std::string_view format) {
  const auto wanted = export_format(format);
  if (!wanted) return Error(ErrorCode::invalid, "must be markdown, html or jsonl", "format");
  const auto place = history::find_session({.roots = roots}, agent_session);
  if (!place) return place.error();
  std::string text;
  const auto done =
      history::export_session(*place, *wanted, [&text](std::string_view piece) -> Result<void> {
        if (text.size() + piece.size() > kMostExported) {
          return Error(ErrorCode::too_large, "the session is too long to be exported here");
        }
        text += piece;
        return {};
      });
  if (!done) return done.error();
  return text;
}

}  // namespace parley::server
