#include "agent/tools/shell/sandbox.hpp"

namespace parley::agent {

namespace fs = std::filesystem;

std::vector<std::string> sandboxed(const fs::path& bwrap, const SandboxSetup& setup,
                                   const fs::path& start_folder, const fs::path& scratch_folder,
                                   const fs::path& folder, const std::vector<std::string>& argv) {
  // Started by root, bubblewrap leaves all capabilities with the command, and one that may mount
  // has left the sandbox.
  std::vector<std::string> line{
      bwrap.string(),  "--die-with-parent", "--new-session", "--cap-drop",          "ALL",
      "--unshare-pid", "--unshare-ipc",     "--unshare-uts", "--unshare-cgroup-try"};
  if (!setup.network) line.emplace_back("--unshare-net");
  for (const char* word :
       {"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
        // The sockets of services that would do on the other side what is not allowed here.
        "--tmpfs", "/run"}) {
    line.emplace_back(word);
  }
  if (setup.network) {
    for (const char* names : {"/run/systemd/resolve", "/run/resolvconf"}) {
      line.insert(line.end(), {"--ro-bind-try", names, names});
    }
  }
  // After the fresh /tmp, because a project may lie in the old one.
  const auto bind = [&](const char* how, const fs::path& place) {
    line.insert(line.end(), {how, place.string(), place.string()});
  };
  bind("--bind", start_folder);
  bind("--bind", scratch_folder);
  for (const fs::path& place : setup.writable) bind("--bind-try", place);
  // Settings decide what is allowed: a command must not write its own permission.
  const fs::path settings = start_folder / ".claude";
  std::error_code error;
  if (fs::exists(settings, error)) {
    bind("--ro-bind", settings);
  } else {
    line.insert(line.end(), {"--tmpfs", settings.string(), "--remount-ro", settings.string()});
  }
  line.insert(line.end(), {"--chdir", folder.string(), "--"});
  line.insert(line.end(), argv.begin(), argv.end());
  return line;
}

}  // namespace parley::agent
