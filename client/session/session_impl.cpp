// A session's life: start, end, and what waits for either.
#include "client/session/session_impl.hpp"

#include <algorithm>

#include "client/shared/command_cache.hpp"
#include "client/mcp/mcp_connection.hpp"
#include "client/process/launch.hpp"
#include "client/session/waiting.hpp"
#include "transport/process.hpp"
#include "wire/control/control.hpp"

namespace parley {

using detail::closed_error;
using detail::deadline_in;
using detail::wait;

namespace {

/// How long close() waits for handlers that do not heed their stop token.
constexpr std::chrono::milliseconds kHandlerPatience{1000};
/// How long the CLI may take to tell its version.
constexpr std::chrono::milliseconds kVersionPatience{20'000};
/// How long the system may take to deliver a SIGKILL.
constexpr std::chrono::milliseconds kKillPatience{5000};

}  // namespace

Session::Impl::Impl(Options options, MakeTransport make_transport)
    : options_(std::move(options)),
      make_transport_(std::move(make_transport)),
      framer_(options_.buffers.line_bytes),
      queue_([this](std::string_view line, const Error& error) { return salvage(line, error); },
             unread_),
      handlers_(std::make_shared<detail::Dispatcher>(options_.limits.handlers)),
      messages_(std::make_shared<detail::Dispatcher>(1)),
      notices_(std::make_shared<detail::Dispatcher>(1)),
      stops_(std::make_shared<detail::Dispatcher>(1)) {}

Session::Impl::~Impl() {
  // Session has closed it; what is left is to let go of the sink before the members go.
  transport_.reset();
}

// ---- start --------------------------------------------------------------------------------------

Result<void> Session::Impl::start() {
  {
    const std::lock_guard lock(mutex_);
    if (launched_.exchange(true)) {
      return Error(ErrorCode::invalid, "the session was started before");
    }
    started_at_ = Clock::now();
  }
  try {
    if (auto launched = launch(); !launched) return fail_start(launched.error());
  } catch (const std::exception& error) {
    // Of a session store or of the maker of the transport.
    return fail_start(Error(ErrorCode::io, "a callback threw: " + std::string(error.what())));
  }
  {
    const std::lock_guard lock(mutex_);
    running_process_ = true;
    if (!closing_) return {};
  }
  // close() came in between, when there was nothing to stop yet.
  close();
  return closed_error();
}

Result<void> Session::Impl::launch() {
  const auto plan = plan_launch(options_, current_environment());
  if (!plan) return plan.error();
  loop_ = options_.delivery.loop;
  if (!loop_) {
    auto shared = Loop::shared();
    if (!shared) return shared.error();
    loop_ = *std::move(shared);
  }
  auto transport = make_transport_ ? Result(make_transport_()) : make_process(*plan);
  if (!transport) return transport.error();
  if (!*transport) return Error(ErrorCode::invalid, "the transport factory made no transport");
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return closed_error();
    transport_ = *std::move(transport);
    store_ = make_store_writer();
    for (const McpServer& server : options_.tools.in_process) {
      connections_.push_back(connect_server(server));
    }
    initialize_id_ = "parley-" + std::to_string(++next_id_);
    asked_[initialize_id_].what = "initialize";
  }
  if (auto started = transport_->start(*this); !started) return started.error();
  for (const std::string& warning : plan->warnings) {
    notice([warning](Observer& observer) { observer.on_warning(warning); });
  }
  ControlRequest request;
  request.request_id = initialize_id_;
  *request.request = plan->initialize;
  transport_->write(encode_message(Message(std::move(request))) + "\n");
  limit_initialize();
  return {};
}

void Session::Impl::limit_initialize() {
  const auto limit = options_.deadlines.initialize;
  if (limit <= std::chrono::milliseconds::zero()) return;
  loop_->post([weak = weak_from_this(), limit, loop = loop_.get()] {
    const auto self = weak.lock();
    if (!self || self->with_state([](const Impl& impl) { return impl.ended_; })) return;
    self->initialize_timer_ = loop->after(limit, [weak] {
      if (const auto late = weak.lock()) late->on_initialize_late();
    });
  });
}

void Session::Impl::on_initialize_late() {
  {
    const std::lock_guard lock(mutex_);
    if (init_reply_ || failure_ || ended_ || closing_) return;
    failure_ = failure_now(
        Error(ErrorCode::timeout, "the CLI did not answer `initialize` within " +
                                      std::to_string(options_.deadlines.initialize.count()) +
                                      " ms" + misheard()));
    end_turns(false);
    changed_.notify_all();
  }
  queue_.end();
  deliver();
}

std::shared_ptr<detail::StoreWriter> Session::Impl::make_store_writer() {
  if (!options_.transcript.store) return nullptr;
  const auto failed = [weak = weak_from_this()](const SessionKey& key, const Error& error) {
    const auto self = weak.lock();
    if (!self) return;
    MirrorError message;
    message.error = error.message();
    message.key = MirrorKey{key.project, key.session_id, {}, {}};
    if (!key.subpath.empty()) message.key->subpath = key.subpath;
    auto batch = detail::MessageBatch::make();
    batch->add(0) = std::move(message);
    self->queue_.push(batch);
    self->deliver();
  };
  const auto written = [weak = weak_from_this()] {
    if (const auto self = weak.lock(); self && self->paused_) self->update_flow();
  };
  return std::make_shared<detail::StoreWriter>(options_.transcript.store,
                                               detail::StoreWriter::Events{failed, written});
}

Result<std::unique_ptr<Transport>> Session::Impl::make_process(const LaunchPlan& plan) {
  const auto lookup = [&plan](const std::string& name) -> std::optional<std::string> {
    for (const auto& [key, value] : plan.environment) {
      if (key == name) return value;
    }
    return std::nullopt;
  };
  auto cli = find_cli(options_.cli, lookup);
  if (!cli) return cli.error();
  if (options_.process.require_version) {
    const auto version = ask_version(*cli, kVersionPatience, plan.environment);
    if (!version) return version.error();
    if (*version < *options_.process.require_version) {
      return Error(ErrorCode::invalid,
                   cli->program.string() + " is version " + version->to_string() + ", but " +
                       options_.process.require_version->to_string() + " or newer is required",
                   "require_version");
    }
  }
  ProcessSpec spec;
  spec.program = cli->program.string();
  spec.arguments = cli->leading_arguments;
  spec.arguments.insert(spec.arguments.end(), plan.arguments.begin(), plan.arguments.end());
  spec.environment = plan.environment;
  spec.working_folder = options_.cwd;
  spec.term_after = options_.deadlines.close;
  spec.kill_after = options_.deadlines.kill;
  if (auto done = prepare_user(spec); !done) return done.error();
  if (auto done = prepare_store(spec); !done) return done.error();
  return make_process_transport(loop_, std::move(spec));
}

Result<void> Session::Impl::prepare_user(ProcessSpec& spec) const {
  if (options_.process.user.empty()) return {};
  auto user = find_user(options_.process.user);
  if (!user) return user.error();
  for (const auto& [name, value] :
       {std::pair<std::string, std::string>{"HOME", user->home.string()},
        {"USER", user->name},
        {"LOGNAME", user->name}}) {
    const auto named = [&name](const auto& variable) { return variable.first == name; };
    if (std::any_of(options_.process.environment.begin(), options_.process.environment.end(),
                    named))
      continue;
    std::erase_if(spec.environment, named);
    spec.environment.emplace_back(name, value);
  }
  spec.user = *std::move(user);
  return {};
}

Result<void> Session::Impl::prepare_store(ProcessSpec& spec) {
  if (!options_.transcript.store || options_.resume.id.empty()) return {};
  auto& environment = spec.environment;
  const auto lookup = [&environment](const std::string& name) -> std::optional<std::string> {
    for (const auto& [key, value] : environment) {
      if (key == name) return value;
    }
    return std::nullopt;
  };
  auto folder = detail::ResumeFolder::make(
      *options_.transcript.store, {detail::project_of(options_.cwd), options_.resume.id, ""},
      lookup);
  if (!folder) return folder.error();
  if (spec.user) {
    if (auto given = (*folder)->give_to(*spec.user); !given) return given;
  }
  const std::lock_guard lock(mutex_);
  resume_folder_ = *std::move(folder);
  std::erase_if(environment, [](const auto& v) { return v.first == "CLAUDE_CONFIG_DIR"; });
  environment.emplace_back("CLAUDE_CONFIG_DIR", resume_folder_->path().string());
  return {};
}

Error Session::Impl::fail_start(Error error) {
  const std::lock_guard lock(mutex_);
  failure_ = failure_now(error);
  failure_->phase = Phase::start;
  ended_ = true;
  fail_asked(error);
  queue_.end();
  end_turns(false);
  changed_.notify_all();
  return make_error(*failure_);
}

Result<void> Session::Impl::wait_ready(Timeout timeout) {
  std::unique_lock lock(mutex_);
  if (!launched_) return Error(ErrorCode::invalid, "the session was not started");
  const auto deadline = timeout ? std::optional(Clock::now() + *timeout) : std::nullopt;
  ++waiting_;
  wait(changed_, lock, deadline, [this] { return init_reply_ || failure_ || ended_ || closing_; });
  --waiting_;
  if (init_reply_) return {};
  if (failure_) return make_error(*failure_);
  if (closing_ || ended_) return closed_error();
  return make_error(failure_now(
      Error(ErrorCode::timeout, "the CLI has not answered `initialize` yet; wait again")));
}

void Session::Impl::keep_commands(const std::vector<SlashCommand>& commands) const {
  if (options_.delivery.command_cache) options_.delivery.command_cache->put(options_, commands);
}

bool Session::Impl::alive() const {
  const std::lock_guard lock(mutex_);
  return running_process_ && !ended_ && !closing_ && !failure_;
}

std::optional<int> Session::Impl::pid() const {
  const std::lock_guard lock(mutex_);
  return transport_ ? transport_->pid() : std::nullopt;
}

// ---- the end ------------------------------------------------------------------------------------

void Session::Impl::end_input() {
  {
    const std::lock_guard lock(mutex_);
    if (!running_process_ || input_ended_) return;
    input_ended_ = true;
  }
  transport_->close_input();
}

void Session::Impl::close() {
  bool stop = false;
  std::shared_ptr<detail::StoreWriter> store;
  std::shared_ptr<Loop> loop;
  {
    const std::lock_guard lock(mutex_);
    stop = running_process_ && !ended_;
    store = store_;
    if (transport_) loop = loop_;
    closing_ = true;
    input_ended_ = true;
    fail_asked(closed_error());
    end_turns(true);
    changed_.notify_all();
  }
  queue_.clear_and_end();
  stop_asking();
  if (stop) {
    transport_->stop();
    const auto patience = options_.deadlines.close + options_.deadlines.kill + kKillPatience;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [this] { return ended_; });
  }
  for (const auto& dispatcher : {messages_, handlers_, stops_}) {
    dispatcher->close(kHandlerPatience);
  }
  // What an observer has not heard yet is not lost with the session.
  notices_->finish(kHandlerPatience);
  if (store) store->finish(options_.deadlines.store);
  // A task of the loop may hold this object for a moment yet. When it has ended, whoever destroys
  // the session is its last owner, and leaves no descriptor open.
  if (loop) loop->run([] {});
  std::unique_ptr<detail::ResumeFolder> no_longer_needed;
  const std::lock_guard lock(mutex_);
  no_longer_needed.swap(resume_folder_);
}

