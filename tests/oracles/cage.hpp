// Runs commands for real and tells what they did that they must not. It lives in a sandbox that
// caged.sh builds: the folders of `root` are of its own, /usr/bin is a private copy whose programs
// can be watched, and what a secret holds says so ("CANARY").
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "judged_line.hpp"

namespace parley::test {

class Cage {
 public:
  /// `pristine` is copied to `root` at first and whenever a command changed something.
  Cage(std::filesystem::path root, std::filesystem::path pristine, std::set<std::string> harmless);
  ~Cage();
  Cage(const Cage&) = delete;
  Cage& operator=(const Cage&) = delete;

  /// Runs the command and says what it did against the rules of its mode ("starts touch", "writes
  /// work/x"); nothing if it behaved. Each kind of offence is named once.
  [[nodiscard]] std::vector<std::string> run(const JudgedLine& line,
                                             const std::filesystem::path& folder);
  [[nodiscard]] int unfinished() const { return unfinished_; }

 private:
  enum class Zone { work, outside, programs, system };
  struct Watched {
    Zone zone;
    std::filesystem::path path;
  };
  struct Node {
    std::string kind_and_content;
    bool operator==(const Node&) const = default;
  };
  using Tree = std::map<std::string, Node>;

  void restore();
  void watch(const std::filesystem::path& folder, Zone zone);
  void watch_tree(const std::filesystem::path& folder, Zone zone);
  [[nodiscard]] Tree look() const;
  std::string execute(const JudgedLine& line, const std::filesystem::path& folder);
  void read_events(const JudgedLine& line, std::set<std::string>& offences, bool& changed);
  void compare(const JudgedLine& line, std::set<std::string>& offences) const;
  [[nodiscard]] std::string shown(const std::filesystem::path& path) const;

  std::filesystem::path root_, pristine_;
  std::set<std::string> harmless_;
  std::map<int, Watched> watched_;
  Tree before_;
  int notify_ = -1, listener_ = -1, output_ = -1, unfinished_ = 0;
};

}  // namespace parley::test
