#include "judged_line.hpp"

#include "wire/json/json.hpp"

namespace parley::test {
namespace {

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> out;
  for (const auto& item : list.items()) out.emplace_back(item.as_string());
  return out;
}

Json list(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const auto& text : texts) out.push(text);
  return out;
}

}  // namespace

Result<JudgedLine> JudgedLine::parse(std::string_view line) {
  const auto json = Json::parse(line);
  if (!json.ok()) return json.error();
  JudgedLine out;
  if (!(*json)["command"].is_string()) return Error(ErrorCode::invalid, "no command");
  out.command = (*json)["command"].as_string();
  out.cwd = (*json)["cwd"].as_string(out.cwd);
  out.mode = (*json)["mode"].as_string(out.mode);
  out.allow = texts((*json)["allow"]);
  out.deny = texts((*json)["deny"]);
  return out;
}

std::string JudgedLine::dump() const {
  auto json = Json::object({{"command", command}});
  if (cwd != ".") json.set("cwd", cwd);
  if (mode != "default") json.set("mode", mode);
  if (!allow.empty()) json.set("allow", list(allow));
  if (!deny.empty()) json.set("deny", list(deny));
  return json.dump();
}

agent::Verdict LineJudge::judge(const JudgedLine& line) {
  std::string key = line.mode;
  for (const auto& rule : line.allow) key += "\na" + rule;
  for (const auto& rule : line.deny) key += "\nd" + rule;
  auto& permissions = known_[key];
  if (!permissions) {
    agent::Permissions::Setup setup;
    setup.start_folder = root_ / "work";
    setup.home = root_ / "home";
    setup.config_folder = setup.home / ".claude";
    setup.mode = Enum<PermissionMode>(line.mode);
    setup.rules.push_back({PermissionDestination::session, line.allow, line.deny, {}, {}});
    permissions = std::make_unique<agent::Permissions>(std::move(setup));
  }
  agent::Intent intent;
  intent.kind = agent::Intent::Kind::command;
  intent.command = line.command;
  return permissions->judge("Bash", {}, intent, folder(line));
}

}  // namespace parley::test
