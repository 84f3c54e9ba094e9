// `parley doctor`: looks at everything an agent needs to run, and says what is wrong and how to
// mend it. Values of keys and tokens are never printed.
#include <sys/statvfs.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>

#include "apps/parley/commands.hpp"
#include "apps/parley/serve/own_agent.hpp"
#include "apps/parley/terminal.hpp"
#include "client/process/discovery.hpp"
#include "support/process/environment.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kVersionPatience = std::chrono::seconds(30);
constexpr CliVersion kOldestTested{2, 1, 38};
constexpr std::uintmax_t kLittleSpace = 64'000'000;

enum class Level { ok, warning, problem };

std::string_view name_of(Level level) {
  switch (level) {
    case Level::ok: return "ok";
    case Level::warning: return "warning";
    case Level::problem: return "problem";
  }
  return "";
}

struct Finding {
  Level level = Level::ok;
  std::string subject;
  std::string text;
  std::string advice;  ///< How to mend it; empty if there is nothing to mend.
};

struct DoctorOptions {
  CliSearch search;
  bool json = false;
};

/// What the examination has found so far.
class Examination {
 public:
  void ok(std::string subject, std::string text) {
    findings_.push_back({Level::ok, std::move(subject), std::move(text), ""});
  }
  void warn(std::string subject, std::string text, std::string advice) {
    findings_.push_back({Level::warning, std::move(subject), std::move(text), std::move(advice)});
  }
  void problem(std::string subject, std::string text, std::string advice) {
    findings_.push_back({Level::problem, std::move(subject), std::move(text), std::move(advice)});
  }
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  [[nodiscard]] bool healthy() const {
    return std::none_of(findings_.begin(), findings_.end(),
                        [](const Finding& f) { return f.level == Level::problem; });
  }

 private:
  std::vector<Finding> findings_;
};

// ---- the program --------------------------------------------------------------------------------

/// The interpreter that the first line of a script asks for: "node" of "#!/usr/bin/env node".
std::string interpreter_of(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  char mark[2] = {};
  std::string line;
  if (!file.read(mark, 2) || mark[0] != '#' || mark[1] != '!' || !std::getline(file, line)) {
    return {};
  }
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return fs::path(line.substr(line.find_last_of(" \t") + 1)).filename().string();
}

void examine_node(Examination& found, const CliCommand& cli) {
  const bool script = cli.program == "node" || interpreter_of(cli.program) == "node";
  if (!script) return;
  CliSearch search;
  search.program = "node";
  if (const auto node = find_cli(search)) {
    found.ok("node", node->program.string() + ", which the CLI needs");
  } else {
    found.problem("node", "the CLI is a script for Node.js, and there is no `node` in PATH",
                  "Install Node.js 18 or newer, or add its folder to PATH.");
  }
}

/// Whether the CLI is parley-agent.
bool examine_cli(Examination& found, const CliSearch& search) {
  const auto cli = find_cli(search);
  if (!cli) {
    std::string places;
    for (const CliCandidate& place : list_cli_candidates(search)) {
      places += "\n         " + place.path.string() + " " + place.verdict;
    }
    found.problem("CLI", "there is none where it was looked for:" + places,
                  "Install one, e.g. `npm install -g @anthropic-ai/claude-code`, or name it with "
                  "--cli or in PARLEY_CLI.");
    return false;
  }
  std::string command = cli->program.string();
  for (const std::string& argument : cli->leading_arguments) command += " " + argument;
  found.ok("CLI", command + (cli->found_by == "fallback"
                                 ? ", which comes with parley, as no other was found"
                                 : ", found by: " + cli->found_by));
  examine_node(found, *cli);
  const auto version = ask_version(*cli, kVersionPatience);
  if (!version) {
    found.problem("version", version.error().message(),
                  "Run `" + command + " --version` by hand; reinstall the CLI if it fails there.");
  } else if (*version < kOldestTested) {
    found.warn("version", version->to_string() + " is older than any that Parley is tested with",
               "Update to " + kOldestTested.to_string() + " or newer.");
  } else {
    found.ok("version", version->to_string());
  }
  return is_parley_agent(*cli);
}

// ---- keys ---------------------------------------------------------------------------------------

/// Whether the variable is set, to whatever.
bool examine_key(Examination& found, const char* name) {
  if (std::getenv(name) == nullptr) return false;
  const std::string value = environment_variable(name);
  if (value.empty()) {
    found.warn("key", std::string(name) + " is set, but empty",
               std::string("Give it a value or `unset ") + name + "`.");
  } else if (value.find_first_of(" \t\r\n") != std::string::npos) {
    found.problem("key", std::string(name) + " holds a space or a newline, which no key does",
                  "Set it again without what was copied along.");
  } else {
    found.ok("key", std::string(name) + " is set");
  }
  return true;
}

