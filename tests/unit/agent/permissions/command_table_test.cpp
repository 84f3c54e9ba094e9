// Every line of commands.table, one test each section.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "permission_fixture.hpp"

namespace parley::agent {
namespace {

struct Line {
  int number = 0;
  std::string verdict, by, command;
};
struct Section {
  std::string mode;
  std::vector<std::pair<std::string, std::string>> rules;  ///< Behaviour and rule.
  std::vector<Line> lines;
};

std::vector<std::string> split(const std::string& text, std::size_t parts) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (out.size() + 1 < parts) {
    const auto bar = text.find(" | ", at);
    if (bar == std::string::npos) break;
    out.push_back(text.substr(at, bar - at));
    at = bar + 3;
  }
  out.push_back(text.substr(at));
  return out;
}

std::vector<Section> read_table() {
  std::ifstream file(source_folder() / "tests/unit/agent/permissions/commands.table");
  EXPECT_TRUE(file.good());
  std::vector<Section> sections;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    if (text.empty() || text.starts_with("# ") || text == "#") continue;
    if (text.starts_with("== ")) {
      Section section;
      for (const auto& part : split(text.substr(3), 100)) {
        const auto equals = part.find('=');
        const auto key = part.substr(0, equals);
        if (key == "mode") {
          section.mode = part.substr(equals + 1);
        } else {
          section.rules.emplace_back(key, part.substr(equals + 1));
        }
      }
      sections.push_back(std::move(section));
      continue;
    }
    const auto parts = split(text, 3);
    EXPECT_EQ(parts.size(), 3U) << "line " << number << ": " << text;
    if (parts.size() == 3) sections.back().lines.push_back({number, parts[0], parts[1], parts[2]});
  }
  return sections;
}

Permissions::Setup::Rules rules_of(const Section& section, const std::string& without) {
  Permissions::Setup::Rules out;
  out.from = PermissionDestination::userSettings;
  for (const auto& [behavior, rule] : section.rules) {
    if (rule == without) continue;
    (behavior == "allow" ? out.allow : behavior == "deny" ? out.deny : out.ask).push_back(rule);
  }
  return out;
}

std::string name_of(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::allow: return "run";
    case Verdict::Kind::ask: return "ask";
    case Verdict::Kind::deny: return "deny";
  }
  return "?";
}

void replace(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

class CommandTable : public PermissionTest {
 protected:
  Verdict judge(const Section& section, const std::string& command,
                const std::string& without = "") {
    auto setup = this->setup();
    setup.mode = Enum<PermissionMode>(section.mode);
    setup.rules = {rules_of(section, without)};
    Intent intent;
    intent.kind = Intent::Kind::command;
    intent.command = command;
    auto cwd = work();
    if (command.starts_with('@')) {
      const auto blank = command.find(' ');
      cwd /= command.substr(1, blank - 1);
      intent.command = command.substr(blank + 1);
    }
    return Permissions(setup).judge("Bash", RawJson("{}"), intent, cwd);
  }
};

TEST_F(CommandTable, HoldsLineByLine) {
  std::size_t lines = 0;
  for (const auto& section : read_table()) {
    for (const auto& line : section.lines) {
      ++lines;
      std::string command = line.command;
      replace(command, "<NL>", "\n");
      replace(command, "<TAB>", "\t");
      replace(command, "<WORK>", work().string());
      replace(command, "<HOME>", home().string());
      const auto verdict = judge(section, command);
      EXPECT_EQ(name_of(verdict.kind), line.verdict)
          << "line " << line.number << ": " << line.command << "\n  " << verdict.reason_type << ": "
          << verdict.message;
      if (name_of(verdict.kind) != line.verdict || line.by == "-") continue;
      const bool by_rule = std::any_of(section.rules.begin(), section.rules.end(),
                                       [&](const auto& rule) { return rule.second == line.by; });
      if (by_rule) {
        const auto other = judge(section, command, line.by);
        const bool changed = other.kind != verdict.kind ||
                             (verdict.reason_type == "rule" && other.reason_type != "rule");
        EXPECT_TRUE(changed) << "line " << line.number << " does not depend on " << line.by;
      } else {
        EXPECT_EQ(verdict.reason_type, line.by)
            << "line " << line.number << ": " << line.command << "\n  " << verdict.message;
      }
    }
  }
  EXPECT_GE(lines, 250U);
}

TEST_F(CommandTable, AsksAboutGitWhoseConfigurationNamesPrograms) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[core]\n\tbare = false\n[remote \"origin\"]\n\turl = x\n", "run"},
      {"[core]\n\thooksPath = .githooks\n", "ask"},
      {"[core]\n\tHOOKSPATH=scripts/hooks\n", "ask"},
      {"[core]\n\thooksPath = .husky/_\n", "run"},
      {"[core]\n\thooksPath = .husky/\\\n../x\n", "ask"},
      {"[core]\n\tfsmonitor = ./x\n", "ask"},
      {"[diff \"x\"]\n\ttextconv = ./x\n", "ask"},
      {"[include]\n\tpath = ../x\n", "ask"},
      {"[diff]\n\texternal = ./x\n", "ask"},
      {"[diff] External=x\n", "ask"},
      {"[merge \"x\"]\n\tdriver = ./x\n", "ask"},
      {"[alias]\n\tx = \"!./x\"\n", "ask"},
      {"[alias]\n\tx = \\\n!./x\n", "ask"},
      {"[alias]\n\tst = status\n[credential]\n\thelper = store\n", "run"},
      {"[credential]\n\thelper = /x/y\n", "ask"},
      {"[remote \"origin\"]\n\turl = https://example.com/external\n", "run"},
  };
  for (const auto& [config, verdict] : cases) {
    write(work() / ".git/config", config);
    // What it names may lie where edits run unasked; where each is asked about, a person saw it.
    EXPECT_EQ(name_of(judge({"acceptEdits", {}, {}}, "git status").kind), verdict) << config;
    EXPECT_EQ(name_of(judge({"default", {}, {}}, "git status").kind), "run") << config;
  }
}

