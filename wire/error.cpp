#include "error.hpp"

namespace parley {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kMalformed: return "malformed";
    case ErrorCode::kUnexpected: return "unexpected";
    case ErrorCode::kTooLarge: return "too_large";
    case ErrorCode::kInvalid: return "invalid";
    case ErrorCode::kNotFound: return "not_found";
    case ErrorCode::kIo: return "io";
    case ErrorCode::kProcess: return "process";
    case ErrorCode::kTimeout: return "timeout";
    case ErrorCode::kCancelled: return "cancelled";
    case ErrorCode::kClosed: return "closed";
    case ErrorCode::kEnd: return "end";
    case ErrorCode::kRemote: return "remote";
    case ErrorCode::kPermission: return "permission";
  }
  return "unknown";
}

Error::Error(ErrorCode code, std::string message, std::string context)
    : code_(code), message_(std::move(message)), context_(std::move(context)) {
  text_ = context_.empty() ? message_ : context_ + ": " + message_;
}

ErrorDetail::~ErrorDetail() = default;

Error Error::with(std::shared_ptr<const ErrorDetail> detail) const {
  Error error = *this;
  error.detail_ = std::move(detail);
  return error;
}

void Error::raise() const {
  if (detail_) detail_->raise(*this);
  throw *this;
}

}  // namespace parley
