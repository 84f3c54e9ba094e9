#include "agent_run.hpp"

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/files/io.hpp"
#include "support/process/spawn.hpp"

namespace parley::testing {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kKeptErrors = std::size_t{64} << 10;
/// Beyond this only the last message is kept: the system counts the memory of this process as the
/// agent's own, because it starts as a copy of it.
constexpr std::size_t kKeptOutput = std::size_t{4} << 20;
/// A process that was killed needs a moment to go; one that was left behind stays for longer.
constexpr milliseconds kDying{1000};

std::string program() {
  const char* build = std::getenv("PARLEY_BUILD_DIR");
  if (build == nullptr) throw std::runtime_error("PARLEY_BUILD_DIR is not set");
  return std::string(build) + "/bin/parley-agent";
}

bool wait_readable(int fd, milliseconds patience) {
  pollfd wanted{fd, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(patience.count())) == 1;
}

/// The living children of this process. Whoever loses their parent becomes one of them, because
/// this process asked for that before it started the agent.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& thread : fs::directory_iterator("/proc/self/task")) {
    std::istringstream list(read_file(thread.path() / "children").value_or(""));
    for (pid_t pid = 0; list >> pid;) found.push_back(pid);
  }
  return found;
}

/// Collects whoever has ended; names and kills who goes on, until nobody is left.
std::vector<std::string> clear_leftovers() {
  std::vector<std::string> left;
  for (std::vector<pid_t> some = children(); !some.empty(); some = children()) {
    for (const pid_t pid : some) {
      const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
      if (handle >= 0 && !wait_readable(handle, left.empty() ? kDying : milliseconds(0))) {
        std::string name = read_file("/proc/" + std::to_string(pid) + "/cmdline").value_or("");
        for (char& c : name) c = c == '\0' ? ' ' : c;
        left.push_back(std::to_string(pid) + ": " + name);
        ::kill(pid, SIGKILL);
      }
      if (handle >= 0) ::close(handle);
      ::waitpid(pid, nullptr, 0);
    }
  }
  return left;
}

}  // namespace

// ---- the folder ---------------------------------------------------------------------------------

Workspace::Workspace() {
  root_ = fs::canonical(temporary_.path());
  for (const fs::path& folder : {work(), home(), outside()}) fs::create_directory(folder);
}

void Workspace::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
}

std::string Workspace::read(const std::string& name) const {
  return read_file(path(name)).value_or("");
}

// ---- its end ------------------------------------------------------------------------------------

Json AgentEnd::result() const {
  for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
    if ((*message)["type"].as_string() == "result") return *message;
  }
  return {};
}

std::vector<Json> AgentEnd::tool_results() const {
  std::vector<Json> found;
  for (const Json& message : messages) {
    if (message["type"].as_string() != "user") continue;
    for (const Json& block : message["message"]["content"].items()) {
      if (block["type"].as_string() == "tool_result") found.push_back(block);
    }
  }
  return found;
}

// ---- its life -----------------------------------------------------------------------------------

AgentRun::AgentRun(const Workspace& workspace, const Setup& setup) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::malloc_trim(0);
  ::signal(SIGPIPE, SIG_IGN);
  auto in = make_pipe(), out = make_pipe(), err = make_pipe(), closed = make_pipe();
  if (!in || !out || !err || !closed) throw std::runtime_error("no pipes");
  input_ = in->write.release(), output_ = out->read.release(), errors_fd_ = err->read.release();
  output_closed_[0] = closed->read.release(), output_closed_[1] = closed->write.release();

  std::vector<std::string> arguments{program(), "-p", "--output-format", "stream-json",
                                     "--verbose"};
  arguments.insert(arguments.end(), setup.arguments.begin(), setup.arguments.end());
  std::map<std::string, std::string> variables{
      {"HOME", workspace.home()},        {"PATH", "/usr/bin:/bin"},
      {"TMPDIR", workspace.home()},      {"IS_SANDBOX", "1"},
      {"ANTHROPIC_API_KEY", "sk-dummy"}, {"ANTHROPIC_BASE_URL", setup.url},
      {"API_TIMEOUT_MS", "3000"},        {"CLAUDE_STREAM_IDLE_TIMEOUT_MS", "1000"},
      {"CLAUDE_CODE_MAX_RETRIES", "1"},  {"CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", "500"}};
  if (const char* options = std::getenv("ASAN_OPTIONS")) variables["ASAN_OPTIONS"] = options;
  for (const auto& [name, value] : setup.environment) variables[name] = value;

  SpawnSpec wanted;
  wanted.program = arguments[0];
  wanted.arguments = arguments;
  wanted.environment = environment_texts(variables);
  wanted.working_folder = workspace.work().string();
  wanted.stdio = {in->read.get(), out->write.get(), err->write.get()};
  started_ = Clock::now();
  Spawned child = spawn(wanted);
  if (!child) throw std::runtime_error("cannot start " + arguments[0]);
  pid_ = child.pid;
  pidfd_ = child.pidfd.release();
  reader_ = std::thread([this] { read_output(); });
  error_reader_ = std::thread([this] { read_errors(); });
}