TEST_F(CommandTable, AsksBeforeItReplacesProgramsThatRunUnasked) {
  const std::string before = ::getenv("PATH");
  const auto verdict = [&](const std::string& path, const std::string& command) {
    ::setenv("PATH", path.c_str(), 1);
    const auto out =
        name_of(judge({"acceptEdits", {{"allow", "Bash(deploy:*)"}}, {}}, command).kind);
    ::setenv("PATH", before.c_str(), 1);
    return std::string(out);
  };
  const auto bin = (work() / "env/bin").string() + ":/usr/bin";
  EXPECT_EQ(verdict(bin, "cp a.txt env/bin/ls"), "ask");
  EXPECT_EQ(verdict(bin, "echo x > env/bin/python"), "ask");
  EXPECT_EQ(verdict(bin, "echo x > env/bin/deploy"), "ask");
  EXPECT_EQ(verdict(bin, "mv two env"), "ask");
  EXPECT_EQ(verdict(bin, "mv two env/bin"), "ask");
  EXPECT_EQ(verdict(bin, "echo x > env/bin/tool"), "run");
  EXPECT_EQ(verdict(bin, "echo x > env/lib/ls"), "run");
  EXPECT_EQ(verdict("/usr/bin:.", "echo x > src/ls"), "ask");
  EXPECT_EQ(verdict("/usr/bin:", "echo x > ls"), "ask");
  EXPECT_EQ(verdict("/usr/bin", "echo x > env/bin/ls"), "run");
}

TEST_F(CommandTable, TakesOffAFewWrappersOnly) {
  std::string many = "ls";
  for (int i = 0; i < 3; ++i) many.insert(0, "nice ");
  EXPECT_EQ(name_of(judge({"default", {}, {}}, many).kind), "run");
  for (int i = 0; i < 1000; ++i) many.insert(0, "nice ");
  EXPECT_EQ(name_of(judge({"default", {}, {}}, many).kind), "ask");
}

TEST_F(CommandTable, AsksAboutGitWhoseRepositoryHasAnotherName) {
  // Edits of it would not be noticed as such.
  std::filesystem::rename(work() / ".git", work() / "store");
  link("store", ".git");
  EXPECT_EQ(name_of(judge({"acceptEdits", {}, {}}, "git status").kind), "ask");
}

}  // namespace
}  // namespace parley::agent
