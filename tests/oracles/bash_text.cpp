#include "bash_text.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace parley::test {
namespace {

// Texts come in on 9 and go out on 8, each behind a byte 0, where no text can reach them.
constexpr const char* kScript = R"(
while IFS= read -r -d '' -u 9 text; do
  unset -f f
  eval "f() {
$text
}" 8>&- 9<&- 2>/dev/null
  declare -f f >&8
  printf '\0' >&8
done)";
constexpr std::string_view kHead = "f () \n{ \n", kTail = "\n}\n";

/// Prints as many as it can; fewer than given if one of them ended the shell.
std::vector<std::string> print(const std::vector<std::string>& texts, std::size_t from) {
  const int in = ::memfd_create("texts", MFD_CLOEXEC), out = ::memfd_create("printed", MFD_CLOEXEC);
  std::string all;
  for (std::size_t i = from; i < texts.size(); ++i) all += texts[i] + '\0';
  if (::write(in, all.data(), all.size()) != static_cast<ssize_t>(all.size())) return {};
  ::lseek(in, 0, SEEK_SET);
  const pid_t child = ::fork();
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
    ::dup2(out, 8);
    ::dup2(in, 9);
    ::alarm(60);
    ::execl("/oracle/shell", "bash", "-c", kScript, nullptr);
    ::_exit(127);
  }
  ::waitpid(child, nullptr, 0);
  std::string printed(static_cast<std::size_t>(::lseek(out, 0, SEEK_END)), '\0');
  const bool read = ::pread(out, printed.data(), printed.size(), 0) >= 0;
  ::close(in);
  ::close(out);
  std::vector<std::string> found;
  for (std::size_t at = 0, end = 0; read && (end = printed.find('\0', at)) != printed.npos;
       at = end + 1) {
    found.push_back(printed.substr(at, end - at));
  }
  return found;
}

}  // namespace

std::vector<std::optional<std::string>> printed_by_bash(const std::vector<std::string>& texts) {
  std::vector<std::optional<std::string>> out;
  while (out.size() < texts.size()) {
    for (auto& each : print(texts, out.size())) {
      const bool whole = each.starts_with(kHead) && each.ends_with(kTail);
      if (whole) each = each.substr(kHead.size(), each.size() - kHead.size() - kTail.size());
      out.push_back(whole ? std::optional(std::move(each)) : std::nullopt);
    }
    if (out.size() < texts.size()) out.emplace_back();
  }
  return out;
}

}  // namespace parley::test
