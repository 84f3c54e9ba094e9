// The one writer of stdout. Messages go out as lines, or are kept for the formats that print only
// the end.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/messages/messages.hpp"
#include "../session/config/flags.hpp"

namespace parley::agent {

/// Writes an explicit null for a member that is missing otherwise.
void write_null(Extra& extra, std::string_view member);

/// Thread-safe. Messages leave in the order of the calls.
class Output {
 public:
  Output(Format format, bool verbose) : format_(format), verbose_(verbose) {}

  void set_session_id(std::string id);
  [[nodiscard]] std::string session_id() const;

  /// Sends a message, stamped with the session and an id of its own if it has none.
  template <class T>
  void send(T message) {
    if constexpr (std::is_base_of_v<Stamped, T>) stamp(message);
    if constexpr (std::is_same_v<T, ResultMessage>) keep(message);
    write(Message(std::move(message)));
  }
  /// What json prints of the last result, and text of all of them.
  void finish();
  [[nodiscard]] std::optional<ResultMessage> last_result() const;
  /// Nothing more is to be said.
  void mute();
  /// Nobody reads any more; the agent has nobody to work for.
  [[nodiscard]] bool broken() const;

 private:
  void stamp(Stamped& message) const;
  void keep(const ResultMessage& result);
  void write(const Message& message);
  void write_line(std::string_view line);

  const Format format_;
  const bool verbose_;
  mutable std::mutex mutex_;
  std::string session_id_;
  std::string line_;                ///< Kept for its memory.
  std::vector<std::string> kept_;   ///< For json with --verbose: everything.
  std::vector<std::string> texts_;  ///< For text: what each result says.
  std::optional<ResultMessage> last_;
  bool broken_ = false;
};

}  // namespace parley::agent
