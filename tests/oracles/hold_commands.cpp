// hold_commands ROOT PRISTINE HARMLESS [--most N] [--shown N] <LINES: judges each line; what passes
// unasked must be judged the same as bash prints it, and must do no harm when it runs. Prints what
// failed, made as short as it can be, and ends with a summary. Runs inside the sandbox of caged.sh.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <unordered_set>

#include "bash_text.hpp"
#include "cage.hpp"
#include "wire/json/json.hpp"

namespace {

using namespace parley;
using namespace parley::test;

constexpr std::size_t kBatch = 400;

class Holder {
 public:
  Holder(const char* root, const char* pristine, const char* harmless, long most, long shown)
      : judge_(root), cage_(root, pristine, names(harmless)), most_(most), shown_(shown) {}

  void take(JudgedLine line) {
    ++lines_;
    if (!seen_.insert(line.dump()).second) return;
    ++distinct_;
    if (!passes(line)) return;
    ++passed_;
    if (run_ + static_cast<long>(batch_.size()) >= most_) return;
    batch_.push_back(std::move(line));
    if (batch_.size() == kBatch) flush();
  }

  void flush() {
    std::vector<std::string> texts;
    texts.reserve(batch_.size());
    for (const auto& line : batch_) texts.push_back(line.command);
    const auto printed = printed_by_bash(texts);
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (!printed[i]) {
        ++refused_;
      } else if (differs(batch_[i], *printed[i])) {
        report("is asked about as bash prints it", batch_[i], *printed[i]);
      }
    }
    for (const auto& line : batch_) {
      ++run_;
      const auto offences = harm(line);
      if (!offences.empty()) report(worst(offences), line, "");
    }
    batch_.clear();
  }

  bool summary() {
    flush();
    for (const auto& [kind, count] : kinds_) std::cout << "# " << count << " " << kind << "\n";
    std::cout << "# " << lines_ << " lines, " << distinct_ << " different commands, " << passed_
              << " pass unasked, " << run_ << " of them ran, " << cage_.unfinished()
              << " of those were stopped, " << refused_ << " are no list of commands to bash, "
              << found_ << " found\n";
    return found_ == 0;
  }
  [[nodiscard]] long passed() const { return passed_; }

 private:
  static std::set<std::string> names(const char* file) {
    std::set<std::string> out;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line[0] != '#') out.insert(line);
    }
    return out;
  }

  bool passes(const JudgedLine& line) {
    return judge_.judge(line).kind == agent::Verdict::Kind::allow;
  }
  bool differs(const JudgedLine& line, const std::string& printed) {
    auto other = line;
    other.command = printed;
    return !passes(other);
  }
  std::vector<std::string> harm(const JudgedLine& line) {
    return cage_.run(line, judge_.folder(line));
  }

  /// The one that says most about how it came to be: one command often does several things.
  static std::string worst(const std::vector<std::string>& offences) {
    for (const auto* start : {"starts", "connects", "writes", "shows", "reads"}) {
      for (const auto& each : offences) {
        if (each.starts_with(start)) return each;
      }
    }
    return offences.front();
  }

  /// Leaves out pieces, ever smaller ones, as long as the same offence remains.
  JudgedLine shortened(JudgedLine line, const std::string& offence) {
    const auto still = [&](const JudgedLine& each) {
      if (!passes(each)) return false;
      for (const auto& other : harm(each)) {
        if (other == offence) return true;
      }
      return false;
    };
    for (std::size_t size = line.command.size() / 2; size > 0; size /= 2) {
      for (std::size_t at = 0; at + size <= line.command.size();) {
        auto shorter = line;
        shorter.command.erase(at, size);
        if (still(shorter)) {
          line = std::move(shorter);
        } else {
          at += size;
        }
      }
    }
    return line;
  }

  void report(const std::string& offence, const JudgedLine& line, const std::string& printed) {
    ++found_;
    if (++kinds_[offence] > shown_) return;
    std::cout << "# " << offence << "\n#   " << line.dump() << "\n";
    if (printed.empty()) {
      std::cout << "#   " << shortened(line, offence).dump() << "\n";
    } else {
      std::cout << "#   " << Json(printed).dump() << "\n";
    }
    std::cout.flush();
  }

  LineJudge judge_;
  Cage cage_;
  long most_, shown_;
  std::vector<JudgedLine> batch_;
  std::unordered_set<std::string> seen_;
  std::map<std::string, long> kinds_;
  long lines_ = 0, distinct_ = 0, passed_ = 0, run_ = 0, refused_ = 0, found_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: hold_commands ROOT PRISTINE HARMLESS [--most N] [--shown N] <LINES\n";
    return 2;
  }
  long most = 1L << 40, shown = 3;
  for (int i = 4; i + 1 < argc; i += 2) {
    (std::strcmp(argv[i], "--most") == 0 ? most : shown) = std::atol(argv[i + 1]);
  }
  Holder holder(argv[1], argv[2], argv[3], most, shown);
  for (std::string text; std::getline(std::cin, text);) {
    auto line = JudgedLine::parse(text);
    if (!line.ok()) {
      std::cerr << "not read: " << text << "\n";
      return 2;
    }
    holder.take(std::move(*line));
  }
  const bool good = holder.summary();
  // An oracle that is shown nothing holds nothing.
  if (holder.passed() == 0) return 2;
  return good ? 0 : 1;
}
