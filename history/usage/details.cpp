#include "history/usage/details.hpp"

#include <algorithm>
#include <unordered_map>

#include "history/scan/object_scan.hpp"
#include "history/usage/usage.hpp"

namespace parley::history {
namespace {

bool is_message(std::string_view line) {
  // Most lines say early what they are; the rest is not needed then.
  std::string type;
  JsonReader reader(line);
  each_member(reader, [&](std::string_view key) {
    if (key != "type") return skip_value(reader);
    return string_or_skip(reader, type) && false;
  });
  return type == "user" || type == "assistant";
}

}  // namespace

Report add_details(std::vector<SessionInfo>& sessions, const Scope& scope, const Prices& prices,
                   const ScanOptions& options) {
  Report report;
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < sessions.size(); ++i) index[sessions[i].sessionId] = i;

  std::vector<ScanFile> files = find_scan_files(scope, report);
  std::erase_if(files, [&](const ScanFile& file) {
    const auto found = index.find(file.session_id);
    return !file.agent_id.empty() || !file.folders.empty() || found == index.end() ||
           sessions[found->second].project != file.project ||
           sessions[found->second].root != file.root;
  });
  std::vector<std::vector<std::int64_t>> counts(scan_workers(),
                                                std::vector<std::int64_t>(files.size()));
  scan_files(files, options, report, [&](std::size_t file, const Block& block, std::size_t worker) {
    Block rest = block;
    Line line;
    while (take_line(rest, line)) counts[worker][file] += is_message(line.text) ? 1 : 0;
  });
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::int64_t sum = 0;
    for (const auto& part : counts) sum += part[i];
    sessions[index[files[i].session_id]].messages = sum;
  }

  const UsageLog log = collect_usage({.scope = scope, .scan = {.stop = options.stop}});
  const UsageSummary usage = summarise(log, prices, {.by = GroupBy::session});
  for (const UsageRow& row : usage.rows) {
    const auto found = index.find(row.key);
    const bool priced = std::all_of(row.models.begin(), row.models.end(),
                                    [](const ModelShare& share) { return share.priced; });
    if (found != index.end() && priced) sessions[found->second].costUSD = row.cost;
  }
  return report;
}

}  // namespace parley::history
