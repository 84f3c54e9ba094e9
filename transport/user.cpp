// Users of the system, as a process needs to know them.
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "transport/process.hpp"

namespace parley {

Result<ProcessUser> find_user(const std::string& name) {
  passwd entry{};
  passwd* found = nullptr;
  std::vector<char> memory(16 * 1024);
  int failed = 0;
  while ((failed = ::getpwnam_r(name.c_str(), &entry, memory.data(), memory.size(), &found)) ==
         ERANGE) {
    memory.resize(2 * memory.size());
  }
  if (failed != 0) {
    return Error(ErrorCode::io,
                 "cannot look up the user \"" + name + "\": " + std::strerror(failed));
  }
  if (found == nullptr) {
    return Error(ErrorCode::not_found, "there is no user \"" + name + "\"", "user");
  }
  ProcessUser user;
  user.uid = entry.pw_uid;
  user.gid = entry.pw_gid;
  user.name = entry.pw_name;
  user.home = entry.pw_dir;
  int count = 32;
  std::vector<gid_t> groups(static_cast<std::size_t>(count));
  while (::getgrouplist(user.name.c_str(), entry.pw_gid, groups.data(), &count) < 0) {
    groups.resize(static_cast<std::size_t>(count));
  }
  user.groups.assign(groups.begin(), groups.begin() + count);
  return user;
}

}  // namespace parley
