#include "history/conversation/subagents.hpp"

#include <algorithm>

#include "wire/json/json.hpp"

namespace parley::history {
namespace {

constexpr std::size_t kMetaBytes = std::size_t{64} << 10;

std::optional<std::string> string_member(const Json& json, std::string_view key) {
  if (!json[key].is_string()) return std::nullopt;
  return std::string(json[key].as_string());
}

/// Ids that name a call or an agent; anything else in a sidecar is not believed.
bool is_plain_id(std::string_view id, std::string_view also) {
  return !id.empty() && id.size() <= 128 && std::all_of(id.begin(), id.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '-' || also.find(c) != std::string_view::npos;
  });
}

constexpr std::string_view kAgentPrefix = "agent-", kAgentSuffix = ".jsonl";
constexpr int kMaxDepth = 8;

/// Calls found(folder, file name, agent id) for every subagent transcript below `folder`.
template <class Found>
void walk_subagents(const Folder& folder, int depth, Report& report, Found&& found) {
  auto entries = folder.entries();
  if (!entries) return report.skip(folder.path(), entries.error().message());
  for (const FolderEntry& entry : *entries) {
    if (entry.kind == EntryKind::folder) {
      auto below = folder.folder(entry.name);
      if (!below) {
        report.skip(folder.path() + "/" + entry.name, below.error().message());
      } else if (depth < kMaxDepth) {
        walk_subagents(*below, depth + 1, report, found);
      }
      continue;
    }
    const std::string_view name = entry.name;
    if (entry.kind != EntryKind::file || !name.starts_with(kAgentPrefix) ||
        !name.ends_with(kAgentSuffix) || name.size() < kAgentPrefix.size() + kAgentSuffix.size()) {
      continue;
    }
    found(
        folder, name,
        name.substr(kAgentPrefix.size(), name.size() - kAgentPrefix.size() - kAgentSuffix.size()));
  }
}

/// Of the note beside a transcript.
std::string meta_name(std::string_view file_name) {
  return std::string(file_name.substr(0, file_name.size() - kAgentSuffix.size())) + ".meta.json";
}

Subagent describe_subagent(const Folder& folder, std::string_view name, std::string_view id) {
  Subagent agent{std::string(id), folder.path() + "/" + std::string(name), {}, {}, {}};
  auto text = folder.small_file(meta_name(name), kMetaBytes);
  if (!text || !text->has_value()) return agent;
  auto json = Json::parse(**text);
  if (!json) return agent;
  agent.tool_use_id = string_member(*json, "toolUseId");
  agent.parent_agent_id = string_member(*json, "parentAgentId");
  agent.agent_type = string_member(*json, "agentType");
  if (agent.tool_use_id && !is_plain_id(*agent.tool_use_id, ".:")) agent.tool_use_id.reset();
  if (agent.parent_agent_id && !is_plain_id(*agent.parent_agent_id, "")) {
    agent.parent_agent_id.reset();
  }
  return agent;
}

/// <session>/subagents, no value if the session has none.
Result<std::optional<Folder>> open_subagents(const SessionPlace& place) {
  using Found = std::optional<Folder>;
  auto project = open_project(place);
  if (!project) return project.error();
  auto own = project->folder(place.session_id);
  if (!own) {
    if (own.error().code() == ErrorCode::not_found) return Result<Found>(Found());
    return own.error();
  }
  auto folder = own->folder("subagents");
  if (!folder) {
    if (folder.error().code() == ErrorCode::not_found) return Result<Found>(Found());
    return folder.error();
  }
  return Result<Found>(Found(std::move(*folder)));
}

}  // namespace

bool is_subagent_id(std::string_view id) { return is_plain_id(id, ""); }

std::string subagent_file_name(std::string_view agent_id) {
  return std::string(kAgentPrefix) + std::string(agent_id) + std::string(kAgentSuffix);
}

Result<std::vector<Subagent>> list_subagents(const SessionPlace& place, Report& report) {
  auto folder = open_subagents(place);
  if (!folder) return folder.error();
  std::vector<Subagent> agents;
  if (!folder->has_value()) return agents;
  walk_subagents(**folder, 0, report,
                 [&](const Folder& where, std::string_view name, std::string_view id) {
                   agents.push_back(describe_subagent(where, name, id));
                 });
  std::sort(agents.begin(), agents.end(),
            [](const Subagent& a, const Subagent& b) { return a.agent_id < b.agent_id; });
  return agents;
}

Result<OpenSubagent> open_subagent(const SessionPlace& place, std::string_view agent_id,
                                   Report& report) {
  auto folder = open_subagents(place);
  if (!folder) return folder.error();
  std::optional<Result<File>> file;
  Subagent agent;
  if (folder->has_value()) {
    walk_subagents(**folder, 0, report,
                   [&](const Folder& where, std::string_view name, std::string_view id) {
                     if (id != agent_id || file) return;
                     agent = describe_subagent(where, name, id);
                     file = where.file(name);
                   });
  }
  if (!file) {
    return Error(ErrorCode::not_found, "this session has no subagent " + std::string(agent_id),
                 place.path());
  }
  if (!file->ok()) return file->error();
  return OpenSubagent{std::move(agent), std::move(**file)};
}

Result<void> write_subagent_note(const SessionPlace& place, std::string_view agent_id,
                                 std::string_view object) {
  if (!is_subagent_id(agent_id)) {
    return Error(ErrorCode::invalid, "not the id of a subagent", std::string(agent_id));
  }
  auto json = Json::parse(object);
  if (!json) return json.error();
  if (!json->is_object()) {
    return Error(ErrorCode::invalid, "the note of a subagent must be a JSON object",
                 std::string(agent_id));
  }
  auto folder = open_subagents(place);
  if (!folder) return folder.error();
  if (!folder->has_value()) {
    return Error(ErrorCode::not_found, "this session has no subagents", place.path());
  }
  return (*folder)->replace_file(meta_name(subagent_file_name(agent_id)), object);
}

}  // namespace parley::history
