#include "agent/connection/output.hpp"

#include <unistd.h>

#include "support/files/io.hpp"
#include "support/random.hpp"

namespace parley::agent {
namespace {

/// What a user without JSON reads of a result.
std::string text_of(const ResultMessage& result) {
  const std::string error =
      result.errors && !result.errors->empty() ? result.errors->front() : std::string();
  if (result.subtype == ResultSubtype::error_max_turns) {
    const std::size_t open = error.find('(');
    return "Error: Reached max turns " +
           (open == std::string::npos ? std::string() : error.substr(open));
  }
  if (result.subtype == ResultSubtype::error_max_budget_usd) return "Error: Exceeded USD budget";
  const std::string text = result.result.value_or("");
  return text.empty() ? error : text;
}

}  // namespace

void Output::set_session_id(std::string id) {
  const std::lock_guard lock(mutex_);
  session_id_ = std::move(id);
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
  if (message.session_id.empty()) message.session_id = session_id_;
}

void Output::keep(const ResultMessage& result) {
  last_ = result;
  if (format_ != Format::text) return;
  if (std::string text = text_of(result); !text.empty()) texts_.push_back(std::move(text));
}

void Output::send(Message message) {
  const std::lock_guard lock(mutex_);
  const auto prepare = [this]<class T>(T& one) {
    if constexpr (std::is_base_of_v<Stamped, T>) stamp(one);
    if constexpr (std::is_same_v<T, ResultMessage>) keep(one);
  };
  std::visit(prepare, message);
  if (format_ == Format::stream_json) {
    line_.clear();
    encode_message(message, line_);
    line_ += '\n';
    write_line(line_);
  } else if (format_ == Format::json && verbose_) {
    kept_.push_back(encode_message(message));
  }
}

void Output::finish() {
  const std::lock_guard lock(mutex_);
  if (format_ == Format::stream_json || !last_) return;
  if (format_ == Format::json) {
    if (!verbose_) return write_line(encode_message(Message(*last_)) + "\n");
    std::string array;
    for (const std::string& message : kept_) array += (array.empty() ? "[" : ",") + message;
    return write_line(array + "]\n");
  }
  std::string text;
  for (const std::string& one : texts_) text += (text.empty() ? "" : "\n\n") + one;
  write_line(text + "\n");
}

void Output::write_line(std::string_view line) {
  if (!broken_) broken_ = !write_all(STDOUT_FILENO, line);
}

}  // namespace parley::agent
