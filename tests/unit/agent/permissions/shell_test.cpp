// What the analyser finds in a text: its commands in order, and the first thing that keeps them
// from saying all.
#include "agent/permissions/shell/shell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parley::agent::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> commands(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& command : analyse(text, "/home/me").commands) {
    std::string line;
    for (const auto& assignment : command.assignments) line += assignment.name + "= ";
    for (const auto& word : command.words) line += "<" + word.text + ">";
    for (const auto& redirect : command.redirects) {
      const char* sign = redirect.kind == Redirect::Kind::read    ? " <"
                         : redirect.kind == Redirect::Kind::write ? " >"
                         : redirect.kind == Redirect::Kind::text  ? " <<"
                                                                  : " &";
      line += sign + redirect.target.text;
    }
    out.push_back(line);
  }
  return out;
}

Obstacle obstacle(std::string_view text) { return analyse(text, "/home/me").obstacle; }

TEST(Shell, TakesQuotesAndEscapesAway) {
  EXPECT_THAT(commands(R"(a 'b c' "d e" f\ g)"), ElementsAre("<a><b c><d e><f g>"));
  EXPECT_THAT(commands(R"(a"b"'c'\d)"), ElementsAre("<abcd>"));
  EXPECT_THAT(commands(R"(a "\$x \" \\ \n")"), ElementsAre("<a><$x \" \\ \\n>"));
  EXPECT_THAT(commands("a '' \"\""), ElementsAre("<a><><>"));
  EXPECT_THAT(commands("a\\\nb c"), ElementsAre("<ab><c>"));
  EXPECT_EQ(obstacle(R"(a '$x `b`' \$y)"), Obstacle::none);
}

TEST(Shell, SplitsListsAndPipes) {
  EXPECT_THAT(commands("a; b && c || d | e\nf"),
              ElementsAre("<a>", "<b>", "<c>", "<d>", "<e>", "<f>"));
  EXPECT_THAT(commands("a |& b"), ElementsAre("<a>", "<b>"));
  EXPECT_THAT(commands("a &&\n\n b"), ElementsAre("<a>", "<b>"));
  EXPECT_THAT(commands("a # b; c\nd"), ElementsAre("<a>", "<d>"));
  EXPECT_THAT(commands("a b#c"), ElementsAre("<a><b#c>"));
  EXPECT_THAT(commands("! a"), ElementsAre("<a>"));
  EXPECT_THAT(commands("a & b"), ElementsAre("<a>", "<b>"));
  EXPECT_EQ(obstacle("a & b"), Obstacle::background);
  EXPECT_THAT(commands(""), IsEmpty());
}

TEST(Shell, FindsRedirects) {
  EXPECT_THAT(commands("a > x 2>&1 < y"), ElementsAre("<a> >x &1 <y"));
  EXPECT_THAT(commands("> x a"), ElementsAre("<a> >x"));
  EXPECT_THAT(commands("a>>x b"), ElementsAre("<a><b> >x"));
  EXPECT_THAT(commands("a &> x >| y <> z"), ElementsAre("<a> >x >y >z"));
  EXPECT_THAT(commands("a >& x"), ElementsAre("<a> >x"));
  EXPECT_THAT(commands("a 2>&- "), ElementsAre("<a> &-"));
  EXPECT_THAT(commands("a 2 > x"), ElementsAre("<a><2> >x"));
  EXPECT_THAT(commands("a <<< 'b c'"), ElementsAre("<a> <<b c"));
}

TEST(Shell, ReadsHereDocuments) {
  EXPECT_THAT(commands("cat <<'E' | b\nx; y $(z)\nE\nc"), ElementsAre("<cat> <<", "<b>", "<c>"));
  EXPECT_EQ(obstacle("cat <<'E'\n$(z)\nE"), Obstacle::none);
  EXPECT_EQ(obstacle("cat <<E\nx\nE"), Obstacle::here_document);
  EXPECT_THAT(commands("cat <<E\n$(z)\nE\nb"), ElementsAre("<cat> <<", "<z>", "<b>"));
  EXPECT_THAT(commands("cat <<-\\E\n\tx\n\tE\nb"), ElementsAre("<cat> <<", "<b>"));
  EXPECT_THAT(commands("cat <<'A' <<'B'\nx\nA\ny\nB\nc"), ElementsAre("<cat> << <<", "<c>"));
  EXPECT_THAT(analyse("cat <<'E'\nx\ny\nE").texts, ElementsAre("x\ny\n"));
  EXPECT_EQ(obstacle("cat <<E\nx"), Obstacle::not_read);
  EXPECT_EQ(obstacle("cat <<E"), Obstacle::not_read);
}

