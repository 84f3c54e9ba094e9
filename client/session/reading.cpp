// What comes from the CLI: lines into messages, answers to whom they belong, and the rest into the
// queue. Runs on the loop's thread.
#include "client/process/ansi.hpp"
#include "client/session/session_impl.hpp"
#include "wire/codec/codec.hpp"

namespace parley {
namespace {

constexpr std::size_t kStderrTail = 16 * 1024;
constexpr std::size_t kQuotedLine = 200;
/// Notices and stderr lines that wait for a slow callback; more are dropped, not piled up.
constexpr std::size_t kMostNotices = 4096;
constexpr std::size_t kMostStderrLines = 4096;
/// How much further reading goes while an answer is waited for.
constexpr std::size_t kStretch = 8;

/// How the CLI begins the pieces of a streamed answer.
constexpr std::string_view kStreamEvent = R"({"type":"stream_event",)";

bool is_control(const Message& message) {
  return std::holds_alternative<ControlRequest>(message) ||
         std::holds_alternative<ControlResponse>(message) ||
         std::holds_alternative<ControlCancelRequest>(message) ||
         std::holds_alternative<KeepAlive>(message);
}

}  // namespace

void Session::Impl::on_output(std::string_view bytes) {
  framer_.push(bytes);
  read_lines();
  pass_on();
  deliver();
  update_flow();
}

void Session::Impl::read_lines() {
  while (const auto frame = framer_.next()) {
    if (frame->kind == Frame::Kind::too_long) {
      on_bad_line(Error(ErrorCode::too_large, "a line is longer than " +
                                                  std::to_string(options_.buffers.line_bytes) +
                                                  " bytes and was left out"),
                  frame->text);
    } else if (frame->kind == Frame::Kind::unfinished && !Json::parse(frame->text)) {
      on_bad_line(Error(ErrorCode::malformed, "the line was cut off by the end"), frame->text);
    } else {
      // A last line without its newline is a line, if it is whole: no part of a JSON object is one.
      on_line(frame->text);
    }
  }
}

void Session::Impl::on_line(std::string_view line) {
  // Most lines by far, and nothing is kept of them: whoever takes the message decodes it. But a
  // program that never said it is a CLI is not taken at its word.
  if (init_reply_ && line.starts_with(kStreamEvent)) return on_stream_event(line);
  Message& message = batch_with_room().add(line.size());
  if (const auto decoded = decode_message_into(message, line); !decoded) {
    batch_->drop_last();
    return on_bad_line(decoded.error(), line);
  }
  if (is_control(message)) {
    // Out of the batch first: what it leads to may pass the batch on.
    Message control = std::move(message);
    batch_->drop_last();
    if (on_control(control)) add(std::move(control), line.size(), line);
    return;
  }
  if (!on_message(message)) return batch_->drop_last();
  if (next_to_ == to_ && !to_.nowhere()) {
    copy_to_others([&](detail::MessageBatch& copy) { copy.add(line.size()) = message; });
    if (options_.delivery.line_stream) batch_->keep_text(line);
    return finish_turns();
  }
  Message moved = std::move(message);
  batch_->drop_last();
  add(std::move(moved), line.size(), line);
}

void Session::Impl::on_stream_event(std::string_view line) {
  if (has_turns_ && to_.turns.empty() && turns_carry_messages()) {
    // Agents that announce no turn begin one so.
    Destination to;
    {
      const std::lock_guard lock(mutex_);
      to = destination_of(prompts_.running());
    }
    turn_to(std::move(to));
  }
  if (to_.nowhere()) return;
  batch().add_line(line);
  copy_to_others([line](detail::MessageBatch& copy) { copy.add_line(line); });
}

bool Session::Impl::on_control(const Message& message) {
  if (const auto* response = std::get_if<ControlResponse>(&message)) {
    const bool before = init_reply_.has_value();
    on_response(*response);
    return options_.delivery.line_stream && init_reply_.has_value() != before;
  }
  if (const auto* request = std::get_if<ControlRequest>(&message)) return serve(*request);
  if (const auto* gone = std::get_if<ControlCancelRequest>(&message)) {
    return cancel(gone->request_id);
  }
  return false;
}

detail::MessageBatch& Session::Impl::batch() {
  if (!batch_) batch_ = detail::MessageBatch::make();
  return *batch_;
}

detail::MessageBatch& Session::Impl::batch_with_room() {
  if (batch().full()) pass_on();
  return batch();
}

void Session::Impl::add(Message message, std::size_t bytes, std::string_view text) {
  turn_to(std::exchange(next_to_, {}));
  if (!to_.nowhere()) {
    Message& added = batch_with_room().add(bytes);
    added = std::move(message);
    copy_to_others([&](detail::MessageBatch& copy) { copy.add(bytes) = added; });
    if (options_.delivery.line_stream && !text.empty()) batch_->keep_text(text);
  }
  finish_turns();
}

bool Session::Impl::on_message(Message& message) {
  if (std::holds_alternative<StreamEvent>(message)) return true;  // nothing is kept of it
  if (auto* written = std::get_if<TranscriptMirror>(&message); written != nullptr && store_) {
    mirror(*written);
    if (!options_.transcript.mirror) return false;
  }
  if (const auto* unknown = std::get_if<Unknown>(&message)) tell_unknown(*unknown);
  if (const auto* changed = std::get_if<CommandsChanged>(&message)) {
    keep_commands(changed->commands);
  }
  {
    const std::lock_guard lock(mutex_);
    ledger_.apply(message);
    if (std::holds_alternative<SystemInit>(message)) turn_ = true;
    const auto about = prompts_.see(message);
    if (about.error) fail_turns(about.uuids, *about.error);
    const auto* result = std::get_if<ResultMessage>(&message);
    if (result != nullptr) {
      last_result_ = *result;
      ++results_seen_;
      turn_ = false;
      changed_.notify_all();
    }
    next_to_ = {};
    if (has_turns_) {
      if (turns_carry_messages()) next_to_ = find_destination(message, about.uuids);
      if (result != nullptr) end_turns_with(*result, about.uuids);
    }
  }
  return true;
}

Session::Impl::Destination Session::Impl::find_destination(
    const Message& message, const std::vector<std::string>& settled) {
  if (std::holds_alternative<ResultMessage>(message)) return destination_of(settled);
  if (const auto* told = std::get_if<CommandLifecycle>(&message)) {
    return destination_of({told->command_uuid});
  }
  return destination_of(prompts_.running());
}

void Session::Impl::mirror(TranscriptMirror& written) {
  const auto key = SessionKey::of_file(written.filePath);
  if (!key) return;  // some other file
  store_->add(*key, options_.transcript.mirror ? written.entries : std::move(written.entries));
  update_flow();
}

void Session::Impl::on_bad_line(const Error& error, std::string_view line) {
  if (first_bad_line_.empty()) first_bad_line_ = line.substr(0, kQuotedLine);
  tell_bad_line(error, line);
  if (error.code() != ErrorCode::unexpected) {
    if (options_.delivery.line_stream) batch().add_error(error, line.substr(0, detail::kShownLine));
    return;
  }
  // It is JSON, so somebody may wait for it: nobody is left waiting because of one odd member.
  const auto json = Json::parse(line);
  if (!json || !json->is_object()) return;
  const std::string_view type = (*json)["type"].as_string();
  if (type == "control_request") {
    const std::string id((*json)["request_id"].as_string());
    if (id.empty()) return;
    {
      const std::lock_guard lock(mutex_);
      asking_[id].kind = "malformed";
    }
    reply(id, Error(ErrorCode::unexpected, "malformed request: " + std::string(error.what())));
  } else if (type == "control_response") {
    answer_asked(std::string((*json)["response"]["request_id"].as_string()), error);
  } else if (type == "result") {
    ResultMessage result;
    result.subtype = ResultSubtype::error_during_execution;
    result.is_error = true;
    result.errors = std::vector<std::string>{"malformed result: " + std::string(error.what())};
    result.session_id = (*json)["session_id"].as_string();
    if (Message message = std::move(result); on_message(message)) {
      add(std::move(message), line.size(), {});
    }
  } else {
    Unknown unknown;
    unknown.type = type;
    unknown.subtype = (*json)["subtype"].as_string();
    unknown.raw = RawJson(std::string(line));
    if (Message message = std::move(unknown); on_message(message)) {
      add(std::move(message), line.size(), line);
    }
  }
}

void Session::Impl::tell_unknown(const Unknown& unknown) {
  if (!options_.delivery.observer) return;
  notice([unknown](Observer& observer) { observer.on_unknown(unknown); });
}

void Session::Impl::tell_bad_line(const Error& error, std::string_view line) {
  notice([error, text = std::string(line.substr(0, detail::kShownLine))](Observer& observer) {
    observer.on_bad_line(error, text);
  });
}

std::optional<Message> Session::Impl::salvage(std::string_view line, const Error& error) {
  tell_bad_line(error, line);
  if (error.code() != ErrorCode::unexpected) return std::nullopt;
  Unknown unknown;
  unknown.type = "stream_event";
  unknown.raw = RawJson(std::string(line));
  tell_unknown(unknown);
  return unknown;
}

void Session::Impl::on_response(const ControlResponse& response) {
  if (const auto* success = std::get_if<ControlSuccess>(&response.response)) {
    // 2.1.38 leaves an empty body out.
    const bool empty = !success->response || success->response->is_null();
    answer_asked(success->request_id, empty ? RawJson("{}") : *success->response);
  } else if (const auto* failure = std::get_if<ControlFailure>(&response.response)) {
    answer_asked(failure->request_id,
                 Error(ErrorCode::remote, failure->error, failure->error_code.value_or("")));
  }
}

void Session::Impl::answer_asked(const std::string& id, Result<RawJson> answer) {
  std::optional<control::InitializeReply> init;
  bool refused = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = asked_.find(id);
    if (found == asked_.end() || found->second.answer) {
      // 2.1.38 answers some requests twice; a late answer finds nobody either.
      return;
    }
    if (id == initialize_id_) {
      if (!answer) {
        failure_ = failure_now(Error(answer.error().code(),
                                     "the CLI refused `initialize`: " + answer.error().message()));
        refused = true;
      } else if (auto reply = answer->as<control::InitializeReply>()) {
        init = *reply;
      } else {
        // Whatever it says about itself, it has answered.
        init.emplace();
      }
      if (init) {
        init_reply_ = init;
        ledger_.apply(*init);
        if (init->commands) keep_commands(*init->commands);
      }
      asked_.erase(found);
    } else {
      found->second.answer = std::move(answer);
    }
    changed_.notify_all();
  }
  if (refused) {
    // Who sent a prompt without waiting for this must not wait for its answer.
    pass_on();
    queue_.end();
    const std::lock_guard lock(mutex_);
    end_turns(false);
  }
  if (refused) {
    deliver();
  }
  if (init) {
    loop_->cancel(initialize_timer_);
    const auto after =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - started_at_);
    notice([after](Observer& observer) { observer.on_connected(after); });
  }
}

