// The one writer of stdout. Messages go out as lines, or are kept for the formats that print only
// the end.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "../session/config/flags.hpp"
#include "message_sink.hpp"

namespace parley::agent {

/// Thread-safe. Messages leave in the order of the calls.
class Output final : public MessageSink {
 public:
  Output(Format format, bool verbose) : format_(format), verbose_(verbose) {}

  void set_session_id(std::string id);

  /// Sends a message, stamped with the session and an id of its own if it has none.
  void send(Message message) override;
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
