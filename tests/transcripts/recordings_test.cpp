// Every line the real CLI ever wrote or was sent, through the typed messages and back.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/recording.hpp"
#include "wire/codec/codec.hpp"
#include "wire/messages/messages.hpp"

namespace parley {
namespace {

using test::RecordedLine;
using test::Recording;

/// Scenarios that send what no message is on purpose, and how many such lines each has. They must
/// give an error or stay Unknown; all others must not.
const std::map<std::string, int> kHostileScenarios = {
    {"in_bad_json", 1},
};

TEST(Recordings, EveryLineIsTypedAndComesBackEqual) {
  std::map<std::string, int> failures;
  std::map<std::string, int> unknown;
  std::size_t count = 0;
  std::string out;
  for (const Recording& recording : test::recordings()) {
    for (const RecordedLine& line : recording.lines()) {
      if (line.text.find_first_not_of(" \t\r") == std::string::npos) continue;
      ++count;
      const Result<Message> message = decode_message(line.text);
      if (!message) {
        ++failures[recording.scenario];
        if (!kHostileScenarios.contains(recording.scenario)) {
          ADD_FAILURE() << recording.name() << ": " << message.error().what() << "\n"
                        << line.text.substr(0, 400);
        }
        continue;
      }
      if (const auto* u = std::get_if<Unknown>(&*message)) {
        ++unknown[recording.scenario];
        if (!kHostileScenarios.contains(recording.scenario)) {
          ADD_FAILURE() << recording.name() << ": no type for " << u->type << "/" << u->subtype
                        << "\n"
                        << line.text.substr(0, 400);
        }
      }
      out.clear();
      encode_message(*message, out);
      if (out == line.text) continue;
      const Result<Json> before = Json::parse(line.text);
      const Result<Json> after = Json::parse(out);
      ASSERT_TRUE(after) << recording.name() << ": " << after.error().what() << "\n" << out;
      ASSERT_TRUE(*before == *after) << recording.name() << "\n" << line.text << "\n" << out;
    }
  }
  EXPECT_GT(count, 7000u);
}

}  // namespace
}  // namespace parley