// ---- delivery -----------------------------------------------------------------------------------

void Session::Impl::update_flow() {
  bool pause = false;
  {
    const std::lock_guard lock(mutex_);
    if (!transport_ || ended_ || closing_) return;
    const auto wanted = [this] {
      const std::size_t stretch = waiting_ > 0 || starving_ > 0 ? kStretch : 1;
      const std::size_t most_bytes = options_.buffers.queue_bytes * stretch;
      const std::size_t most = options_.buffers.queue_messages * stretch;
      const std::size_t bytes = unread_.bytes + (store_ ? store_->waiting_bytes() : 0);
      const std::size_t size = unread_.messages;
      // Half empty before reading goes on, so that a slow consumer does not cost a switch per
      // message.
      return paused_ ? bytes > most_bytes / 2 || size > most / 2
                     : bytes > most_bytes || size > most;
    };
    pause = wanted();
    if (pause && starving_ > 0) {
      relieve();
      pause = wanted();
    }
    if (pause == paused_) return;
    paused_ = pause;
    // Whoever took the last message a moment ago saw no pause, and will not end this one.
    if (pause && !wanted()) {
      paused_ = false;
      return;
    }
    if (pause) {
      transport_->pause();
    } else {
      transport_->resume();
    }
  }
  notice([pause](Observer& observer) { observer.on_backpressure(pause); });
}

