#include "agent/turn/tools/heartbeat.hpp"

#include <gtest/gtest.h>

#include <future>

namespace parley::agent {
namespace {

using std::chrono::milliseconds;

TEST(Heartbeat, SaysHowLongTheToolHasWorked) {
  std::promise<void> twice;
  std::vector<ToolProgress> shown;
  {
    const Heartbeat heartbeat(
        "toolu_1", "Bash",
        [&](ToolProgress message) {
          if (shown.size() == 2) return;
          shown.push_back(std::move(message));
          if (shown.size() == 2) twice.set_value();
        },
        milliseconds(5));
    twice.get_future().wait();
  }
  EXPECT_EQ(shown[0].tool_use_id, "toolu_1-heartbeat-0");
  EXPECT_EQ(shown[1].tool_use_id, "toolu_1-heartbeat-1");
  EXPECT_EQ(shown[0].parent_tool_use_id.value_or(""), "toolu_1");
  EXPECT_EQ(shown[0].tool_name, "Bash");
  EXPECT_EQ(shown[1].elapsed_time_seconds, 0.01);
  EXPECT_EQ(shown[0].heartbeat, true);
}

TEST(Heartbeat, OfAQuickToolIsSilentAndEndsAtOnce) {
  bool shown = false;
  const auto start = std::chrono::steady_clock::now();
  {
    const Heartbeat heartbeat("toolu_1", "Bash", [&](ToolProgress) { shown = true; });
  }
  EXPECT_FALSE(shown);
  EXPECT_LT(std::chrono::steady_clock::now() - start, Heartbeat::kInterval);
}

}  // namespace
}  // namespace parley::agent