/// What the real CLI and its relatives take, and parley-agent does not. Whether there is any of it.
bool examine_logins(Examination& found, const fs::path& config) {
  constexpr const char* kProviders[] = {"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX",
                                        "CLAUDE_CODE_USE_FOUNDRY"};
  bool any = examine_key(found, "CLAUDE_CODE_OAUTH_TOKEN");
  for (const char* name : kProviders) {
    if (environment_variable(name).empty()) continue;
    found.ok("key", std::string(name) + " is set: the keys of that provider count");
    any = true;
  }
  std::error_code ignored;
  if (fs::exists(config / ".credentials.json", ignored)) {
    found.ok("key", "a login is stored in the configuration folder");
    any = true;
  }
  return any;
}

void examine_keys(Examination& found, const fs::path& config, bool parley_agent) {
  bool any = false;
  for (const char* name : kOwnAgentKeys) any = examine_key(found, name) || any;
  if (!parley_agent) any = examine_logins(found, config) || any;
  if (!any) {
    found.warn(
        "key",
        parley_agent ? "no key that parley-agent can use was found" : "no key or login was found",
        std::string(kHowToBegin) + (parley_agent ? "" : "; or log in with the CLI itself") + ".");
  }
  const std::string url = environment_variable("ANTHROPIC_BASE_URL");
  if (url.empty()) return;
  if (url.starts_with("http://") || url.starts_with("https://")) {
    // Not shown: an address may carry a password.
    found.ok("address", "ANTHROPIC_BASE_URL is set: requests go there");
  } else {
    found.problem("address", "ANTHROPIC_BASE_URL does not begin with http:// or https://",
                  "Correct it, or `unset ANTHROPIC_BASE_URL`.");
  }
}

// ---- folders ------------------------------------------------------------------------------------

/// The folder itself, or the nearest one above it that exists.
fs::path nearest_existing(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

void examine_folder(Examination& found, const std::string& subject, const fs::path& folder) {
  std::error_code ignored;
  const fs::path existing = nearest_existing(folder);
  if (!fs::is_directory(existing, ignored)) {
    found.problem(subject, existing.string() + " is no folder", "Move that file away.");
  } else if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    found.problem(subject, existing.string() + " cannot be written to",
                  "Change its owner or mode: `chown -R \"$(id -un)\" " + existing.string() + "`.");
  } else if (struct statvfs disk{}; ::statvfs(existing.c_str(), &disk) == 0 &&
                                    disk.f_bavail * disk.f_frsize < kLittleSpace) {
    found.warn(subject,
               folder.string() + " has only " + shown_size(disk.f_bavail * disk.f_frsize) + " left",
               "Make room on that disk.");
  } else {
    found.ok(subject, folder.string() + (existing == folder ? "" : " (will be made)"));
  }
}

void examine_temporary_folder(Examination& found) {
  const std::string folder = environment_variable("TMPDIR");
  examine_folder(found, "temporary files", folder.empty() ? "/tmp" : folder);
}

Examination examine(const DoctorOptions& options) {
  Examination found;
  const bool parley_agent = examine_cli(found, options.search);
  const std::string given = environment_variable("CLAUDE_CONFIG_DIR");
  const std::string home = environment_variable("HOME");
  const fs::path config = given.empty() ? fs::path(home) / ".claude" : fs::path(given);
  examine_keys(found, config, parley_agent);
  if (given.empty() && home.empty()) {
    found.problem("configuration", "neither HOME nor CLAUDE_CONFIG_DIR is set",
                  "Set HOME to your home folder.");
  } else {
    examine_folder(found, "configuration", config);
    examine_folder(found, "sessions", config / "projects");
  }
  examine_temporary_folder(found);
  return found;
}

// ---- output -------------------------------------------------------------------------------------

Json to_json(const Examination& found) {
  Json list = Json::array();
  for (const Finding& finding : found.findings()) {
    Json item = Json::object(
        {{"level", name_of(finding.level)}, {"subject", finding.subject}, {"text", finding.text}});
    if (!finding.advice.empty()) item.set("advice", finding.advice);
    list.push(std::move(item));
  }
  return Json::object({{"healthy", found.healthy()}, {"findings", std::move(list)}});
}

void print(const Examination& found) {
  for (const Finding& finding : found.findings()) {
    const int colour = finding.level == Level::ok        ? kGreen
                       : finding.level == Level::warning ? kYellow
                                                         : kRed;
    std::string level(name_of(finding.level));
    level.resize(8, ' ');
    std::cout << coloured(level, colour) << ' ' << finding.subject << ": "
              << printable(finding.text) << '\n';
    if (!finding.advice.empty()) std::cout << "         " << printable(finding.advice) << '\n';
  }
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* doctor = app.add_subcommand("doctor", "Say what is wrong here, and how to mend it");
  doctor->add_option("--cli", options->search.program, "The agent CLI; looked for if not given");
  doctor->add_flag("--npx", options->search.allow_npx, "Also accept `npx -y`, as a last resort");
  doctor->add_flag("--json", options->json, "Print JSON");
  doctor->footer("Exit code 1 if there is a problem; warnings are none.");
  doctor->callback([options, &exit_code] {
    options->search.fallbacks = own_agents();
    const Examination found = examine(*options);
    if (options->json) {
      std::cout << to_json(found).dump() << '\n';
    } else {
      print(found);
    }
    exit_code = found.healthy() ? kSuccess : kFailure;
  });
}

}  // namespace parley::app
