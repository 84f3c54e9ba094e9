#include "cage.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace parley::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kChanges = IN_CREATE | IN_DELETE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO |
                                   IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr int kPatienceMs = 2000;
constexpr std::uint16_t kPort = 7777;

void require(bool condition, const char* what) {
  if (!condition) throw std::system_error(errno, std::generic_category(), what);
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Files that run something later, or decide what is allowed; the lists of the agent are tested
/// elsewhere, here a few of each kind will do.
bool is_protected(const fs::path& path) {
  static const std::set<std::string> names = {".git",       ".claude",   ".vscode", ".husky",
                                              ".bashrc",    ".mcp.json", ".npmrc",  ".gitmodules",
                                              ".gitconfig", ".ssh",      ".envrc"};
  for (const auto& part : path) {
    if (names.contains(part.string())) return true;
  }
  return false;
}

/// Whether files of the project may be changed: by the mode, or because a rule covers a program
/// that is for that.
bool may_edit(const JudgedLine& line) {
  if (line.mode == "acceptEdits") return true;
  for (const auto& rule : line.allow) {
    if (rule == "Bash(sort:*)" || rule == "Bash(mkdir:*)") return true;
  }
  return false;
}

bool denies(const JudgedLine& line, const std::string& rule) {
  for (const auto& each : line.deny) {
    if (each == rule) return true;
  }
  return false;
}

}  // namespace

Cage::Cage(fs::path root, fs::path pristine, std::set<std::string> harmless)
    : root_(std::move(root)), pristine_(std::move(pristine)), harmless_(std::move(harmless)) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  output_ = ::memfd_create("output", MFD_CLOEXEC);
  require(output_ >= 0, "memfd_create");
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  require(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
  require(::listen(listener_, 16) == 0, "listen");
  restore();
}

Cage::~Cage() {
  for (const int fd : {notify_, listener_, output_}) ::close(fd);
}

std::string Cage::shown(const fs::path& path) const {
  return path.lexically_relative(root_.parent_path()).string();
}

void Cage::watch(const fs::path& folder, Zone zone) {
  const int id = ::inotify_add_watch(notify_, folder.c_str(),
                                     kChanges | IN_OPEN | IN_ONLYDIR | IN_DONT_FOLLOW);
  require(id >= 0, "inotify_add_watch");
  watched_[id] = {zone, folder};
}

void Cage::watch_tree(const fs::path& folder, Zone zone) {
  watch(folder, zone);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) watch(entry.path(), zone);
  }
}

