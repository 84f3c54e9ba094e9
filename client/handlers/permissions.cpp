#include "client/handlers/permissions.hpp"

#include <stdexcept>

namespace parley {
namespace {

std::vector<PermissionRule> wire_rules(const std::vector<Rule>& rules) {
  if (rules.empty()) throw std::invalid_argument("a change of permissions needs a rule");
  std::vector<PermissionRule> result;
  result.reserve(rules.size());
  for (const Rule& rule : rules) result.push_back(rule.wire());
  return result;
}

void check_folders(const std::vector<std::string>& folders) {
  if (folders.empty()) throw std::invalid_argument("a change of folders needs a folder");
  for (const std::string& folder : folders) {
    if (folder.empty()) throw std::invalid_argument("a folder has an empty name");
  }
}

}  // namespace

Rule Rule::tool(std::string name) {
  if (name.empty()) throw std::invalid_argument("a permission rule needs the name of a tool");
  PermissionRule rule;
  rule.toolName = std::move(name);
  return Rule(std::move(rule));
}

Rule Rule::match(std::string name, std::string content) {
  if (content.empty()) {
    throw std::invalid_argument("a rule for some calls needs their pattern; Rule::tool is for all");
  }
  Rule rule = tool(std::move(name));
  rule.rule_.ruleContent = std::move(content);
  return rule;
}

PermissionChanges& PermissionChanges::add(PermissionBehavior behavior, std::vector<Rule> rules,
                                          Destination destination) {
  updates_.push_back(AddRules{wire_rules(rules), behavior, destination, {}});
  return *this;
}

PermissionChanges& PermissionChanges::replace(PermissionBehavior behavior, std::vector<Rule> rules,
                                              Destination destination) {
  updates_.push_back(ReplaceRules{wire_rules(rules), behavior, destination, {}});
  return *this;
}

PermissionChanges& PermissionChanges::remove(PermissionBehavior behavior, std::vector<Rule> rules,
                                             Destination destination) {
  updates_.push_back(RemoveRules{wire_rules(rules), behavior, destination, {}});
  return *this;
}

PermissionChanges& PermissionChanges::mode(PermissionMode mode, Destination destination) {
  updates_.push_back(SetMode{mode, destination, {}});
  return *this;
}

PermissionChanges& PermissionChanges::add_folders(std::vector<std::string> folders,
                                                  Destination destination) {
  check_folders(folders);
  updates_.push_back(AddDirectories{std::move(folders), destination, {}});
  return *this;
}

PermissionChanges& PermissionChanges::remove_folders(std::vector<std::string> folders,
                                                     Destination destination) {
  check_folders(folders);
  updates_.push_back(RemoveDirectories{std::move(folders), destination, {}});
  return *this;
}

PermissionChanges& PermissionChanges::suggested(const PermissionAsk& ask) {
  if (ask.permission_suggestions) {
    updates_.insert(updates_.end(), ask.permission_suggestions->begin(),
                    ask.permission_suggestions->end());
  }
  return *this;
}

PermissionAnswer allow() {
  PermissionAnswer answer;
  answer.allow_ = true;
  return answer;
}

PermissionAnswer deny(std::string message) {
  PermissionAnswer answer;
  answer.message_ = std::move(message);
  return answer;
}

PermissionAnswer& PermissionAnswer::with_input(RawJson input) & {
  if (!allow_) throw std::logic_error("a denial has no input");
  input_ = std::move(input);
  return *this;
}

PermissionAnswer& PermissionAnswer::with_changes(const PermissionChanges& changes) & {
  if (!allow_) throw std::logic_error("a denial cannot change permissions");
  updates_.insert(updates_.end(), changes.wire().begin(), changes.wire().end());
  return *this;
}

PermissionAnswer& PermissionAnswer::and_stop() & {
  if (allow_) throw std::logic_error("only a denial can end the turn");
  stop_ = true;
  return *this;
}

PermissionResult PermissionAnswer::wire(const PermissionAsk& ask) const {
  std::optional<std::string> id;
  if (!ask.tool_use_id.empty()) id = ask.tool_use_id;
  if (allow_) {
    PermissionAllow result;
    result.updatedInput = input_.value_or(ask.input);
    if (!updates_.empty()) result.updatedPermissions = updates_;
    result.toolUseID = std::move(id);
    return result;
  }
  PermissionDeny result;
  // The CLI refuses a denial without a message.
  result.message = message_.empty() ? "The user did not allow this." : message_;
  if (stop_) result.interrupt = true;
  result.toolUseID = std::move(id);
  return result;
}

}  // namespace parley
