#include "client/process/discovery.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "support/text/text.hpp"

namespace parley {
namespace {

namespace fs = std::filesystem;

/// Where installers put the CLI, below the home folder unless absolute.
constexpr std::string_view kKnownFolders[] = {
    ".local/bin", ".claude/local", ".npm-global/bin", "node_modules/.bin", ".yarn/bin",
    ".bun/bin",   ".volta/bin",    "/usr/local/bin",  "/opt/homebrew/bin"};

std::string verdict_on(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return "does not exist";
  if (fs::is_directory(path, ignored)) return "is a folder";
  const auto extension = path.extension();
  const bool script = extension == ".js" || extension == ".mjs" || extension == ".cjs";
  if (::access(path.c_str(), script ? R_OK : X_OK) != 0) return "is not executable";
  return "found";
}

/// Collects candidates in order, and knows whether one was found.
class Search {
 public:
  explicit Search(const Getenv& getenv) : getenv_(getenv) {}

  void look(std::string source, const fs::path& path) {
    candidates_.push_back({std::move(source), path, verdict_on(path)});
  }

  void look_in_path(const std::string& source, const std::string& name) {
    const std::string folders = getenv_("PATH").value_or("");
    bool any = false;
    for (const std::string_view folder : split_lines(folders, ':')) {
      const fs::path file = fs::path(folder) / name;
      if (verdict_on(file) == "does not exist") continue;  // PATH is long, and most of it is empty
      look(source, file);
      any = true;
    }
    if (!any) candidates_.push_back({source, name, "is in no folder of PATH"});
  }

  void look_in_known_folders(const std::string& name) {
    const auto home = getenv_("HOME");
    for (const std::string_view folder : kKnownFolders) {
      const fs::path path(folder);
      if (path.is_relative() && !home) continue;
      look("known folder", (path.is_absolute() ? path : fs::path(*home) / path) / name);
    }
  }

  [[nodiscard]] std::vector<CliCandidate> take() { return std::move(candidates_); }

 private:
  const Getenv& getenv_;
  std::vector<CliCandidate> candidates_;
};

void look_for(Search& search, const std::string& source, const std::string& program) {
  if (program.find('/') != std::string::npos) {
    search.look(source, program);
  } else {
    search.look_in_path(source, program);
  }
}

std::optional<std::string> process_getenv(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

bool is_plain(std::string_view text, std::string_view others) {
  const auto plain = [others](char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
           others.find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), plain);
}

bool is_package_part(std::string_view text) {
  return is_plain(text, "-._~") && text.front() != '.' && text.front() != '-';
}

bool is_package_name(std::string_view name) {
  if (!name.starts_with('@')) return is_package_part(name);
  const auto slash = name.find('/');
  return slash != std::string_view::npos && is_package_part(name.substr(1, slash - 1)) &&
         is_package_part(name.substr(slash + 1));
}

/// npx takes folders, URLs and repositories for packages, too, and runs what it finds there.
Result<void> check_npx(const CliSearch& search) {
  if (!is_package_name(search.npx_package)) {
    return Error(ErrorCode::invalid,
                 "\"" + search.npx_package +
                     "\" is not the name of a package; its version goes into npx_version",
                 "npx_package");
  }
  const std::string_view version = search.npx_version;
  if (!version.empty() && (!is_plain(version, "-._+") || version.front() == '-')) {
    return Error(ErrorCode::invalid, "\"" + search.npx_version + "\" is not a version or a tag",
                 "npx_version");
  }
  return {};
}

std::vector<std::string> npx_words(const CliSearch& search) {
  std::vector<std::string> words = {"-y", search.npx_package};
  if (!search.npx_version.empty()) words.back() += "@" + search.npx_version;
  words.insert(words.end(), search.npx_arguments.begin(), search.npx_arguments.end());
  return words;
}

}  // namespace

std::vector<CliCandidate> list_cli_candidates(const CliSearch& search, const Getenv& given) {
  const Getenv getenv = given ? given : Getenv(process_getenv);
  Search found(getenv);
  if (!search.program.empty()) {
    look_for(found, "given", search.program);
    return found.take();
  }
  if (const auto variable = getenv("PARLEY_CLI"); variable && !variable->empty()) {
    // Who sets the variable means it: another CLI instead would be a surprise.
    look_for(found, "PARLEY_CLI", *variable);
    return found.take();
  }
  if (search.prefer_npx) found.look_in_path("npx", "npx");
  if (search.prefer_router) found.look_in_path("router", "ccr");
  for (const std::string& name : search.names) found.look_in_path("PATH", name);
  for (const std::string& name : search.names) found.look_in_known_folders(name);
  if (search.allow_npx && !search.prefer_npx) found.look_in_path("npx", "npx");
  for (const fs::path& program : search.fallbacks) found.look("fallback", program);
  return found.take();
}

Result<CliCommand> find_cli(const CliSearch& search, const Getenv& getenv) {
  if (search.allow_npx || search.prefer_npx) {
    // Also if another CLI is found: what is refused must not depend on the machine.
    if (auto checked = check_npx(search); !checked) return checked.error();
  }
  const auto candidates = list_cli_candidates(search, getenv);
  std::string tried;
  for (const CliCandidate& candidate : candidates) {
    if (candidate.verdict != "found") {
      tried += "\n  " + candidate.path.string() + " " + candidate.verdict + " (" +
               candidate.source + ")";
      continue;
    }
    CliCommand command{candidate.path, search.leading_arguments, candidate.source};
    if (candidate.source == "npx") {
      command.leading_arguments = npx_words(search);
    } else if (candidate.source == "router" && command.leading_arguments.empty()) {
      command.leading_arguments = {"code"};
    }
    const auto extension = candidate.path.extension();
    if (extension == ".js" || extension == ".mjs" || extension == ".cjs") {
      // Absolute, because the agent may start in another folder.
      std::error_code ignored;
      command.leading_arguments.insert(command.leading_arguments.begin(),
                                       fs::absolute(candidate.path, ignored).string());
      command.program = "node";
    }
    return command;
  }
  return Error(ErrorCode::not_found, "no agent CLI was found. Looked at:" + tried +
                                         "\nInstall it, or name it in the variable PARLEY_CLI.");
}

std::optional<CliVersion> CliVersion::parse(std::string_view text) {
  CliVersion version;
  const char* at = text.data();
  const char* end = at + text.size();
  for (int* part : {&version.major, &version.minor, &version.patch}) {
    const auto [next, failed] = std::from_chars(at, end, *part);
    if (failed != std::errc()) return std::nullopt;
    at = next;
    if (part == &version.patch) break;
    if (at == end || *at != '.') return std::nullopt;
    ++at;
  }
  return version;
}

std::string CliVersion::to_string() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

Result<CliVersion> ask_version(
    const CliCommand& cli, std::chrono::milliseconds timeout,
    const std::vector<std::pair<std::string, std::string>>& environment) {
  ProcessSpec spec;
  spec.program = cli.program.string();
  spec.arguments = cli.leading_arguments;
  spec.arguments.emplace_back("--version");
  spec.environment = environment;
  const auto output = run_program(std::move(spec), timeout);
  if (!output) return output.error();
  if (const auto version = CliVersion::parse(output->text)) return *version;
  return Error(ErrorCode::unexpected,
               "`" + cli.program.string() + " --version` said \"" + output->text.substr(0, 200) +
                   output->errors.substr(0, 200) + "\" (" + parley::to_string(output->status) +
                   "), which is no version");
}

}  // namespace parley
