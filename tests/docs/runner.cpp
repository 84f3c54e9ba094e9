#include "tests/docs/runner.hpp"

#include <cstdlib>
#include <filesystem>

namespace parley::testing {

void expect_answer(int (*run)()) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  ::setenv("PARLEY_CLI", (here / "parley_fake_cli").c_str(), 1);
  ::setenv("PARLEY_FAKE_SCRIPT", "init\nturns Hello", 1);
  ::testing::internal::CaptureStdout();
  const int code = run();
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 0);
  EXPECT_NE(printed.find("Hello"), std::string::npos) << printed;
}

}  // namespace parley::testing