void Session::Impl::on_end(const ExitStatus& status) {
  loop_->cancel(initialize_timer_);
  loop_->cancel(deadline_timer_);
  framer_.finish();
  read_lines();
  pass_on();
  end_stderr();
  {
    const std::lock_guard lock(mutex_);
    exit_ = status;
    // A CLI whose last turn failed says so once more with its exit code.
    const bool repeats_result =
        input_ended_ && !turn_ && last_result_ && status.code == 1 && error_of(*last_result_);
    const bool finished = init_reply_ && !turn_ && (status.clean() || repeats_result);
    if (!closing_ && !failure_ && !finished) {
      failure_ = failure_now(
          Error(ErrorCode::process, "the CLI ended " + std::string(to_string(phase())) + " (" +
                                        parley::to_string(status) + ")" + misheard()));
      failure_->error = Error(ErrorCode::process, failure_->describe());
    }
    // A session that failed earlier, e.g. because `initialize` was refused, now knows its end too.
    if (failure_) failure_->exit = status;
    turn_ = false;
    end_turns(false);
    changed_.notify_all();
  }
  queue_.end();
  stop_asking();
  deliver();
  notice([status](Observer& observer) { observer.on_exit(status); });
  // Last, because who waits for it may destroy this object.
  const std::lock_guard lock(mutex_);
  ended_ = true;
  end_turns(false);  // asked for since the others were ended
  fail_asked(end_error());
  changed_.notify_all();
}

