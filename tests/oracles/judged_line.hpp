// One generated command with what its verdict depends on, as a line of JSON, and the verdict.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/permissions/permissions.hpp"

namespace parley::test {

/// {"command":…, "cwd":…, "mode":…, "allow":[…], "deny":[…]}; all but the command may be left out.
struct JudgedLine {
  std::string command;
  std::string cwd = ".";  ///< From the working folder.
  std::string mode = "default";
  std::vector<std::string> allow, deny;

  static Result<JudgedLine> parse(std::string_view line);
  [[nodiscard]] std::string dump() const;
};

/// Judges lines in `root`, whose folder `work` is the working folder and `home` the user's.
class LineJudge {
 public:
  explicit LineJudge(std::filesystem::path root) : root_(std::move(root)) {}
  [[nodiscard]] agent::Verdict judge(const JudgedLine& line);
  [[nodiscard]] std::filesystem::path folder(const JudgedLine& line) const {
    return (root_ / "work" / line.cwd).lexically_normal();
  }

 private:
  std::filesystem::path root_;
  std::map<std::string, std::unique_ptr<agent::Permissions>> known_;
};

}  // namespace parley::test
