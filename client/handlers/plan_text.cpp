#include "client/handlers/plan_text.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "support/files/io.hpp"
#include "support/files/unique_fd.hpp"
#include "wire/codec/codec.hpp"
#include "wire/error.hpp"
#include "wire/tools/inputs.hpp"

namespace parley::detail {
namespace {

Result<std::string> read_plan(const std::string& path) {
  const auto failed = [&path](const std::string& why) {
    return Error(ErrorCode::io, "the plan is in " + path + ", which " + why);
  };
  const auto unreadable = [&failed](int number) {
    return failed("cannot be read: " + std::generic_category().message(number));
  };
  // The agent's folder need not be ours.
  if (!path.starts_with('/')) return failed("is not an absolute path");
  if (path.find('\0') != std::string::npos) return failed("is no name of a file");
  // Not blocking, for the name may be that of a pipe nobody writes to.
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) return unreadable(errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return unreadable(errno);
  if (!S_ISREG(status.st_mode)) return failed("is not a file");
  std::string text;
  if (!read_all(file.get(), text, kLongestPlan + 1)) return unreadable(errno);
  if (text.size() > kLongestPlan) {
    return failed("is longer than " + std::to_string(kLongestPlan) + " bytes");
  }
  if (text.empty()) return failed("is empty");
  return text;
}

/// What an input says; nothing if it is none.
tools::ExitPlanModeInput input_of(const RawJson& raw) {
  auto input = raw.as<tools::ExitPlanModeInput>();
  return input ? *std::move(input) : tools::ExitPlanModeInput{};
}

}  // namespace

PlanText find_plan(const RawJson& asked, const RawJson& called) {
  const tools::ExitPlanModeInput request = input_of(asked);
  const tools::ExitPlanModeInput call = input_of(called);
  PlanText found;
  found.file = request.planFilePath.value_or(call.planFilePath.value_or(""));
  found.plan = request.plan.value_or("");
  if (!found.plan.empty()) return found;
  found.error = "the agent neither sent a plan nor named its file";
  if (!found.file.empty()) {
    if (auto text = read_plan(found.file)) {
      found.plan = *std::move(text);
    } else {
      found.error = text.error().message();
    }
  }
  if (found.plan.empty()) found.plan = call.plan.value_or("");
  if (!found.plan.empty()) found.error.clear();
  return found;
}

}  // namespace parley::detail
