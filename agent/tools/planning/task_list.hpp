// The list of work that TaskCreate, TaskUpdate, TaskList and TaskGet keep: one small file per
// entry, so that a session that is resumed finds it again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "../../../wire/json/json.hpp"
#include "../../../wire/tools/inputs.hpp"

namespace parley::agent {

struct WorkItem {
  std::string id;
  std::string subject, description;
  std::optional<std::string> active_form, owner;
  std::string status = "pending";
  std::vector<std::string> blocks, blocked_by;
  Json metadata = Json::object();
};

/// Thread-safe.
class TaskList {
 public:
  /// Reads what is there. Entries are kept in the folder from the first on; empty: nowhere.
  explicit TaskList(std::filesystem::path folder = {});

  WorkItem add(const tools::TaskCreateInput& input);

  struct Change {
    std::vector<std::string> fields;  ///< What was changed, in the words of the result.
    std::optional<std::pair<std::string, std::string>> status;  ///< From, to.
  };
  /// Nothing if there is no such item.
  std::optional<Change> update(const tools::TaskUpdateInput& input);

  [[nodiscard]] std::optional<WorkItem> find(const std::string& id) const;
  [[nodiscard]] std::vector<WorkItem> items() const;
  /// Those that an item waits for and that are not done.
  [[nodiscard]] std::vector<std::string> open_blockers(const WorkItem& item) const;

 private:
  WorkItem* find_locked(const std::string& id);
  void read_files();
  void write(const WorkItem& item) const;

  const std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::vector<WorkItem> items_;
  std::int64_t last_id_ = 0;
};

}  // namespace parley::agent
