// Every recording of the real CLI, played as a CLI against the SDK: the SDK must come to the same
// end, with the same results.
#include "transport/replay.hpp"

#include <fstream>

#include "support.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;

struct Run {
  fs::path file;
  std::size_t number = 0;
};

std::vector<Run> all_runs() {
  std::vector<Run> runs;
  const fs::path root = PARLEY_RECORDINGS;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".jsonl") continue;
    for (std::size_t number = 0; Recording::load(entry.path(), number); ++number) {
      runs.push_back({entry.path(), number});
    }
  }
  return runs;
}

std::string name_of(const Run& run) {
  std::string name = run.file.parent_path().filename().string() + "_" + run.file.stem().string() +
                     "_" + std::to_string(run.number);
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

void PrintTo(const Run& run, std::ostream* out) { *out << name_of(run); }

/// What a recording says about how it went.
struct Expected {
  std::size_t results = 0;
  std::optional<ExitStatus> exit;
};

Expected expected_of(const Recording& recording) {
  Expected expected;
  for (const RecordedEvent& event : recording.events) {
    if (event.kind == RecordedEvent::Kind::exit) expected.exit = event.status;
    if (event.kind != RecordedEvent::Kind::output) continue;
    const auto message = decode_message(event.line);
    if (message && std::holds_alternative<ResultMessage>(*message)) ++expected.results;
  }
  return expected;
}

class Replay : public ::testing::TestWithParam<Run> {};

TEST_P(Replay, ComesToTheSameEnd) {
  const Recording recording = Recording::load(GetParam().file, GetParam().number).value();
  const Expected expected = expected_of(recording);

  Options options;
  options.on_permission = [](const PermissionAsk&) { return allow(); };
  Session session(options,
                  [&] { return make_replay_transport(Loop::shared().value(), recording); });
  ASSERT_TRUE(session.start());
  // Everything the recorded client said is said at once; the player takes it up when its time
  // comes.
  for (const RecordedEvent& event : recording.events) {
    if (event.kind != RecordedEvent::Kind::input) continue;
    const auto line = Json::parse(event.line);
    if (!line || (*line)["request"]["subtype"].as_string() == "initialize" ||
        (*line)["type"].as_string() == "control_response") {
      continue;  // the session does these itself
    }
    (void)session.send_raw(RawJson(event.line));
  }
  session.end_input();

  std::size_t results = 0;
  for (;;) {
    auto message = session.receive(kPatience);
    if (!message) {
      if (message.error().code() == ErrorCode::end) break;
      // Two of the recorded clients went on after an `initialize` that was refused; ours stops.
      if (session.failure()->phase == Phase::initialize &&
          message.error().code() == ErrorCode::remote) {
        return;
      }
      EXPECT_EQ(message.error().code(), ErrorCode::process) << message.error().what();
      break;
    }
    if (message->is<ResultMessage>()) ++results;
  }
  EXPECT_EQ(results, expected.results);
  if (expected.exit && session.failure()) {
    EXPECT_EQ(session.failure()->exit, *expected.exit);
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, Replay, ::testing::ValuesIn(all_runs()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace parley::testing
