// From results and exceptions of the SDK to the codes and errors of parley.h. Everything that
// parley.h offers and that can fail runs inside of guarded().
#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "c/parley.h"
#include "client/errors.hpp"
#include "client/session.hpp"

/// All texts are UTF-8 without NUL characters.
struct parley_error {
  parley_code code = PARLEY_INTERNAL;
  std::string message;
  std::string context;
  parley_phase phase = PARLEY_PHASE_NONE;
  int exit_code = -1;
  int exit_signal = 0;
  std::string stderr_tail;
};

namespace parley::c {

/// The bytes as a C string can hold them: U+FFFD for what is no text, NUL characters included.
[[nodiscard]] std::string as_text(std::string_view bytes);

/// Gives the error to the caller if it wants one, and returns its code. If it is the one that the
/// session has failed with, it tells the circumstances, too. The session may be none.
parley_code report(const Error& why, const Session* session, parley_error** error) noexcept;
parley_code report(parley_code code, const char* message, parley_error** error) noexcept;

/// Runs `body`, which returns a Result<parley_code>, and lets nothing out but a code and an error.
template <class Body>
parley_code guarded(const Session* session, parley_error** error, const Body& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    const Result<parley_code> done = body();
    return done ? *done : report(done.error(), session, error);
  } catch (const std::bad_alloc&) {
    return PARLEY_NO_MEMORY;
  } catch (const Error& why) {
    return report(why, session, error);
  } catch (const std::system_error& why) {
    // No thread or descriptor was to be had.
    return report(PARLEY_IO, why.what(), error);
  } catch (const std::exception& why) {
    return report(PARLEY_INTERNAL, why.what(), error);
  } catch (...) {
    return report(PARLEY_INTERNAL, "unknown exception", error);
  }
}

}  // namespace parley::c
