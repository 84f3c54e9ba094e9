#include "agent/tools/planning/task_list.hpp"

#include <algorithm>
#include <charconv>

#include "support/files/io.hpp"
#include "support/files/replace_file.hpp"
#include "wire/codec/codec.hpp"

namespace parley::agent {
namespace {

constexpr std::size_t kLongestFile = std::size_t{1} << 20;

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

Json names_of(const std::vector<std::string>& ids) {
  Json list = Json::array();
  for (const std::string& id : ids) list.push(Json(id));
  return list;
}

std::vector<std::string> ids_of(const Json& list) {
  std::vector<std::string> ids;
  for (const Json& id : list.items()) ids.emplace_back(id.as_string());
  return ids;
}

Json json_of(const WorkItem& item) {
  Json json =
      Json::object({{"id", item.id}, {"subject", item.subject}, {"description", item.description}});
  if (item.active_form) json.set("activeForm", *item.active_form);
  if (item.owner) json.set("owner", *item.owner);
  json.set("status", item.status);
  json.set("blocks", names_of(item.blocks));
  json.set("blockedBy", names_of(item.blocked_by));
  if (!item.metadata.members().empty()) json.set("metadata", item.metadata);
  return json;
}

std::optional<std::string> text_in(const Json& json, const char* member) {
  const Json* const found = json.find(member);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return std::string(found->as_string());
}

}  // namespace

TaskList::TaskList(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (!folder_.empty()) read_files();
}

/// Files that cannot be read as entries are somebody else's.
void TaskList::read_files() {
  std::error_code error;
  std::map<std::int64_t, WorkItem> found;
  for (const auto& file : std::filesystem::directory_iterator(folder_, error)) {
    const std::string number = file.path().stem().string();
    std::int64_t id = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), id);
    const bool numbered = problem == std::errc() && end == number.data() + number.size() && id > 0;
    if (file.path().extension() != ".json" || !numbered) continue;
    const auto json = Json::parse(read_file(file.path(), kLongestFile).value_or(""));
    if (!json || (*json)["id"].as_string() != number) continue;
    WorkItem item;
    item.id = number;
    item.subject = (*json)["subject"].as_string();
    item.description = (*json)["description"].as_string();
    item.active_form = text_in(*json, "activeForm");
    item.owner = text_in(*json, "owner");
    item.status = (*json)["status"].as_string("pending");
    item.blocks = ids_of((*json)["blocks"]);
    item.blocked_by = ids_of((*json)["blockedBy"]);
    if ((*json)["metadata"].is_object()) item.metadata = (*json)["metadata"];
    found[id] = std::move(item);
  }
  for (auto& [id, item] : found) {
    last_id_ = id;
    items_.push_back(std::move(item));
  }
}

/// A list that cannot be kept is still a list.
void TaskList::write(const WorkItem& item) const {
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  (void)!replace_file((folder_ / (item.id + ".json")).string(), json_of(item).dump(),
                      Replacement{});
}

WorkItem TaskList::add(const tools::TaskCreateInput& input) {
  const std::lock_guard lock(mutex_);
  WorkItem item;
  item.id = std::to_string(++last_id_);
  item.subject = input.subject;
  item.description = input.description.empty() ? input.subject : input.description;
  item.active_form = input.activeForm;
  if (input.metadata) merge(item.metadata, *input.metadata);
  items_.push_back(item);
  write(item);
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
        if (std::erase(one.blocks, gone) + std::erase(one.blocked_by, gone) > 0) write(one);
      }
      std::error_code ignored;
      if (!folder_.empty()) std::filesystem::remove(folder_ / (gone + ".json"), ignored);
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
      if (add_once(blocks ? other->blocked_by : other->blocks, item->id)) write(*other);
    }
    if (added) change.fields.emplace_back(blocks ? "blocks" : "blockedBy");
  };
  link(input.addBlocks, true);
  link(input.addBlockedBy, false);
  write(*item);
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
