#include "apps/parley/record/record_log.hpp"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "support/files/io.hpp"
#include "support/text/utf8.hpp"

namespace parley::app {
namespace {

constexpr const char* kNames[] = {"in", "out", "err"};

std::size_t index_of(RecordLog::Direction direction) { return static_cast<std::size_t>(direction); }

/// The runs that a file holds already.
std::int64_t count_runs(const std::string& path) {
  // A pipe or a device holds none, and reading one could take for ever.
  if (std::error_code ignored; !std::filesystem::is_regular_file(path, ignored)) return 0;
  std::ifstream file(path, std::ios::binary);
  std::int64_t runs = 0;
  for (std::string line; std::getline(file, line);) {
    const auto event = Json::parse(line);
    if (event && (*event)["dir"].as_string() == "start") ++runs;
  }
  return runs;
}

}  // namespace

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name == nullptr ? "SIG" + std::to_string(number) : "SIG" + std::string(name);
}

Result<RecordLog> RecordLog::open(const std::string& path) {
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file) return Error(ErrorCode::io, ::strerror(errno), path);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error(ErrorCode::io, "another recording is being written to it", path);
  }
  return RecordLog(std::move(file), count_runs(path));
}

RecordLog::RecordLog(UniqueFd file, std::int64_t run) : file_(std::move(file)), run_(run) {}

RecordLog::RecordLog(RecordLog&& other) noexcept
    : file_(std::move(other.file_)), run_(other.run_), begun_(other.begun_) {}

void RecordLog::start(const std::vector<std::string>& command) {
  Json argv = Json::array();
  for (const std::string& argument : command) argv.push(to_utf8(argument));
  const std::lock_guard lock(mutex_);
  // The environment is left out: it holds keys.
  write(Json::object({{"dir", "start"}, {"run", run_}, {"argv", std::move(argv)}}));
}

void RecordLog::bytes(Direction direction, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  std::string& unfinished = unfinished_[index_of(direction)];
  for (std::size_t end = 0; (end = bytes.find('\n')) != std::string_view::npos;) {
    if (unfinished.empty()) {
      write_line(direction, bytes.substr(0, end), true);
    } else {
      unfinished += bytes.substr(0, end);
      write_line(direction, unfinished, true);
      unfinished.clear();
    }
    bytes.remove_prefix(end + 1);
  }
  unfinished += bytes;
}

void RecordLog::end(Direction direction) {
  const std::lock_guard lock(mutex_);
  std::string& unfinished = unfinished_[index_of(direction)];
  if (!unfinished.empty()) write_line(direction, unfinished, false);
  unfinished.clear();
  if (direction == Direction::in) write(Json::object({{"dir", "in"}, {"eof", true}}));
}

void RecordLog::signal(std::string_view name) {
  const std::lock_guard lock(mutex_);
  write(Json::object({{"dir", "signal"}, {"line", name}}));
}

void RecordLog::exit(const ExitStatus& status) {
  const std::lock_guard lock(mutex_);
  Json event = Json::object({{"dir", "exit"}, {"code", nullptr}, {"signal", nullptr}});
  if (status.code) event.set("code", *status.code);
  if (status.signal) event.set("signal", signal_name(*status.signal));
  write(std::move(event));
}

void RecordLog::write_line(Direction direction, std::string_view line, bool newline) {
  std::string text = to_utf8(line);
  // JSON can hold no other bytes; the reader should know that these are not the original ones.
  const bool replaced = text != line;
  Json event = Json::object({{"dir", kNames[index_of(direction)]}, {"line", std::move(text)}});
  if (!newline) event.set("no_newline", true);
  if (replaced) event.set("not_utf8", true);
  write(std::move(event));
}

void RecordLog::write(Json event) {
  if (failed_) return;
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun_);
  Json stamped = Json::object({{"t_ms", std::int64_t{now.count()}}});
  for (auto& [key, value] : event.members()) stamped.set(key, std::move(value));
  const std::string line = stamped.dump() + "\n";
  if (write_all(file_.get(), line)) return;
  failed_ = true;
  std::fprintf(stderr, "parley record: the recording ends here: %s\n", ::strerror(errno));
}

}  // namespace parley::app
