// Every recording of the real CLI, played as a CLI against the SDK: the same messages arrive, with
// the same results and the same exit.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "../support/recording.hpp"
#include "recorded_client.hpp"

namespace parley::test {
namespace {

constexpr const char* kRefused =
    "the CLI refused what the client said in `initialize`, and a session cannot begin without it";
constexpr const char* kMalformed = "the client wrote what is no message; the SDK cannot";
constexpr const char* kPrintMode = "the prompt or the answer was no stream-json: no session";

/// What no client of this SDK can repeat, with the reason.
struct Exception {
  std::string_view scenario;
  const char* reason;
  std::size_t from_run = 0;
};
constexpr Exception kExceptions[] = {
    {"api_401_p_json", kPrintMode},
    {"api_401_p_text", kPrintMode},
    {"ctl_initialize_after_turn", kRefused},
    {"ctl_no_subtype", kMalformed},
    {"flag_partial_without_print_stream", kPrintMode},
    {"flag_version", kPrintMode},
    {"hook_snake_case", kRefused},
    {"in_bad_json", kMalformed},
    {"in_blank_lines", kMalformed},
    {"input_stream_output_json", kPrintMode},
    {"print_json", kPrintMode},
    {"print_json_verbose", kPrintMode},
    {"print_max_turns_json", kPrintMode},
    {"print_max_turns_text", kPrintMode},
    {"print_text", kPrintMode},
    {"print_text_arg_stdin", kPrintMode},
    {"print_text_stdin", kPrintMode},
    {"print_text_tool", kPrintMode},
    {"resume_print", kPrintMode, 1},
    {"sigint_p", kPrintMode},
    {"text_no_verbose", kPrintMode},
};

std::vector<std::vector<Json>> runs_of(const Recording& recording) {
  std::vector<std::vector<Json>> runs;
  for (const Json& event : recording.events) {
    if (event["dir"].as_string() == "start") runs.emplace_back();
    if (!runs.empty()) runs.back().push_back(event);
  }
  return runs;
}

bool excepted(const std::string& scenario, std::size_t run) {
  return std::any_of(std::begin(kExceptions), std::end(kExceptions), [&](const Exception& e) {
    return e.scenario == scenario && run >= e.from_run;
  });
}

void replay_all(std::string_view version) {
  int driven = 0;
  for (const Recording& recording : recordings()) {
    if (recording.version != version) continue;
    const auto runs = runs_of(recording);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (excepted(recording.scenario, i)) continue;
      SCOPED_TRACE(recording.name() + ", run " + std::to_string(i));
      const RunEnd expected = recorded_end(runs[i]);
      const RunEnd actual = replayed_end(runs[i]);
      EXPECT_EQ(actual.stuck, "");
      EXPECT_EQ(actual.messages, expected.messages);
      EXPECT_EQ(actual.results, expected.results);
      EXPECT_EQ(to_string(actual.exit), to_string(expected.exit));
      ++driven;
    }
  }
  std::cout << driven << " runs of " << version << " reached their end\n";
  EXPECT_GT(driven, 300);
}

TEST(ReplayRecordings, Of2_1_325ReachTheSameEnd) { replay_all("2.1.325"); }
TEST(ReplayRecordings, Of2_1_38ReachTheSameEnd) { replay_all("2.1.38"); }

/// An exception for a recording that is gone would hide the next one of that name.
TEST(ReplayRecordings, EveryExceptionIsThere) {
  for (const Exception& exception : kExceptions) {
    EXPECT_TRUE(std::any_of(recordings().begin(), recordings().end(),
                            [&](const Recording& r) { return r.scenario == exception.scenario; }))
        << exception.scenario << ": " << exception.reason;
  }
}

}  // namespace
}  // namespace parley::test
