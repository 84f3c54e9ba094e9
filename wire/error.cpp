#include "error.hpp"

namespace parley {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::malformed: return "malformed";
    case ErrorCode::unexpected: return "unexpected";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::invalid: return "invalid";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::io: return "io";
    case ErrorCode::process: return "process";
    case ErrorCode::timeout: return "timeout";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::closed: return "closed";
    case ErrorCode::end: return "end";
    case ErrorCode::remote: return "remote";
    case ErrorCode::permission: return "permission";
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
