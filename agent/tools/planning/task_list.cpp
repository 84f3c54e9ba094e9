#include "agent/tools/planning/task_list.hpp"

#include <algorithm>

#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

bool add_once(std::vector<std::string>& list, const std::string& id) {
  if (std::find(list.begin(), list.end(), id) != list.end()) return false;
  list.push_back(id);
  return true;
}

/// A null takes a key away.
void merge(Json& metadata, const Map<RawJson>& changes) {
  for (const auto& [key, value] : changes) {
    if (value.is_null()) {
      metadata.erase(key);
    } else if (const Result<Json> json = value.json()) {
      metadata.set(key, *json);
    }
  }
}

}  // namespace

WorkItem TaskList::add(const tools::TaskCreateInput& input) {
  const std::lock_guard lock(mutex_);
  WorkItem item;
  item.id = std::to_string(++last_id_);
  item.subject = input.subject;
  item.description = input.description.empty() ? input.subject : input.description;
  item.active_form = input.activeForm;
  if (input.metadata) merge(item.metadata, *input.metadata);
  items_.push_back(item);
  return item;
}

std::optional<TaskList::Change> TaskList::update(const tools::TaskUpdateInput& input) {
  const std::lock_guard lock(mutex_);
  WorkItem* const item = find_locked(input.taskId);
  if (!item) return std::nullopt;
  Change change;
  const auto set = [&](const std::optional<std::string>& from, auto& to, const char* name) {
    if (!from || to == *from) return;
    to = *from;
    change.fields.emplace_back(name);
  };
  set(input.subject, item->subject, "subject");
  set(input.description, item->description, "description");
  set(input.activeForm, item->active_form, "activeForm");
  set(input.owner, item->owner, "owner");
  if (input.metadata) {
    merge(item->metadata, *input.metadata);
    change.fields.emplace_back("metadata");
  }
  if (input.status) {
    const std::string status(input.status->text());
    if (status == "deleted") {
      change.fields.emplace_back("deleted");
      change.status.emplace(item->status, status);
      const std::string gone = item->id;
      std::erase_if(items_, [&](const WorkItem& one) { return one.id == gone; });
      for (WorkItem& one : items_) {
        std::erase(one.blocks, gone);
        std::erase(one.blocked_by, gone);
      }
      return change;
    }
    if (status != item->status) {
      change.fields.emplace_back("status");
      change.status.emplace(item->status, status);
      item->status = status;
    }
  }
  const auto link = [&](const std::optional<std::vector<std::string>>& ids, bool blocks) {
    bool added = false;
    for (const std::string& id : ids.value_or(std::vector<std::string>{})) {
      WorkItem* const other = find_locked(id);
      if (!other || other == item) continue;
      added = add_once(blocks ? item->blocks : item->blocked_by, id) || added;
      add_once(blocks ? other->blocked_by : other->blocks, item->id);
    }
    if (added) change.fields.emplace_back(blocks ? "blocks" : "blockedBy");
  };
  link(input.addBlocks, true);
  link(input.addBlockedBy, false);
  return change;
}

std::optional<WorkItem> TaskList::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  for (const WorkItem& item : items_) {
    if (item.id == id) return item;
  }
  return std::nullopt;
}

std::vector<WorkItem> TaskList::items() const {
  const std::lock_guard lock(mutex_);
  return items_;
}

std::vector<std::string> TaskList::open_blockers(const WorkItem& item) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> open;
  for (const std::string& id : item.blocked_by) {
    for (const WorkItem& other : items_) {
      if (other.id == id && other.status != "completed") open.push_back(id);
    }
  }
  return open;
}

WorkItem* TaskList::find_locked(const std::string& id) {
  for (WorkItem& item : items_) {
    if (item.id == id) return &item;
  }
  return nullptr;
}

}  // namespace parley::agent
