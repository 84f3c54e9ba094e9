// The processes of the machine as /proc lists them, and how to end some of them for good.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string_view>

namespace parley::agent {

struct ProcessStatus {
  pid_t pid = -1;
  char state = 'X';
  pid_t parent = -1, group = -1, session = -1;

  [[nodiscard]] bool alive() const { return state != 'Z' && state != 'X'; }
};

/// Calls `visit` for every process but this one. On the way it collects what has ended among the
/// orphans that adopt_orphans() brought.
void each_process(const std::function<void(const ProcessStatus&)>& visit);

/// The same for those below this process only, however many others the machine has. Everybody is
/// looked at where the kernel does not list children, and before adopt_orphans(). One may be missed
/// in the moment in which another one ends.
void each_descendant(const std::function<void(const ProcessStatus&)>& visit);

/// Whether the environment of a process has a variable whose value begins so.
[[nodiscard]] bool has_variable(pid_t pid, std::string_view name, std::string_view value);

/// Kills whom `belongs` picks until there is nobody left to pick.
void kill_until_gone(const std::function<bool(const ProcessStatus&)>& belongs);

/// From now on whoever loses their parent below this process becomes its child, also those who
/// forget their environment and leave their session.
void adopt_orphans();
/// Ends all children of this process and theirs, except those whose environment has the variable
/// `spared`.
void kill_children(std::string_view spared);

}  // namespace parley::agent
