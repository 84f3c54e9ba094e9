// The groups of options: no member is forgotten, by the client or by its tests.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>

#include "client/client.hpp"
#include "support.hpp"
#include "support/files/io.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;

fs::path source_folder() {
  const char* root = std::getenv("PARLEY_SOURCE_DIR");
  return root == nullptr ? fs::path() : fs::path(root);
}

/// All sources of a folder and those below it, one after the other, but for the files named.
std::string all_sources(const fs::path& folder, const std::vector<std::string>& without) {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".cpp") continue;
    if (std::find(without.begin(), without.end(), file.filename()) != without.end()) continue;
    all += read_file(file).value();
  }
  return all;
}

/// The members of each struct in a header, by the name of the struct. A member is declared on a
/// line of its own: `Type name;`, `Type name = default;` or `Type name{default};`.
std::map<std::string, std::vector<std::string>> members_of(const std::string& header) {
  static const std::regex kStruct(R"(struct (\w+) \{)");
  static const std::regex kMember(R"(  [A-Za-z][\w:<>,()& ]* (\w+)(?: = .*|\{.*\})?;)");
  std::map<std::string, std::vector<std::string>> structs;
  std::string current;
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, kStruct)) current = found[1];
    if (line == "};") current.clear();
    if (!current.empty() && std::regex_match(line, found, kMember)) {
      structs[current].push_back(found[1]);
    }
  }
  return structs;
}

/// What follows `options.` in a program: "model", "tools.allowed", …
std::vector<std::string> all_members() {
  std::map<std::string, std::vector<std::string>> groups;
  for (const auto& entry : fs::directory_iterator(source_folder() / "client/options")) {
    groups.merge(members_of(read_file(entry.path()).value()));
  }
  const std::string header = read_file(source_folder() / "client/options.hpp").value();
  auto structs = members_of(header);
  std::vector<std::string> names;
  for (const std::string& name : structs["Options"]) {
    std::smatch type;
    const std::regex declaration("\n  (\\w+) " + name + ";");
    const bool is_group =
        std::regex_search(header, type, declaration) && groups.count(type[1]) == 1;
    if (!is_group) {
      names.push_back(name);
      continue;
    }
    for (const std::string& member : groups.at(type[1])) names.push_back(name + "." + member);
  }
  return names;
}

std::vector<std::string> missing_from(const std::string& text) {
  std::vector<std::string> missing;
  for (const std::string& name : all_members()) {
    const std::regex used("\\b" + std::regex_replace(name, std::regex("\\."), "\\.") + "\\b");
    if (!std::regex_search(text, used)) missing.push_back(name);
  }
  return missing;
}

TEST(OptionGroups, AreAllFound) {
  const auto names = all_members();
  for (const char* name :
       {"model", "on_permission", "hooks", "process.environment", "tools.allowed",
        "thinking.budget_tokens", "delivery.on_message", "deadlines.kill"}) {
    EXPECT_THAT(names, ::testing::Contains(name));
  }
  EXPECT_GT(names.size(), 90U);
}

TEST(OptionGroups, HaveNoMemberThatNothingReads) {
  // The cache copies options, which is no use of them.
  const std::string client = all_sources(source_folder() / "client", {"command_cache.cpp"});
  EXPECT_THAT(missing_from(client), ::testing::IsEmpty());
}

TEST(OptionGroups, HaveNoMemberThatNoTestSets) {
  const std::string tests =
      all_sources(source_folder() / "tests/unit/client", {"options_test.cpp"});
  EXPECT_THAT(missing_from(tests), ::testing::IsEmpty());
}

// What an initialiser leaves out has its default, but g++ warns of it with -Wextra.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

TEST(OptionGroups, ReadWellAsInitialisers) {
  const Options options{.model = "opus",
                        .effort = Effort::low,
                        .permissions = {.mode = PermissionMode::plan},
                        .tools = {.allowed = {"Read"}},
                        .resume = {.id = "abc", .fork = true},
                        .limits = {.max_turns = 3}};
  const auto plan = plan_launch(options, {}).value();
  EXPECT_THAT(plan.arguments,
              ::testing::IsSupersetOf({"--model=opus", "--effort=low", "--permission-mode=plan",
                                       "--allowedTools=Read", "--resume=abc", "--fork-session",
                                       "--max-turns=3"}));
  EXPECT_EQ(options.deadlines.request, Deadlines().request);
}

}  // namespace
}  // namespace parley::testing