TEST(Shell, LooksIntoSubstitutions) {
  EXPECT_THAT(commands("a $(b; c)"), ElementsAre("<b>", "<c>", "<a><$(...)>"));
  EXPECT_THAT(commands("a \"x$(b \"$(c)\")\""), ElementsAre("<c>", "<b><$(...)>", "<a><x$(...)>"));
  EXPECT_THAT(commands("a `b \\`c\\``"), ElementsAre("<c>", "<b><$(...)>", "<a><$(...)>"));
  EXPECT_THAT(commands("a <(b) >(c)"), ElementsAre("<b>", "<c>", "<a><$(...)><$(...)>"));
  EXPECT_THAT(commands("x=$(a)"), ElementsAre("<a>", "x= "));
  EXPECT_EQ(obstacle("a $(b)"), Obstacle::substitution);
  EXPECT_EQ(obstacle("a <(b)"), Obstacle::process);
  EXPECT_EQ(obstacle("for i in $(b); do c; done"), Obstacle::loop_substitution);
}

TEST(Shell, ReadsCompoundCommands) {
  EXPECT_THAT(commands("if a; then b; elif c; then d; else e; fi > x"),
              ElementsAre("<a>", "<b>", "<c>", "<d>", "<e>", " >x"));
  EXPECT_THAT(commands("while a; do b; done"), ElementsAre("<a>", "<b>"));
  EXPECT_THAT(commands("for i in 1 2\ndo b\ndone; c"), ElementsAre("<b>", "<c>"));
  EXPECT_THAT(commands("case x in a|b) c;; (*) d;; esac"), ElementsAre("<c>", "<d>"));
  EXPECT_THAT(commands("(a; (b)) && { c; }"), ElementsAre("<a>", "<b>", "<c>"));
  EXPECT_THAT(commands("f() { a; }; b"), ElementsAre("<a>", "<b>"));
  EXPECT_EQ(obstacle("if a; then b; fi"), Obstacle::none);
  EXPECT_EQ(obstacle("f() { a; }"), Obstacle::function);
  EXPECT_EQ(obstacle("(a)"), Obstacle::subshell);
  EXPECT_EQ(obstacle("{ a; }"), Obstacle::group);
  EXPECT_TRUE(analyse("while a; do b; done").loops);
  EXPECT_TRUE(analyse("while a; do b; done").commands[1].in_loop);
}

TEST(Shell, KnowsReservedWordsOnlyWhereTheyCount) {
  EXPECT_THAT(commands("echo if then fi"), ElementsAre("<echo><if><then><fi>"));
  EXPECT_THAT(commands("'if' a"), ElementsAre("<if><a>"));
  EXPECT_THAT(commands("a } b"), ElementsAre("<a><}><b>"));
}

TEST(Shell, TellsWhatIsKnownOnlyLater) {
  EXPECT_EQ(obstacle("a $x"), Obstacle::variable);
  EXPECT_EQ(obstacle("a \"$1\""), Obstacle::variable);
  EXPECT_EQ(obstacle("a ${x:-y}"), Obstacle::variable);
  EXPECT_EQ(obstacle("a $$ $? $@ ${}"), Obstacle::variable);
  EXPECT_EQ(obstacle("x=1; a $x"), Obstacle::assigned_variable);
  EXPECT_EQ(obstacle("a {b,c}"), Obstacle::braces);
  EXPECT_EQ(obstacle("a $'b'"), Obstacle::escapes);
  EXPECT_EQ(obstacle("a {}"), Obstacle::none);
  EXPECT_EQ(obstacle("a $"), Obstacle::none);
  EXPECT_TRUE(analyse("a *").commands[0].words[1].pattern);
  EXPECT_TRUE(analyse("a b?c").commands[0].words[1].pattern);
  EXPECT_FALSE(analyse("a '*'").commands[0].words[1].pattern);
  EXPECT_TRUE(analyse("a ~/b").commands[0].words[1].tilde);
  EXPECT_FALSE(analyse("a '~/b'").commands[0].words[1].tilde);
}