AgentRun::~AgentRun() {
  if (pid_ > 0) finish(milliseconds(0));
  for (const int fd : {pidfd_, input_, errors_fd_, output_closed_[0], output_closed_[1]}) {
    if (fd >= 0) ::close(fd);
  }
}

void AgentRun::read_output() {
  std::size_t kept = 0;
  const auto take = [&](std::string_view line) {
    auto json = Json::parse(line);
    const std::lock_guard lock(mutex_);
    kept += line.size();
    if (!json || !json->is_object()) {
      no_json_.emplace_back(line.substr(0, 200));
    } else if (kept > kKeptOutput && !messages_.empty()) {
      messages_.back() = std::move(*json);
    } else {
      messages_.push_back(std::move(*json));
    }
    changed_.notify_all();
  };
  std::string buffer(std::size_t{64} << 10, '\0'), line;
  for (;;) {
    pollfd events[2] = {{output_, POLLIN, 0}, {output_closed_[0], POLLIN, 0}};
    if (::poll(events, 2, -1) < 0 && errno == EINTR) continue;
    if (events[1].revents != 0) break;
    const ssize_t got = ::read(output_, buffer.data(), buffer.size());
    if (got <= 0) break;
    line.append(buffer, 0, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = line.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      take(std::string_view(line).substr(begin, end - begin));
    }
    line.erase(0, begin);
  }
  if (!line.empty()) take(line);
  ::close(output_);
  const std::lock_guard lock(mutex_);
  output_ended_ = true;
  changed_.notify_all();
}

void AgentRun::read_errors() {
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(errors_fd_, buffer, sizeof buffer)) > 0;) {
    const std::lock_guard lock(mutex_);
    if (errors_.size() < kKeptErrors) errors_.append(buffer, static_cast<std::size_t>(got));
  }
}

bool AgentRun::say(std::string_view bytes) const { return write_all(input_, bytes); }

void AgentRun::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

void AgentRun::close_output() {
  if (::write(output_closed_[1], "x", 1) != 1) throw std::runtime_error("no pipe");
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return output_ended_; });
}

void AgentRun::signal(int number) const { ::kill(pid_, number); }

bool AgentRun::wait_for(const std::function<bool(const Json&)>& wanted, milliseconds patience) {
  std::unique_lock lock(mutex_);
  std::size_t seen = 0;
  bool found = false;
  changed_.wait_for(lock, patience, [&] {
    while (!found && seen < messages_.size()) found = wanted(messages_[seen++]);
    return found || output_ended_;
  });
  return found;
}

AgentEnd AgentRun::finish(milliseconds patience) {
  close_input();
  AgentEnd end;
  const auto spent = std::chrono::duration_cast<milliseconds>(Clock::now() - started_);
  if (!wait_readable(pidfd_, std::max(milliseconds(0), patience - spent))) {
    end.hung = true;
    ::kill(pid_, SIGKILL);
  }
  int status = 0;
  rusage usage{};
  ::wait4(pid_, &status, 0, &usage);
  pid_ = -1;
  end.took = std::chrono::duration_cast<milliseconds>(Clock::now() - started_);
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end.memory_mb = usage.ru_maxrss / 1024;
  // Before the readers are waited for: who is left behind may hold their pipes open.
  end.left_behind = clear_leftovers();
  reader_.join();
  error_reader_.join();
  end.messages = std::move(messages_);
  end.no_json = std::move(no_json_);
  end.errors = std::move(errors_);
  return end;
}

}  // namespace parley::testing
