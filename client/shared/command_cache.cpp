#include "client/shared/command_cache.hpp"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>

#include "client/process/launch.hpp"
#include "client/session.hpp"
#include "wire/codec/codec.hpp"
#include "wire/control/control.hpp"

namespace parley {
namespace {

/// Those of the options that commands depend on: enough to start a CLI that has the same.
Options for_commands(const Options& all) {
  Options some;
  some.cli = all.cli;
  some.cwd = all.cwd;
  some.process.environment = all.process.environment;
  some.process.replace_environment = all.process.replace_environment;
  some.process.user = all.process.user;
  some.process.extra_flags = all.process.extra_flags;
  some.permissions.additional_directories = all.permissions.additional_directories;
  some.tools.mcp_servers = all.tools.mcp_servers;
  some.tools.strict_mcp_config = all.tools.strict_mcp_config;
  some.settings = all.settings;
  some.settings.sandbox.reset();  // How commands are caged is no matter of which there are.
  // No matter for the commands, but for how the CLI is run.
  some.process.client_app = all.process.client_app;
  some.deadlines = all.deadlines;
  some.delivery.loop = all.delivery.loop;
  return some;
}

/// Texts in a row that is like no other row.
class Key {
 public:
  void add(std::string_view part) {
    text_ += std::to_string(part.size()) + ':';
    text_ += part;
  }
  template <class Parts>
  void add_all(const Parts& parts) {
    add(std::to_string(parts.size()));
    for (const auto& part : parts) add(part);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// An error if a session with these options could not be started.
Result<std::string> key_of(const Options& options) {
  const auto plan = plan_launch(options, {});
  if (!plan) return plan.error();
  const CliSearch& cli = options.cli;
  Key key;
  key.add(cli.program);
  key.add_all(cli.names);
  key.add_all(cli.leading_arguments);
  key.add(std::string({cli.allow_npx ? 'a' : '-', cli.prefer_npx ? 'n' : '-',
                       cli.prefer_router ? 'r' : '-',
                       options.process.replace_environment ? 'e' : '-'}));
  key.add(cli.npx_package);
  key.add(cli.npx_version);
  key.add_all(cli.npx_arguments);
  for (const auto& program : cli.fallbacks) key.add(program.native());
  std::error_code ignored;
  key.add(options.cwd.empty() ? std::filesystem::current_path(ignored).native()
                              : options.cwd.native());
  key.add(options.process.user);
  for (const auto& [name, value] : options.process.environment) {
    key.add(name);
    key.add(value);
  }
  key.add_all(plan->arguments);
  key.add(encode(ControlBody(plan->initialize)));
  return key.take();
}

Result<std::vector<SlashCommand>> ask_cli(const Options& options) {
  try {
    Session session(options);
    if (auto connected = session.connect(); !connected) return connected.error();
    return session.initialized()->commands.value_or(std::vector<SlashCommand>{});
  } catch (const std::exception& error) {
    // Others may wait for this answer.
    return Error(ErrorCode::io, "the CLI could not be asked: " + std::string(error.what()));
  }
}

}  // namespace

struct CommandCache::Impl {
  using Clock = std::chrono::steady_clock;
  using Answer = Result<std::vector<SlashCommand>>;

  struct Entry {
    Clock::time_point since;
    std::vector<SlashCommand> commands;
  };
  /// A CLI that is being asked; who waits for its answer holds it, too.
  struct Asking {
    std::optional<Answer> answer;
  };

  explicit Impl(std::chrono::milliseconds limit) : max_age(limit) {}

  /// With the lock held.
  void keep(const std::string& key, std::vector<SlashCommand> commands) {
    entries[key] = {Clock::now(), std::move(commands)};
    if (entries.size() <= kMostEntries) return;
    entries.erase(std::min_element(
        entries.begin(), entries.end(),
        [](const auto& a, const auto& b) { return a.second.since < b.second.since; }));
  }

  const std::chrono::milliseconds max_age;
  std::mutex mutex;
  std::condition_variable answered;
  std::map<std::string, Entry> entries;
  std::map<std::string, std::shared_ptr<Asking>> asking;  ///< Since the last forget().
};

CommandCache::CommandCache(std::chrono::milliseconds max_age)
    : impl_(std::make_unique<Impl>(max_age)) {}

CommandCache::~CommandCache() = default;

Result<std::vector<SlashCommand>> CommandCache::commands(const Options& options) {
  const Options wanted = for_commands(options);
  const auto key = key_of(wanted);
  if (!key) return key.error();
  std::unique_lock lock(impl_->mutex);
  const auto found = impl_->entries.find(*key);
  if (found != impl_->entries.end() && Impl::Clock::now() - found->second.since < impl_->max_age) {
    return found->second.commands;
  }
  if (const auto other = impl_->asking.find(*key); other != impl_->asking.end()) {
    const auto asked = other->second;
    impl_->answered.wait(lock, [&asked] { return asked->answer.has_value(); });
    return *asked->answer;
  }
  const auto mine = std::make_shared<Impl::Asking>();
  impl_->asking[*key] = mine;
  lock.unlock();
  Impl::Answer answer = ask_cli(wanted);
  lock.lock();
  mine->answer = answer;
  // What began before forget() is not kept: it may know nothing of what that was called for.
  if (const auto still = impl_->asking.find(*key);
      still != impl_->asking.end() && still->second == mine) {
    impl_->asking.erase(still);
    if (answer) impl_->keep(*key, *answer);
  }
  impl_->answered.notify_all();
  return answer;
}

std::optional<std::vector<SlashCommand>> CommandCache::kept(const Options& options) const {
  const auto key = key_of(for_commands(options));
  if (!key) return std::nullopt;
  const std::lock_guard lock(impl_->mutex);
  const auto found = impl_->entries.find(*key);
  if (found == impl_->entries.end()) return std::nullopt;
  return found->second.commands;
}

void CommandCache::put(const Options& options, std::vector<SlashCommand> commands) {
  const auto key = key_of(for_commands(options));
  if (!key) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->keep(*key, std::move(commands));
}

void CommandCache::forget() {
  const std::lock_guard lock(impl_->mutex);
  impl_->entries.clear();
  impl_->asking.clear();
}

}  // namespace parley