Result<Message> Session::Impl::take_for_delivery() {
  const std::lock_guard lock(mutex_);
  auto taken = queue_.pop(Clock::now());
  if (!taken) delivering_ = false;
  return taken;
}

void Session::Impl::deliver() {
  if (options_.delivery.on_message) return deliver_messages();
  if (!options_.delivery.on_ready) return;
  if (loop_->on_thread()) return tell_ready();
  loop_->post([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->tell_ready();
  });
}

void Session::Impl::tell_ready() {
  if (!queue_.ready()) return;
  try {
    options_.delivery.on_ready();
  } catch (const std::exception& error) {
    notice([text = "on_ready threw: " + std::string(error.what())](Observer& observer) {
      observer.on_warning(text);
    });
  } catch (...) {
    notice([](Observer& observer) { observer.on_warning("on_ready threw"); });
  }
}

void Session::Impl::deliver_messages() {
  {
    const std::lock_guard lock(mutex_);
    if (delivering_ || queue_.size() == 0) return;
    delivering_ = true;
  }
  messages_->run([self = shared_from_this()] {
    for (;;) {
      const auto taken = self->take_for_delivery();
      if (!taken) return;
      const Message& message = *taken;
      if (self->paused_) self->update_flow();
      try {
        self->options_.delivery.on_message(message);
      } catch (const std::exception& error) {
        self->notice([text = "on_message threw: " + std::string(error.what())](Observer& observer) {
          observer.on_warning(text);
        });
      } catch (...) {
        self->notice([](Observer& observer) { observer.on_warning("on_message threw"); });
      }
      if (std::holds_alternative<ResultMessage>(message)) {
        const std::lock_guard lock(self->mutex_);
        ++self->results_delivered_;
        self->changed_.notify_all();
      }
    }
  });
}

