// The one error type of the libraries, and the result that carries it.
//
// `Result<T>` is for what a peer, the operating system, the user or the network can cause;
// exceptions are for misuse. Whoever likes exceptions calls `.value()`, which throws the Error, as
// the class that its detail names (client/errors.hpp).
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace parley {

enum class ErrorCode {
  malformed,   ///< Bytes that are not JSON.
  unexpected,  ///< JSON of another shape than the type asked for.
  too_large,   ///< A size limit was reached.
  invalid,     ///< An argument or option that cannot be used.
  not_found,   ///< A file, program, session or id that does not exist.
  io,          ///< The operating system refused a read, a write or a call.
  process,     ///< The agent process failed or ended.
  timeout,     ///< A deadline passed.
  cancelled,   ///< Cancelled by either side.
  closed,      ///< The other end, or this object, is closed.
  end,         ///< There is no more, and nothing is wrong.
  remote,      ///< The peer answered with an error of its own.
  permission,  ///< Refused for safety: outside the given roots, or not allowed.
};

[[nodiscard]] std::string_view to_string(ErrorCode code);

class Error;

/// What a library adds to an Error: facts, and the exception that stands for it.
class ErrorDetail {
 public:
  virtual ~ErrorDetail();
  [[noreturn]] virtual void raise(const Error& error) const = 0;
};

/// A value: copies and compares. It derives from std::exception only so that it can be thrown.
class Error : public std::exception {
 public:
  Error() = default;
  Error(ErrorCode code, std::string message, std::string context = {});

  /// What happened, without the place: "expected string".
  [[nodiscard]] const std::string& message() const { return message_; }
  /// Where: a JSON path ("message.content[2].id"), a file, an option. May be empty.
  [[nodiscard]] const std::string& context() const { return context_; }
  [[nodiscard]] ErrorCode code() const { return code_; }
  /// Both, for a person: "message.content[2].id: expected string".
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

  /// The detail, if it is one of this kind.
  template <class T>
  [[nodiscard]] const T* detail() const {
    return dynamic_cast<const T*>(detail_.get());
  }
  [[nodiscard]] Error with(std::shared_ptr<const ErrorDetail> detail) const;
  /// Throws it: as what its detail says, else as it is.
  [[noreturn]] void raise() const;

  /// Details do not count: they say more about the same.
  friend bool operator==(const Error& a, const Error& b) {
    return a.code_ == b.code_ && a.message_ == b.message_ && a.context_ == b.context_;
  }

 private:
  ErrorCode code_ = ErrorCode::invalid;
  std::string message_, context_, text_;
  std::shared_ptr<const ErrorDetail> detail_;
};

/// Either a T or an Error. `Result<void>` is success or an Error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  /// Makes the value in place.
  template <class... A>
  explicit Result(std::in_place_t, A&&... arguments)
      : state_(std::in_place_index<0>, std::forward<A>(arguments)...) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// The value; throws the Error if there is none.
  T& value() & {
    if (!ok()) error().raise();
    return std::get<0>(state_);
  }
  const T& value() const& {
    if (!ok()) error().raise();
    return std::get<0>(state_);
  }
  T value() && {
    if (!ok()) error().raise();
    return std::move(std::get<0>(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The error; throws std::logic_error if the result is ok.
  [[nodiscard]] const Error& error() const {
    if (ok()) throw std::logic_error("parley::Result: asked a success for its error");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  void value() const {
    if (error_) error_->raise();
  }
  [[nodiscard]] const Error& error() const {
    if (!error_) throw std::logic_error("parley::Result: asked a success for its error");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace parley
