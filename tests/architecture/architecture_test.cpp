// Holds the tree to its dependency table, and the table's check to its word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "local_names.hpp"
#include "rules.hpp"

namespace parley::architecture {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  static constexpr std::string_view kExtensions[] = {
      ".hpp", ".cpp", ".h", ".sh", ".cmake", ".mjs", ".js", ".ts", ".tsx", ".css", ".html"};
  const std::string extension = path.extension().string();
  return path.filename() == "CMakeLists.txt" ||
         std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
             std::end(kExtensions);
}

/// Reads all sources; what git and builds keep beside them is no source.
Tree read_tree(const fs::path& root) {
  Tree tree;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory()) {
      if (name == ".git" || name == "build" || name == "node_modules" || name == "dist") {
        entry.disable_recursion_pending();
      }
    } else if (entry->is_regular_file() && is_source(entry->path())) {
      std::ifstream file(entry->path(), std::ios::binary);
      tree[fs::relative(entry->path(), root).generic_string()] =
          std::string(std::istreambuf_iterator<char>(file), {});
    }
  }
  return tree;
}

std::string all(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Architecture, TreeKeepsTheRules) {
  const char* root = std::getenv("PARLEY_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "PARLEY_SOURCE_DIR names the source tree; ./test sets it";
  const Tree tree = read_tree(root);
  ASSERT_TRUE(tree.contains("wire/json/json.hpp")) << "no source tree in " << root;
  EXPECT_EQ(all(check(tree)), "");
  EXPECT_EQ(all(check_local_names(tree)), "");
}

/// What the check says of a tree with one file more than an innocent one.
std::string verdict(const std::string& path, const std::string& text) {
  Tree tree = {{"wire/json/json.hpp", "#include <string>\n"},
               {"wire/framing.hpp", "#include \"json/json.hpp\"\n"},
               {"wire/tables/content.hpp", "#include \"../json/json.hpp\"\n"},
               {"transport/child.hpp", "#include \"../wire/framing.hpp\"\n"},
               {"client/session.cpp", "#include <unistd.h>\n#include \"transport/child.hpp\"\n"},
               {"http/server.hpp", "#include \"wire/json/json.hpp\"\n"},
               {"tests/unit/helper.hpp", "#include \"wire/json/json.hpp\"\n"}};
  EXPECT_EQ(all(check(tree)), "");
  tree[path] = text;
  return all(check(tree));
}

TEST(ArchitectureRules, UpwardInclude) {
  EXPECT_EQ(verdict("wire/a.cpp", "\n#include \"transport/child.hpp\"\n"),
            "wire/a.cpp:2: wire must not use transport\n");
  EXPECT_EQ(verdict("wire/a.hpp", "#include \"../client/session.hpp\"\n"),
            "wire/a.hpp:1: there is no \"../client/session.hpp\" in the tree\n");
  EXPECT_EQ(verdict("wire/a.hpp", "#include \"../transport/child.hpp\"\n"),
            "wire/a.hpp:1: wire must not use transport\n");
  EXPECT_EQ(verdict("wire/a.cpp", "#include <parley/client/session.hpp>\n"),
            "wire/a.cpp:1: wire must not use client\n");
  EXPECT_EQ(verdict("wire/a.cpp", "#include \"tests/unit/helper.hpp\"\n"),
            "wire/a.cpp:1: wire must not use tests\n");
  EXPECT_EQ(verdict("server/sessions/hub.cpp", "#include \"agent/turn/turn.hpp\"\n"),
            "server/sessions/hub.cpp:1: server must not use agent\n");
  EXPECT_EQ(verdict("server/sessions/hub.cpp", "#include \"client/session.hpp\"\n"), "");
}

TEST(ArchitectureRules, IncludesAreReadLikeTheCompilerReadsThem) {
  EXPECT_EQ(verdict("wire/a.cpp", "  #  include\t<unistd.h> // why\n"),
            "wire/a.cpp:1: wire must not use the operating system: unistd.h\n");
  EXPECT_EQ(verdict("wire/a.cpp", "// #include <unistd.h>\nauto x = \"#include <unistd.h>\";\n"),
            "");
}

TEST(ArchitectureRules, WireKnowsOnlyTheStandardLibrary) {
  EXPECT_EQ(verdict("wire/a.cpp", "#include <string_view>\n#include <emmintrin.h>\n"), "");
  EXPECT_EQ(verdict("wire/a.cpp", "#include <sys/socket.h>\n"),
            "wire/a.cpp:1: wire must not use the operating system: sys/socket.h\n");
  EXPECT_EQ(verdict("wire/a.cpp", "#include <nlohmann/json.hpp>\n"),
            "wire/a.cpp:1: wire must not use nlohmann: nlohmann/json.hpp\n");
  EXPECT_EQ(verdict("wire/a.cpp", "#include <zlib.h>\n"),
            "wire/a.cpp:1: wire must not use an unknown library: zlib.h\n");
}

TEST(ArchitectureRules, SdkHeadersStandAlone) {
  EXPECT_EQ(
      verdict("transport/a.hpp", "#include \"wire/json/json.hpp\"\n"),
      "transport/a.hpp:1: include \"wire/json/json.hpp\" by its relative path: the root is no "
      "include folder once installed\n");
  EXPECT_EQ(verdict("transport/a.cpp", "#include \"wire/json/json.hpp\"\n"), "");
  EXPECT_EQ(verdict("client/a.hpp", "#include <boost/asio.hpp>\n"),
            "client/a.hpp:1: client must not use asio: boost/asio.hpp\n");
  EXPECT_EQ(verdict("client/a.hpp", "#include <fmt/core.h>\n"),
            "client/a.hpp:1: client must not use fmt: fmt/core.h\n");
}

TEST(ArchitectureRules, AdaptersAreForUsersOnly) {
  EXPECT_EQ(verdict("client/adapters/nlohmann.hpp", "#include <nlohmann/json.hpp>\n"), "");
  EXPECT_EQ(verdict("client/adapters/nlohmann.hpp", "#include <fmt/core.h>\n"),
            "client/adapters/nlohmann.hpp:1: client must not use fmt: fmt/core.h\n");
  EXPECT_EQ(
      verdict("client/a.cpp", "#include \"client/adapters/nlohmann.hpp\"\n"),
      "client/a.cpp:1: nothing of ours may include the adapter client/adapters/nlohmann.hpp\n");
}

TEST(ArchitectureRules, BeastIsInHttpOnly) {
  EXPECT_EQ(verdict("http/a.cpp", "#include <boost/beast/core.hpp>\n"), "");
  for (const char* path : {"server/a.cpp", "tests/unit/http/a_test.cpp", "examples/a.cpp"}) {
    EXPECT_EQ(verdict(path, "#include <boost/beast.hpp>\n"),
              std::string(path) + ":1: only http may include Beast\n");
  }
}

TEST(ArchitectureRules, HttpKnowsErrorsAndJson) {
  EXPECT_EQ(verdict("http/a.cpp", "#include \"wire/framing.hpp\"\n"),
            "http/a.cpp:1: http must not use wire/framing.hpp, only errors and Json\n");
}

TEST(ArchitectureRules, Re2IsInItsOwnLibrary) {
  EXPECT_EQ(verdict("support/regex/a.cpp", "#include <re2/re2.h>\n"), "");
  EXPECT_EQ(verdict("support/regex/a.hpp", "#include <re2/re2.h>\n"),
            "support/regex/a.hpp:1: re2 must not be included in a header\n");
  EXPECT_EQ(verdict("support/a.cpp", "#include <re2/re2.h>\n"),
            "support/a.cpp:1: support must not use re2: re2/re2.h\n");
  EXPECT_EQ(verdict("history/a.cpp", "#include <re2/re2.h>\n"),
            "history/a.cpp:1: history must not use re2: re2/re2.h\n");
  EXPECT_EQ(verdict("history/a.cpp", "#include \"support/regex/regex.hpp\"\n"), "");
  for (const std::string module : {"support", "wire", "transport", "client", "http", "server"}) {
    EXPECT_EQ(verdict(module + "/a.cpp", "#include \"support/regex/regex.hpp\"\n"),
              module + "/a.cpp:1: " + module + " must not use support/regex\n");
  }
}

TEST(ArchitectureRules, SupportIsBelowEverything) {
  EXPECT_EQ(verdict("support/a.cpp", "#include <unistd.h>\n"), "");
  EXPECT_EQ(verdict("support/a.cpp", "#include \"wire/json/json.hpp\"\n"),
            "support/a.cpp:1: support must not use wire\n");
  EXPECT_EQ(verdict("support/a.cpp", "#include <fmt/core.h>\n"),
            "support/a.cpp:1: support must not use fmt: fmt/core.h\n");
  EXPECT_EQ(verdict("wire/a.cpp", "#include \"support/text/utf8.hpp\"\n"), "");
  EXPECT_EQ(verdict("wire/a.cpp", "#include \"support/files/io.hpp\"\n"),
            "wire/a.cpp:1: wire must not use support/files/io.hpp, only support/text\n");
}

TEST(ArchitectureRules, RoomsUseWhatTheirTableSays) {
  EXPECT_EQ(verdict("history/search/a.cpp", "#include \"history/files/lines.hpp\"\n"), "");
  EXPECT_EQ(verdict("history/search/a.cpp", "#include \"history/search/b.hpp\"\n"), "");
  EXPECT_EQ(verdict("history/search/a.cpp", "#include \"history/usage/usage.hpp\"\n"),
            "history/search/a.cpp:1: history/search must not use history/usage\n");
  EXPECT_EQ(verdict("wire/json/a.cpp", "#include \"wire/codec/codec.hpp\"\n"),
            "wire/json/a.cpp:1: wire/json must not use wire/codec\n");
  // The name of a module stands for the files at its top.
  EXPECT_EQ(verdict("wire/json/a.cpp", "#include \"wire/error.hpp\"\n"), "");
  EXPECT_EQ(verdict("history/files/a.hpp", "#include \"history/top.hpp\"\n"),
            "history/files/a.hpp:1: history/files must not use history/top.hpp\n");
  // Of other modules a room uses whole ones, and not all that its module may use.
  EXPECT_EQ(verdict("client/handlers/a.cpp", "#include \"wire/mcp/mcp.hpp\"\n"), "");
  EXPECT_EQ(verdict("client/handlers/a.cpp", "#include \"transport/loop.hpp\"\n"),
            "client/handlers/a.cpp:1: client/handlers must not use transport\n");
  // What puts rooms together may use all of them.
  EXPECT_EQ(verdict("client/a.cpp", "#include \"client/session/b.hpp\"\n"), "");
}

TEST(ArchitectureRules, NewRoomsMustBeInTheTable) {
  EXPECT_EQ(verdict("history/cellar/a.cpp", "\n"),
            "history/cellar/a.cpp:1: the room history/cellar is not in the table of rooms "
            "(tests/architecture/rules.cpp)\n");
}

TEST(ArchitectureRules, NewFoldersMustBeInTheTable) {
  EXPECT_EQ(verdict("utils/a.cpp", "\n"),
            "utils/a.cpp:1: the folder is not in the dependency table "
            "(tests/architecture/rules.cpp)\n");
}

TEST(ArchitectureRules, LongFiles) {
  const std::string fits = std::string(kMostLines - 1, '\n') + "last";
  EXPECT_EQ(verdict("wire/a.cpp", fits), "");
  EXPECT_EQ(verdict("web/page.ts", fits + "\nand one"),
            "web/page.ts: 801 lines, the most is 800\n");
}

std::string local(const std::string& text) { return "namespace {\n" + text + "}  // namespace\n"; }

TEST(ArchitectureRules, LocalNamesOfAFolderDiffer) {
  const auto clash = [](const std::string& one, const std::string& other,
                        const std::string& path = "wire/b.cpp") {
    return all(check_local_names({{"wire/a.cpp", one}, {path, other}}));
  };
  const auto told = [](const std::string& name) {
    return "wire/b.cpp:2: \"" + name +
           "\" is also in wire/a.cpp; share it or name it differently, a release compiles both as "
           "one\n";
  };
  const std::string constant = local("constexpr int kMost = 1, kLeast = 0;\n");
  EXPECT_EQ(clash(constant, local("constexpr std::size_t kLeast = 7;\n")), told("kLeast"));
  EXPECT_EQ(clash(constant, local("constexpr int kOther = kMost;\n")), "");
  EXPECT_EQ(clash(constant, constant, "client/b.cpp"), "");
  EXPECT_EQ(clash(constant, "constexpr int kMost = 1;\n"), "");
  EXPECT_EQ(clash(local("struct Part {\n};\n"), local("class Part final : Whole {\n};\n")),
            told("Part"));
  EXPECT_EQ(clash(local("bool is(int a) {\n}\n"), local("bool is(int a) { return a; }\n")),
            told("bool is(int a)"));
  EXPECT_EQ(clash(local("bool is(int a) {\n}\n"), local("bool is(Word a) {\n}\n")), "");
}

}  // namespace
}  // namespace parley::architecture