void Session::Impl::notice(std::function<void(Observer&)> tell) {
  if (!options_.delivery.observer) return;
  notices_->run(
      [observer = options_.delivery.observer, tell = std::move(tell)] {
        try {
          tell(*observer);
        } catch (
            ...) {  // NOLINT(bugprone-empty-catch): an observer must not change what it observes
        }
      },
      kMostNotices);
}

void Session::Impl::on_error_output(std::string_view bytes) {
  {
    const std::lock_guard lock(mutex_);
    stderr_tail_ += bytes;
    if (stderr_tail_.size() > 2 * kStderrTail) {
      stderr_tail_.erase(0, stderr_tail_.size() - kStderrTail);
    }
  }
  if (options_.delivery.on_stderr) show_stderr(bytes);
}

void Session::Impl::show_stderr(std::string_view bytes) {
  stderr_line_ += bytes;
  std::size_t begin = 0;
  bool first = false;
  for (std::size_t end = 0; (end = stderr_line_.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    first = add_stderr_line(stderr_line_.substr(begin, end - begin)) || first;
  }
  stderr_line_.erase(0, begin);
  // A line without an end must not grow for ever.
  if (stderr_line_.size() > options_.buffers.queue_bytes) {
    first = add_stderr_line(std::exchange(stderr_line_, {})) || first;
  }
  if (first) tell_stderr();
}

void Session::Impl::end_stderr() {
  if (stderr_line_.empty()) return;
  if (add_stderr_line(std::exchange(stderr_line_, {}))) tell_stderr();
}

bool Session::Impl::add_stderr_line(std::string line) {
  if (options_.delivery.strip_ansi) line = detail::strip_ansi(line);
  const std::lock_guard lock(mutex_);
  if (stderr_lines_.size() >= kMostStderrLines) {
    ++stderr_dropped_;
    return false;
  }
  stderr_lines_.push_back(std::move(line));
  return stderr_lines_.size() == 1;
}

void Session::Impl::tell_stderr() {
  notices_->run([self = shared_from_this()] {
    for (;;) {
      std::string line;
      {
        const std::lock_guard lock(self->mutex_);
        if (const std::size_t dropped = std::exchange(self->stderr_dropped_, 0)) {
          self->stderr_lines_.push_back("[" + std::to_string(dropped) + " lines left out]");
        }
        if (self->stderr_lines_.empty()) return;
        line = std::move(self->stderr_lines_.front());
        self->stderr_lines_.pop_front();
      }
      try {
        self->options_.delivery.on_stderr(line);
      } catch (...) {  // NOLINT(bugprone-empty-catch): as for observers
      }
    }
  });
}

}  // namespace parley
