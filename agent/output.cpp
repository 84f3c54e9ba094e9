#include "agent/output.hpp"

#include <unistd.h>

#include <cerrno>

#include "agent/uuid.hpp"

namespace parley::agent {

void write_null(Extra& extra, std::string_view member) {
  extra.members.push_back({std::string(member), RawJson("null"), true});
}

void Output::set_session_id(std::string id) {
  const std::lock_guard lock(mutex_);
  session_id_ = std::move(id);
}

std::string Output::session_id() const {
  const std::lock_guard lock(mutex_);
  return session_id_;
}

std::optional<ResultMessage> Output::last_result() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void Output::mute() {
  const std::lock_guard lock(mutex_);
  broken_ = true;
}

bool Output::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

void Output::stamp(Stamped& message) const {
  if (message.uuid.empty()) message.uuid = make_uuid();
  if (!message.session_id.empty()) return;
  const std::lock_guard lock(mutex_);
  message.session_id = session_id_;
}

void Output::keep(const ResultMessage& result) {
  const std::lock_guard lock(mutex_);
  last_ = result;
}

void Output::write(const Message& message) {
  const std::lock_guard lock(mutex_);
  if (format_ == Format::kStreamJson) {
    line_.clear();
    encode_message(message, line_);
    line_ += '\n';
    write_line(line_);
  } else if (format_ == Format::kJson && verbose_) {
    kept_.push_back(encode_message(message));
  }
}

void Output::finish() {
  const std::lock_guard lock(mutex_);
  if (format_ == Format::kStreamJson || !last_) return;
  if (format_ == Format::kJson) {
    if (!verbose_) return write_line(encode_message(Message(*last_)) + "\n");
    std::string array;
    for (const std::string& message : kept_) array += (array.empty() ? "[" : ",") + message;
    return write_line(array + "]\n");
  }
  std::string text = last_->result.value_or("");
  if (last_->subtype == ResultSubtype::error_max_turns) {
    const auto digits = last_->errors && !last_->errors->empty() ? last_->errors->front() : "";
    const std::size_t open = digits.find('(');
    text = "Error: Reached max turns " +
           (open == std::string::npos ? std::string() : digits.substr(open));
  } else if (last_->subtype == ResultSubtype::error_max_budget_usd) {
    text = "Error: Exceeded USD budget";
  } else if (text.empty() && last_->errors && !last_->errors->empty()) {
    text = last_->errors->front();
  }
  write_line(text + "\n");
}

void Output::write_line(std::string_view line) {
  while (!line.empty() && !broken_) {
    const ssize_t count = ::write(STDOUT_FILENO, line.data(), line.size());
    if (count >= 0) {
      line.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      broken_ = true;
    }
  }
}

}  // namespace parley::agent
