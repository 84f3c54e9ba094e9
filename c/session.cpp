// The functions of parley.h on sessions: arguments are checked, then passed on to a Session.
#include "client/session.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "c/error.hpp"
#include "c/line.hpp"
#include "c/options.hpp"
#include "c/prompt.hpp"
#include "client/version.hpp"
#include "support/text/utf8.hpp"
#include "wire/codec/codec.hpp"
#include "wire/json/json.hpp"

struct parley_session {
  explicit parley_session(parley::Options options) : session(std::move(options)) {}

  parley::Session session;
  std::atomic<bool> closed{false};
};

namespace parley::c {
namespace {

using Done = Result<parley_code>;

Error closed() { return {ErrorCode::closed, "the session is closed"}; }
Error no_argument(const char* name) { return {ErrorCode::invalid, "must not be NULL", name}; }

/// An argument that must be there and be text.
Result<std::string_view> text_argument(const char* text, const char* name) {
  if (text == nullptr) return no_argument(name);
  if (!is_utf8(text)) return Error(ErrorCode::invalid, "is not UTF-8", name);
  return std::string_view(text);
}

/// An argument that must be one JSON value; written anew, it is one line.
Result<RawJson> json_argument(const char* text, const char* name) {
  const auto checked = text_argument(text, name);
  if (!checked) return checked.error();
  const auto json = Json::parse(*checked);
  if (!json) return Error(json.error().code(), json.error().what(), name);
  return RawJson(json->dump());
}

/// For the caller, who frees it with parley_string_free().
char* copied(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

void give(char** wanted, std::string_view text) {
  if (wanted != nullptr) *wanted = copied(text);
}

/// Runs `body` with the session, which must be there.
template <class Body>
parley_code with(parley_session* session, parley_error** error, const Body& body) noexcept {
  return guarded(session == nullptr ? nullptr : &session->session, error, [&]() -> Done {
    if (session == nullptr) return no_argument("session");
    return body(session->session);
  });
}

template <class Start>
parley_code begin(const char* options_json, parley_session** out, parley_error** error,
                  Start start) noexcept {
  if (out != nullptr) *out = nullptr;
  // Outlives guarded(), which asks it how it has failed.
  std::unique_ptr<parley_session> made;
  const parley_code failed = guarded(nullptr, error, [&]() -> Done {
    if (out == nullptr) return no_argument("session");
    const auto json = text_argument(options_json == nullptr ? "{}" : options_json, "options");
    if (!json) return json.error();
    auto options = read_options(*json);
    if (!options) return options.error();
    made = std::make_unique<parley_session>(*std::move(options));
    return PARLEY_OK;
  });
  if (failed != PARLEY_OK) return failed;
  return guarded(&made->session, error, [&]() -> Done {
    if (const auto started = (made->session.*start)(); !started) return started.error();
    *out = made.release();
    return PARLEY_OK;
  });
}

Done send(Session& session, const Result<Prompt>& prompt, char** uuid) {
  if (!prompt) return prompt.error();
  const auto sent = session.send(*prompt);
  if (!sent) return sent.error();
  give(uuid, *sent);
  return PARLEY_OK;
}

/// Nothing came in time. The session that failed because its CLI did not answer at the start says
/// `timeout`, too, but waiting longer is of no use there.
bool is_mere_timeout(const Session& session, const Error& error) {
  if (error.code() != ErrorCode::timeout) return false;
  const auto failure = session.failure();
  return !failure || failure->error != error;
}

/// A text about the session, for the caller; none if there is no session, or no memory.
template <class Look>
char* state(const parley_session* session, Look look) noexcept {
  char* text = nullptr;
  if (session != nullptr) {
    (void)guarded(nullptr, nullptr, [&]() -> Done {
      text = copied(as_text(look(session->session)));
      return PARLEY_OK;
    });
  }
  return text;
}

std::string receipt_text(const InterruptReceipt& receipt) {
  return R"({"still_queued":)" + encode(receipt.still_queued) + R"(,"cancelled":)" +
         encode(receipt.cancelled) + R"(,"result":)" +
         (receipt.turn ? encode_message(Message(*receipt.turn)) : "null") + "}";
}

}  // namespace
}  // namespace parley::c

namespace c = parley::c;
using parley::Session;

const char* parley_version() {
  return parley::kVersion.data();  // a literal, so it ends with a NUL
}

void parley_string_free(char* text) { std::free(text); }

// ---- life ---------------------------------------------------------------------------------------

parley_code parley_open(const char* options_json, parley_session** session, parley_error** error) {
  return c::begin(options_json, session, error, &Session::connect);
}

parley_code parley_start(const char* options_json, parley_session** session, parley_error** error) {
  return c::begin(options_json, session, error, &Session::start);
}

parley_code parley_end_input(parley_session* session, parley_error** error) {
  return c::with(session, error, [](Session& inside) -> c::Done {
    inside.end_input();
    return PARLEY_OK;
  });
}

parley_code parley_close(parley_session* session, parley_error** error) {
  return c::with(session, error, [session](Session& inside) -> c::Done {
    session->closed = true;
    inside.close();
    return PARLEY_OK;
  });
}

void parley_session_free(parley_session* session) {
  // Not left to the destructor, out of which no exception may come.
  if (session != nullptr) (void)parley_close(session, nullptr);
  delete session;
}

// ---- what the agent says ------------------------------------------------------------------------

parley_code parley_next(parley_session* session, int timeout_ms, parley_line** line,
                        parley_error** error) {
  if (line != nullptr) *line = nullptr;
  return c::with(session, error, [=](Session& inside) -> c::Done {
    if (line == nullptr) return c::no_argument("line");
    Session::Timeout timeout;
    if (timeout_ms >= 0) timeout = std::chrono::milliseconds(timeout_ms);
    const auto received = inside.receive_line(timeout);
    if (!received) {
      if (received.error().code() == parley::ErrorCode::end) return PARLEY_END;
      if (c::is_mere_timeout(inside, received.error())) return PARLEY_TIMEOUT;
      return received.error();
    }
    *line = new parley_line(c::to_line(*received));
    return PARLEY_OK;
  });
}

parley_code parley_fd(parley_session* session, int* fd, parley_error** error) {
  if (fd != nullptr) *fd = -1;
  return c::with(session, error, [fd](Session& inside) -> c::Done {
    if (fd == nullptr) return c::no_argument("fd");
    const auto descriptor = inside.fd();
    if (!descriptor) return descriptor.error();
    *fd = *descriptor;
    return PARLEY_OK;
  });
}

// ---- what the agent is told ---------------------------------------------------------------------

parley_code parley_send(parley_session* session, const char* text, char** uuid,
                        parley_error** error) {
  if (uuid != nullptr) *uuid = nullptr;
  return c::with(session, error, [=](Session& inside) -> c::Done {
    const auto prompt = c::text_argument(text, "text");
    if (!prompt) return prompt.error();
    return c::send(inside, parley::Prompt(*prompt), uuid);
  });
}

parley_code parley_send_json(parley_session* session, const char* prompt_json, char** uuid,
                             parley_error** error) {
  if (uuid != nullptr) *uuid = nullptr;
  return c::with(session, error, [=](Session& inside) -> c::Done {
    const auto json = c::text_argument(prompt_json, "prompt");
    if (!json) return json.error();
    return c::send(inside, c::read_prompt(*json), uuid);
  });
}

parley_code parley_answer(parley_session* session, const char* request_id, const char* body_json,
                          parley_error** error) {
  return c::with(session, error, [=](Session& inside) -> c::Done {
    const auto id = c::text_argument(request_id, "request_id");
    if (!id) return id.error();
    const auto body = c::json_argument(body_json, "body");
    if (!body) return body.error();
    if (session->closed) return c::closed();
    const auto answered = inside.answer(std::string(*id), *body);
    if (!answered) return answered.error();
    return PARLEY_OK;
  });
}

parley_code parley_decline(parley_session* session, const char* request_id, parley_error** error) {
  return c::with(session, error, [=](Session& inside) -> c::Done {
    const auto id = c::text_argument(request_id, "request_id");
    if (!id) return id.error();
    if (session->closed) return c::closed();
    const auto declined = inside.decline(std::string(*id));
    if (!declined) return declined.error();
    return PARLEY_OK;
  });
}

parley_code parley_request(parley_session* session, const char* body_json, int timeout_ms,
                           char** reply_json, parley_error** error) {
  if (reply_json != nullptr) *reply_json = nullptr;
  return c::with(session, error, [=](Session& inside) -> c::Done {
    const auto body = c::json_argument(body_json, "body");
    if (!body) return body.error();
    Session::Timeout timeout;
    if (timeout_ms > 0) timeout = std::chrono::milliseconds(timeout_ms);
    const auto reply = inside.request(*body, timeout);
    if (!reply) return reply.error();
    c::give(reply_json, reply->text);
    return PARLEY_OK;
  });
}

parley_code parley_interrupt(parley_session* session, int cancel_queued, char** receipt_json,
                             parley_error** error) {
  if (receipt_json != nullptr) *receipt_json = nullptr;
  return c::with(session, error, [=](Session& inside) -> c::Done {
    const auto receipt = inside.interrupt(cancel_queued != 0);
    if (!receipt) return receipt.error();
    c::give(receipt_json, c::receipt_text(*receipt));
    return PARLEY_OK;
  });
}

// ---- state --------------------------------------------------------------------------------------

char* parley_session_id(const parley_session* session) {
  return c::state(session, [](const Session& inside) { return inside.session_id(); });
}

char* parley_stderr(const parley_session* session) {
  return c::state(session, [](const Session& inside) { return inside.stderr_tail(); });
}