void Session::Impl::on_input_lost(const Error& reason) {
  const std::lock_guard lock(mutex_);
  input_lost_ = reason;
  // Nothing that is asked from now on, or waits in a dead pipe, will be answered.
  fail_asked(reason);
  changed_.notify_all();
}

std::string Session::Impl::misheard() const {
  if (init_reply_ || first_bad_line_.empty()) return {};
  return "; it said \"" + first_bad_line_ + "\", which is no message";
}

Phase Session::Impl::phase() const {
  if (closing_) return Phase::close;
  if (!init_reply_) return Phase::initialize;
  return turn_ ? Phase::turn : Phase::idle;
}

Failure Session::Impl::failure_now(const Error& error) const {
  Failure failure;
  failure.error = error;
  failure.phase = phase();
  failure.exit = exit_;
  failure.last_result = last_result_;
  failure.stderr_tail = stderr_tail_;
  return failure;
}

Error Session::Impl::end_error() const {
  if (closing_) return closed_error();
  if (failure_) return make_error(*failure_);
  return {ErrorCode::closed, "the CLI has ended (" + parley::to_string(exit_) + ")"};
}

void Session::Impl::fail_asked(const Error& error) {
  for (auto& [id, asked] : asked_) {
    if (!asked.answer) asked.answer = error;
  }
}