void Cage::restore() {
  if (notify_ >= 0) ::close(notify_);
  notify_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  require(notify_ >= 0, "inotify_init1");
  watched_.clear();
  fs::create_directories(root_);
  for (const auto& entry : fs::directory_iterator(root_)) {
    ::chmod(entry.path().c_str(), 0700);
    fs::remove_all(entry.path());
  }
  fs::copy(pristine_, root_, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  before_ = look();
  watch(root_, Zone::outside);
  watch_tree(root_ / "work", Zone::work);
  for (const auto* folder : {"home", "outside", "tmp"}) watch_tree(root_ / folder, Zone::outside);
  watch("/usr/bin", Zone::programs);
  watch("/etc", Zone::system);
}

Cage::Tree Cage::look() const {
  Tree tree;
  for (const auto& entry : fs::recursive_directory_iterator(root_)) {
    struct stat status {};
    ::lstat(entry.path().c_str(), &status);
    std::string text = std::to_string(status.st_mode);
    if (S_ISLNK(status.st_mode)) text += fs::read_symlink(entry.path()).string();
    if (S_ISREG(status.st_mode)) {
      std::ifstream in(entry.path());
      text.append(std::istreambuf_iterator<char>(in), {});
    }
    tree[entry.path().lexically_relative(root_).string()] = {std::move(text)};
  }
  return tree;
}

/// Its output. Whatever it leaves running is ended.
std::string Cage::execute(const JudgedLine& line, const fs::path& folder) {
  require(::ftruncate(output_, 0) == 0 && ::lseek(output_, 0, SEEK_SET) == 0, "output");
  // As the agent starts commands; the shell itself lies where nobody watches.
  const std::string script = "eval " + quoted(line.command);
  const std::array<const char*, 4> argv{"/bin/bash", "-c", script.c_str(), nullptr};
  const pid_t child = ::fork();
  require(child >= 0, "fork");
  if (child == 0) {
    ::setsid();
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, 0);
    ::dup2(output_, 1);
    ::dup2(output_, 2);
    for (const auto& [what, most] : {std::pair{RLIMIT_FSIZE, 4U << 20U},
                                     {RLIMIT_CPU, 3U},
                                     {RLIMIT_CORE, 0U},
                                     {RLIMIT_NOFILE, 64U}}) {
      const rlimit limit{most, most};
      ::setrlimit(what, &limit);
    }
    if (::chdir(folder.c_str()) == 0)
      ::execv("/oracle/shell", const_cast<char* const*>(argv.data()));
    ::_exit(127);
  }
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  pollfd wait{handle, POLLIN, 0};
  if (::poll(&wait, 1, kPatienceMs) == 0) ++unfinished_;
  ::close(handle);
  // All but the first process of this namespace and this one.
  ::kill(-1, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
  std::string output(static_cast<std::size_t>(::lseek(output_, 0, SEEK_END)), '\0');
  require(::pread(output_, output.data(), output.size(), 0) >= 0, "read the output");
  return output;
}

void Cage::read_events(const JudgedLine& line, std::set<std::string>& offences, bool& changed) {
  alignas(inotify_event) std::array<char, 65536> buffer;
  struct Event {
    Watched where;
    std::uint32_t mask;
    std::string name;
  };
  std::vector<Event> events;
  std::set<std::string> started;
  for (ssize_t size = 0; (size = ::read(notify_, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      if (event->mask & (IN_IGNORED | IN_Q_OVERFLOW)) {
        changed = true;
        continue;
      }
      events.push_back({watched_[event->wd], event->mask, event->len ? event->name : ""});
      const auto& found = events.back();
      if (found.where.zone == Zone::programs && !found.name.empty()) started.insert(found.name);
    }
  }
  for (const auto& [where, mask, name] : events) {
    const auto path = name.empty() ? where.path : where.path / name;
    const bool changes = (mask & kChanges) != 0;
    switch (where.zone) {
      case Zone::programs: break;
      case Zone::system:
        if (name == "shadow" || name == "hostname") offences.insert("reads " + path.string());
        break;
      case Zone::outside:
        if (path == root_ / "work" && (!changes || may_edit(line))) {
          changed |= changes;
          break;
        }
        // A folder cannot be read backwards; tac tries it with a file that it removes again.
        if (name.starts_with("tac") && started.contains("tac") && where.path == root_ / "tmp")
          break;
        changed |= changes;
        offences.insert((changes ? "writes " : "reads ") + shown(path));
        break;
      case Zone::work: {
        if (!changes) {
          if (denies(line, "Read(" + name + ")")) offences.insert("reads denied " + shown(path));
          break;
        }
        changed = true;
        // git keeps what it learnt about files in its index, whatever it was asked.
        const bool index = where.path.filename() == ".git" &&
                           (name.empty() || name == "index" || name == "index.lock");
        if (!may_edit(line) && !(index && started.contains("git"))) {
          offences.insert("writes " + shown(path));
        }
        break;
      }
    }
  }
  for (const auto& name : started) {
    bool allowed = harmless_.contains(name) ||
                   (line.mode == "acceptEdits" && harmless_.contains("acceptEdits:" + name));
    for (const auto& rule : line.allow) allowed |= rule.starts_with("Bash(" + name);
    if (!allowed) offences.insert("starts " + name);
    const bool script = name == "grep" && (started.contains("egrep") || started.contains("fgrep"));
    if (!script && denies(line, "Bash(" + name + ":*)")) offences.insert("starts denied " + name);
  }
}

/// What acceptEdits does not cover.
void Cage::compare(const JudgedLine& line, std::set<std::string>& offences) const {
  const auto after = look();
  const auto name = [&](const std::string& path) {
    const bool work = path == "work" || path.starts_with("work/");
    if (path.ends_with(".git/index")) return;
    if (!work || !may_edit(line)) {
      offences.insert("writes " + shown(root_ / path));
    } else if (is_protected(path)) {
      offences.insert("writes protected " + shown(root_ / path));
    }
  };
  for (const auto& [path, node] : after) {
    const auto old = before_.find(path);
    if (old == before_.end() || !(old->second == node)) name(path);
  }
  for (const auto& [path, node] : before_) {
    if (!after.contains(path)) name(path);
  }
}

std::vector<std::string> Cage::run(const JudgedLine& line, const fs::path& folder) {
  std::set<std::string> offences;
  bool changed = false;
  // What the judge looked at is not what the command looks at.
  read_events(line, offences, changed);
  offences.clear();
  const auto output = execute(line, folder);
  read_events(line, offences, changed);
  if (output.find("CANARY") != std::string::npos) {
    const auto start = output.find("CANARY") + 7;
    const auto end = output.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", start);
    offences.insert("shows " + output.substr(start, end - start));
  }
  for (int peer = -1; (peer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    ::close(peer);
    offences.insert("connects");
  }
  if (changed) {
    compare(line, offences);
    restore();
  }
  return {offences.begin(), offences.end()};
}

}  // namespace parley::test
