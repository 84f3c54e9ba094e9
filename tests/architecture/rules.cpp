// The dependency table lives here: modules, what they may use, and which libraries.
#include "rules.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>

namespace parley::architecture {
namespace {

using Names = std::vector<std::string_view>;

/// Third parties by the beginning of the header's name; the first match counts. "posix" stands for
/// the operating system, "compiler" for intrinsics; neither is a third party.
struct Library {
  std::string_view prefix;
  std::string_view name;
};
constexpr Library kLibraries[] = {{"boost/beast", "beast"},  {"boost/asio", "asio"},
                                  {"boost/", "boost"},       {"openssl/", "openssl"},
                                  {"curl/", "curl"},         {"spdlog/", "spdlog"},
                                  {"fmt/", "fmt"},           {"CLI/", "cli11"},
                                  {"sys/", "posix"},         {"linux/", "posix"},
                                  {"nlohmann/", "nlohmann"}, {"netinet/", "posix"},
                                  {"arpa/", "posix"},        {"re2/", "re2"}};
// Some are C's own by name, but are included for what POSIX adds to them (strsignal, mkostemp).
constexpr std::string_view kPosixHeaders[] = {
    "dirent.h", "dlfcn.h",   "errno.h",  "fcntl.h",  "fnmatch.h", "glob.h",
    "grp.h",    "ifaddrs.h", "libgen.h", "limits.h", "locale.h",  "netdb.h",
    "poll.h",   "pthread.h", "pty.h",    "pwd.h",    "regex.h",   "sched.h",
    "signal.h", "spawn.h",   "stdio.h",  "stdlib.h", "string.h",  "strings.h",
    "syslog.h", "termios.h", "time.h",   "unistd.h", "utime.h",   "wordexp.h"};

constexpr const char* kUnknown = "an unknown library";

struct Module {
  std::string_view name;
  Names modules;    ///< That it may include, besides itself.
  Names libraries;  ///< That it may include; "posix" goes without saying, but not for wire.
};

const std::vector<Module>& modules() {
  static const std::vector<Module> table = {
      {"support", {}, {}},
      {"support/regex", {}, {"re2"}},
      {"wire", {"support"}, {}},
      {"transport", {"support", "wire"}, {}},
      {"client", {"support", "wire", "transport"}, {}},
      {"c", {"support", "wire", "client"}, {}},
      {"history", {"support", "support/regex", "wire"}, {}},
      {"agent", {"support", "support/regex", "wire", "history"}, {"curl"}},
      {"http", {"support", "wire"}, {"asio", "beast", "boost", "openssl"}},
      {"model", {"support", "support/regex", "wire", "http"}, {}},
      {"server", {"support", "wire", "transport", "client", "history", "http"}, {}},
      {"apps",
       {"support", "wire", "transport", "client", "history", "agent", "http", "model", "server",
        "web"},
       {"cli11"}},
  };
  return table;
}

/// A folder inside a module, and all that its files may include besides their own folder and the
/// folders below it: rooms, and modules that its module may use. "agent/permissions" stands for
/// what lies below it, too; the name of the module itself stands for the files at its top only.
/// Files at the top of a module put its rooms together and may use all of them.
struct Room {
  std::string_view path;
  Names uses;
  Names libraries = {};
};

const std::vector<Room>& rooms() {
  static const std::vector<Room> table = {
      // Values without a meaning, then how structs are read and written, then the protocol itself.
      {"wire/json", {"wire", "support"}},
      {"wire/codec", {"wire", "support", "wire/json"}},
      {"wire/messages",
       {"wire", "support", "wire/json", "wire/codec", "wire/control", "wire/mcp", "wire/tables"}},
      {"wire/control",
       {"wire", "support", "wire/json", "wire/codec", "wire/messages", "wire/mcp", "wire/tables"}},
      {"wire/mcp", {"wire", "support", "wire/json", "wire/codec", "wire/tables"}},
      {"wire/tools",
       {"wire", "support", "wire/json", "wire/codec", "wire/messages", "wire/control",
        "wire/tables"}},
      {"wire/tables",
       {"wire", "support", "wire/json", "wire/codec", "wire/messages", "wire/control", "wire/mcp",
        "wire/tools"}},

      // What users write handlers with knows nothing of the session that calls them.
      {"client/adapters", {"client", "wire"}},
      {"client/handlers", {"client", "wire", "support"}},
      {"client/mcp", {"client", "wire", "support", "client/handlers"}},
      {"client/ledger", {"client", "wire", "support"}},
      {"client/process", {"client", "wire", "transport", "support"}},
      {"client/store", {"client", "wire", "transport", "support", "client/handlers"}},
      {"client/session",
       {"client", "wire", "transport", "support", "client/handlers", "client/process",
        "client/store", "client/mcp", "client/ledger"}},

      // Files, then sessions, then conversations, then what is done with them.
      {"history/files", {"wire", "support"}},
      {"history/scan", {"wire", "support"}},
      {"history/listing", {"wire", "support", "history/files", "history/scan"}},
      {"history/conversation",
       {"wire", "support", "history/files", "history/scan", "history/listing"}},
      {"history/search", {"wire", "support", "history/files", "history/scan", "history/listing"}},
      {"history/usage", {"wire", "support", "history/files", "history/scan", "history/listing"}},
      {"history/export",
       {"wire", "support", "history/files", "history/listing", "history/conversation"}},
      {"history/writing",
       {"wire", "support", "history/files", "history/scan", "history/listing",
        "history/conversation"}},

      // Libraries that know nothing of a turn.
      {"agent/web", {"support", "wire"}, {"curl"}},
      {"agent/permissions", {"support", "wire", "agent/tools", "agent/web"}},
      {"agent/permissions/shell", {"support", "wire"}},
      {"agent/permissions/commands", {"support", "wire", "agent/permissions"}},
      {"agent/settings", {"support", "wire", "agent/permissions"}},
      {"agent/hooks", {"support", "wire", "agent/settings"}},
      {"agent/tools", {"support", "wire", "history", "agent/web"}},
      {"agent/api", {"support", "wire", "history", "agent/web"}, {"curl"}},
      // A turn runs without the program around it, a control request without a turn; only the
      // assembly knows all of them.
      {"agent/connection",
       {"support", "wire", "agent", "agent/api", "agent/tools", "agent/session/config"}},
      {"agent/session",
       {"support", "wire", "history", "agent", "agent/api", "agent/connection", "agent/hooks",
        "agent/permissions", "agent/settings", "agent/tools"}},
      {"agent/session/config",
       {"support", "wire", "history", "agent", "agent/hooks", "agent/session", "agent/settings",
        "agent/tools"}},
      {"agent/turn",
       {"support", "wire", "agent/api", "agent/connection", "agent/hooks", "agent/permissions",
        "agent/session", "agent/tools"}},
      {"agent/control",
       {"support", "wire", "agent", "agent/api", "agent/connection", "agent/hooks",
        "agent/permissions", "agent/session", "agent/tools"}},
      {"agent/agents",
       {"support", "wire", "history", "agent", "agent/api", "agent/connection", "agent/hooks",
        "agent/permissions", "agent/session", "agent/session/config", "agent/tools", "agent/turn"}},
      {"agent/assembly",
       {"support", "wire", "history", "agent", "agent/agents", "agent/api", "agent/connection",
        "agent/control", "agent/hooks", "agent/permissions", "agent/session", "agent/settings",
        "agent/tools", "agent/turn"}},

      // The log knows nothing of sessions, links nothing of agents, and the API nothing of files of
      // the log.
      {"server/threads", {"support", "wire", "transport"}},
      {"server/log", {"support", "wire", "transport", "server/threads"}},
      {"server/events", {"support", "wire"}},
      {"server/agents",
       {"support", "wire", "transport", "client", "history", "server/events", "server/threads"}},
      {"server/sessions",
       {"support", "wire", "transport", "client", "history", "server/agents", "server/events",
        "server/log", "server/threads"}},
      {"server/links", {"support", "wire", "http", "server/events", "server/sessions"}},
      {"server/api", {"support", "wire", "http", "server/links", "server/sessions"}},

      {"model/demo", {"model", "support", "wire", "http"}},
  };
  return table;
}

/// Folders with C++ code that no module may use and that may use every module.
constexpr std::string_view kOutside[] = {"tests", "benchmarks", "examples", "web", "cmake"};
/// What is installed: its headers must compile far away from this tree.
constexpr std::string_view kSdk[] = {"support", "wire", "transport", "client"};
/// All of support that wire may know: it asks nothing of the operating system.
constexpr std::string_view kSupportForWire = "support/text/";
/// All of wire that http may know.
constexpr std::string_view kWireForHttp[] = {"wire/error.hpp", "wire/json/json.hpp"};
/// Headers for users who already have that library; nothing of ours includes them.
struct Adapter {
  std::string_view path;
  Names libraries;
};
const std::vector<Adapter>& adapters() {
  static const std::vector<Adapter> table = {{"client/adapters/nlohmann.hpp", {"nlohmann"}},
                                             {"client/adapters/asio.hpp", {"asio", "boost"}}};
  return table;
}

template <class Range>
bool contains(const Range& range, std::string_view item) {
  return std::find(std::begin(range), std::end(range), item) != std::end(range);
}

std::string_view first_folder(std::string_view path) {
  const auto slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool is_header(std::string_view path) { return path.ends_with(".hpp") || path.ends_with(".h"); }
bool is_cpp(std::string_view path) { return is_header(path) || path.ends_with(".cpp"); }

/// Of a file: the one with the longest name that its path begins with.
const Module* find_module(std::string_view path) {
  const Module* found = nullptr;
  for (const Module& module : modules()) {
    const bool inside = path.starts_with(module.name) && path.substr(module.name.size(), 1) == "/";
    if (inside && (!found || module.name.size() > found->name.size())) found = &module;
  }
  return found;
}

/// Whether `path` is `folder` or lies below it.
bool within(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string_view folder_of(std::string_view path) {
  return path.substr(0, std::min(path.rfind('/'), path.size()));
}

/// The innermost room that the file lies in; null for the files at the top of a module.
const Room* find_room(std::string_view file) {
  const Room* innermost = nullptr;
  for (const Room& room : rooms()) {
    if (within(folder_of(file), room.path) &&
        (!innermost || innermost->path.size() < room.path.size())) {
      innermost = &room;
    }
  }
  return innermost;
}

bool has_rooms(std::string_view module) {
  return std::any_of(rooms().begin(), rooms().end(),
                     [&](const Room& room) { return within(room.path, module); });
}

/// Whether a room may use the file, by one entry of its table.
bool covers(std::string_view entry, std::string_view file) {
  const bool whole = entry.find('/') != std::string_view::npos || !has_rooms(entry);
  return whole ? within(folder_of(file), entry) : folder_of(file) == entry;
}

struct Include {
  int line = 0;
  bool quoted = false;
  std::string name;
};

std::optional<Include> read_include(std::string_view line, int number) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  const auto skip = [&](std::string_view word) {
    skip_blanks();
    if (!line.starts_with(word)) return false;
    line.remove_prefix(word.size());
    return true;
  };
  if (!skip("#") || !skip("include")) return std::nullopt;
  skip_blanks();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const bool quoted = line.front() == '"';
  line.remove_prefix(1);
  return Include{number, quoted, std::string(line.substr(0, line.find(quoted ? '"' : '>')))};
}

std::string normal(const std::filesystem::path& path) {
  return path.lexically_normal().generic_string();
}

/// Checks one file; everything it finds goes into `violations`.
class FileCheck {
 public:
  FileCheck(const Tree& tree, const std::string& path, std::vector<std::string>& violations)
      : tree_(tree),
        path_(path),
        module_(find_module(path)),
        room_(find_room(path)),
        violations_(violations) {}

  void include(const Include& include) {
    line_ = include.line;
    if (include.quoted) {
      const std::string beside = normal(std::filesystem::path(path_).parent_path() / include.name);
      const std::string from_root = normal(include.name);
      if (tree_.contains(beside)) return own_header(beside);
      if (contains(kSdk, first_folder(path_)) && is_header(path_) && tree_.contains(from_root)) {
        violation("include \"" + include.name +
                  "\" by its relative path: the root is no include folder once installed");
      }
      // A generated header is in no source folder, but its name still begins with its module.
      if (tree_.contains(from_root) || find_module(from_root)) {
        return own_header(from_root);
      }
      if (module_ && library_of(include.name) == kUnknown) {
        return violation("there is no \"" + include.name + "\" in the tree");
      }
    } else if (include.name.starts_with("parley/")) {
      return own_header(include.name.substr(std::string_view("parley/").size()));
    }
    foreign_header(include.name);
  }

  void violation(const std::string& text) {
    violations_.push_back(path_ + ":" + std::to_string(line_) + ": " + text);
  }

 private:
  void own_header(const std::string& header) {
    if (!module_) return;
    const Module* const used = find_module(header);
    const std::string target(used ? used->name : first_folder(header));
    if (target != module_->name && !contains(module_->modules, target)) {
      return violation(std::string(module_->name) + " must not use " +
                       (target.empty() ? header : target));
    }
    if (module_->name == "http" && target == "wire" && !contains(kWireForHttp, header)) {
      violation("http must not use " + header + ", only errors and Json");
    }
    if (module_->name == "wire" && target == "support" && !header.starts_with(kSupportForWire)) {
      violation("wire must not use " + header + ", only support/text");
    }
    check_room(header);
    for (const Adapter& adapter : adapters()) {
      if (header == adapter.path) violation("nothing of ours may include the adapter " + header);
    }
  }

  void check_room(const std::string& header) {
    if (!room_ || within(folder_of(header), room_->path)) return;
    const bool own = first_folder(header) == module_->name;
    const bool allowed = std::any_of(room_->uses.begin(), room_->uses.end(), [&](auto entry) {
      return covers(entry, header) || (!own && entry == first_folder(header));
    });
    if (allowed) return;
    const Room* target = find_room(header);
    violation(std::string(room_->path) + " must not use " +
              std::string(own && target ? target->path
                          : own         ? header
                                        : first_folder(header)));
  }

  void foreign_header(const std::string& header) {
    const std::string library = library_of(header);
    if (library == "beast" && first_folder(path_) != "http") {
      return violation("only http may include Beast");
    }
    if (!module_ || library == "std" || library == "compiler") return;
    if (library == "posix") {
      if (module_->name == "wire") violation("wire must not use the operating system: " + header);
      return;
    }
    for (const Adapter& adapter : adapters()) {
      if (path_ == adapter.path && contains(adapter.libraries, library)) return;
    }
    if (!contains(module_->libraries, library)) {
      violation(std::string(module_->name) + " must not use " + library + ": " + header);
    } else if (library == "re2" && is_header(path_)) {
      violation(library + " must not be included in a header");
    } else if (room_ && !contains(room_->libraries, library)) {
      violation(std::string(room_->path) + " must not use " + library + ": " + header);
    }
  }

  static std::string library_of(const std::string& header) {
    for (const Library& library : kLibraries) {
      if (header.starts_with(library.prefix)) return std::string(library.name);
    }
    if (contains(kPosixHeaders, header)) return "posix";
    if (header.ends_with("intrin.h") || header == "arm_neon.h") return "compiler";
    // Only the standard library has headers like <string_view>.
    const bool plain = std::all_of(header.begin(), header.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    return plain ? "std" : kUnknown;
  }

  const Tree& tree_;
  const std::string& path_;
  const Module* module_;
  const Room* room_;
  std::vector<std::string>& violations_;
  int line_ = 1;
};

}  // namespace

std::vector<std::string> check(const Tree& tree) {
  std::vector<std::string> violations;
  for (const auto& [path, text] : tree) {
    FileCheck file(tree, path, violations);
    const std::string_view folder = first_folder(path);
    if (is_cpp(path) && !find_module(path) && !contains(kOutside, folder)) {
      file.violation("the folder is not in the dependency table (tests/architecture/rules.cpp)");
    }
    if (is_cpp(path) && has_rooms(folder) && folder_of(path) != folder && !find_room(path)) {
      file.violation("the room " + std::string(folder_of(path)) +
                     " is not in the table of rooms (tests/architecture/rules.cpp)");
    }
    std::istringstream lines(text);
    std::string line;
    int number = 0;
    while (std::getline(lines, line)) {
      ++number;
      if (!is_cpp(path)) continue;
      if (const auto include = read_include(line, number)) file.include(*include);
    }
    if (number > kMostLines) {
      violations.push_back(path + ": " + std::to_string(number) + " lines, the most is " +
                           std::to_string(kMostLines));
    }
  }
  return violations;
}

}  // namespace parley::architecture