TEST(Shell, KnowsHomeUnlessTheTextChangesIt) {
  EXPECT_THAT(commands("a $HOME/b \"${HOME}\""), ElementsAre("<a></home/me/b></home/me>"));
  EXPECT_EQ(obstacle("a $HOME"), Obstacle::none);
  EXPECT_NE(obstacle("HOME=/etc; a $HOME"), Obstacle::none);
  EXPECT_NE(obstacle("read HOME; a $HOME"), Obstacle::none);
  EXPECT_EQ(analyse("a $HOME").obstacle, Obstacle::variable);
  EXPECT_EQ(analyse("a $HOME", "/with blank").obstacle, Obstacle::variable);
}

TEST(Shell, DoesNotReadWhatItCannotBeSureOf) {
  for (const auto* text : {"a \"b",         "a 'b",
                           "a `b",          "a $(b",
                           "a ${b",         "a (b)",
                           "a )",           "}",
                           "then",          "fi",
                           "a ;; b",        "a && ",
                           "a |",           "a <",
                           "a > ",          "; a",
                           "if a; then b",  "while a; do b",
                           "for i in a; b", "((1))",
                           "a $((1))",      "a=(1)",
                           "a[1]=2",        "function f { a; }",
                           "coproc a",      "select x in a; do b; done",
                           "a \\",          "[[ a",
                           "[[ a =~ b ]]",  "[[ a -eq b ]]",
                           "a {x}> b",      "a ${b$(c)}",
                           "a\rb",          "a\x01"}) {
    EXPECT_EQ(obstacle(text), Obstacle::not_read) << text;
    EXPECT_FALSE(analyse(text).not_read.empty()) << text;
  }
}

TEST(Shell, HoldsItsBounds) {
  const auto nested = [](const char* open, const char* close, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += open;
    text += "a";
    for (int i = 0; i < times; ++i) text += close;
    return text;
  };
  EXPECT_EQ(obstacle(nested("$(", ")", 20000)), Obstacle::not_read);
  EXPECT_EQ(obstacle(nested("(", ")", 20000)), Obstacle::not_read);
  EXPECT_EQ(obstacle(nested("{ ", "; }", 10000)), Obstacle::not_read);
  EXPECT_EQ(obstacle(nested("\"$(", ")\"", 10000)), Obstacle::not_read);
  EXPECT_EQ(obstacle(nested("if ", "; then b; fi", 3000)), Obstacle::not_read);
  EXPECT_EQ(obstacle(std::string(1 << 20, 'a')), Obstacle::not_read);
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "a;";
  EXPECT_EQ(obstacle(many), Obstacle::not_read);
  EXPECT_EQ(analyse(std::string_view("a\0b", 3)).obstacle, Obstacle::not_read);
  EXPECT_EQ(obstacle("for i in a((b"), Obstacle::not_read);
  // Each word costs a look at the disk, each pattern a look at all that is in a folder.
  const auto repeated = [](const char* text, int times) {
    std::string out = "a";
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  EXPECT_EQ(obstacle(repeated(" b", 1000)), Obstacle::none);
  EXPECT_EQ(obstacle(repeated(" b", 10000)), Obstacle::not_read);
  EXPECT_EQ(obstacle(repeated(" <b", 10000)), Obstacle::not_read);
  EXPECT_EQ(obstacle(repeated(" *", 30)), Obstacle::none);
  EXPECT_EQ(obstacle(repeated(" *", 100)), Obstacle::not_read);
  EXPECT_EQ(obstacle(repeated(";a *", 100)), Obstacle::not_read);
  EXPECT_EQ(obstacle(repeated(" <*", 100)), Obstacle::not_read);
}

}  // namespace
}  // namespace parley::agent::shell