void Session::Impl::stop_asking() {
  std::vector<std::stop_source> sources;
  std::vector<std::shared_ptr<detail::McpConnection>> connections;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [id, asking] : asking_) sources.push_back(asking.stop);
    connections = connections_;
    asking_.clear();
    ledger_.pending.clear();
  }
  for (const auto& connection : connections) connection->close();
  if (sources.empty()) return;
  // Stop callbacks are the user's code, so they run where the user's code runs.
  stops_->run([sources = std::move(sources)]() mutable {
    for (std::stop_source& source : sources) source.request_stop();
  });
}

// ---- requests -----------------------------------------------------------------------------------

Result<void> Session::Impl::write_line(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    if (closing_) return closed_error();
    if (ended_ || failure_) return end_error();
    if (!running_process_) return Error(ErrorCode::invalid, "the session is not connected");
    if (input_lost_) return *input_lost_;
    if (input_ended_) return Error(ErrorCode::closed, "the input of the session was ended");
    if (transport_->unsent() > options_.buffers.unsent_bytes) {
      return Error(ErrorCode::too_large, "the CLI does not read its input; " +
                                             std::to_string(transport_->unsent()) +
                                             " bytes wait already");
    }
  }
  line += '\n';
  transport_->write(std::move(line));
  return {};
}

Result<RawJson> Session::Impl::request(const std::string& body, std::string_view what,
                                       Timeout timeout) {
  return exchange(
      [&body](const std::string& id) {
        return R"({"type":"control_request","request_id":")" + id + R"(","request":)" + body + "}";
      },
      what, timeout);
}

Result<RawJson> Session::Impl::exchange(
    const std::function<std::string(const std::string& id)>& line, std::string_view what,
    Timeout timeout) {
  std::string id;
  {
    const std::lock_guard lock(mutex_);
    id = "parley-" + std::to_string(++next_id_);
    asked_[id].what = what;
    ++waiting_;
  }
  const auto written = write_line(line(id));
  update_flow();
  std::unique_lock lock(mutex_);
  const auto limit = timeout.value_or(options_.deadlines.request);
  const bool done = !written || wait(changed_, lock, deadline_in(limit),
                                     [&] { return asked_.at(id).answer.has_value(); });
  --waiting_;
  const std::optional<Result<RawJson>> answer = std::move(asked_.at(id).answer);
  asked_.erase(id);
  if (!written) return written.error();
  if (done) return *answer;
  return Error(ErrorCode::timeout,
               "no answer within " + std::to_string(limit.count()) + " ms" +
                   (paused_ ? "; unread messages stand in its way, call receive()" : ""),
               std::string(what));
}

}  // namespace parley
