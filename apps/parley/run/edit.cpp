#include "apps/parley/run/edit.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/parley/record/stdio.hpp"
#include "transport/unique_fd.hpp"
#include "wire/json/json.hpp"

namespace parley::app {
namespace {

/// A file that only this user can read, gone with the object.
class DraftFile {
 public:
  DraftFile() {
    constexpr std::string_view kSuffix = ".json";  // tells the editor what it is
    std::error_code ignored;
    name_ = (std::filesystem::temp_directory_path(ignored) / "parley-XXXXXX").string();
    name_ += kSuffix;
    fd_.reset(::mkstemps(name_.data(), static_cast<int>(kSuffix.size())));
  }
  ~DraftFile() {
    if (fd_) ::unlink(name_.c_str());
  }
  DraftFile(const DraftFile&) = delete;
  DraftFile& operator=(const DraftFile&) = delete;

  [[nodiscard]] bool write(std::string_view text) { return fd_ && write_all(fd_.get(), text); }
  [[nodiscard]] std::string read() const {
    std::ifstream file(name_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// Holds nothing that a shell would take for its own.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  UniqueFd fd_;
};

}  // namespace

Result<RawJson> edited(Keyboard& keyboard, const RawJson& input) {
  const auto before = input.json();
  DraftFile draft;
  if (!draft.write((before ? before->dump(2) : input.text) + "\n")) {
    return Error(ErrorCode::kIo, "cannot write a temporary file");
  }
  if (keyboard.run("${VISUAL:-${EDITOR:-vi}} '" + draft.name() + "'") != 0) {
    return Error(ErrorCode::kProcess, "the editor failed");
  }
  auto after = Json::parse(draft.read());
  if (!after) return Error(ErrorCode::kMalformed, "that is no JSON: " + after.error().message());
  if (!after->is_object()) return Error(ErrorCode::kMalformed, "that is no JSON object");
  return RawJson(after->dump());
}

}  // namespace parley::app
