// The title under which people find the session again, from flags, hooks or the client.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "../connection/message_sink.hpp"
#include "guarded.hpp"
#include "transcript_writer.hpp"

namespace parley::agent {

/// Thread-safe.
class SessionTitle {
 public:
  /// `name`: of the command line; nobody overrules it at the start.
  SessionTitle(std::optional<std::string> name, TranscriptWriter& transcript, MessageSink& messages)
      : name_(std::move(name)), transcript_(transcript), messages_(messages) {}

  /// Notes the title in the transcript and tells the client.
  void rename(const std::string& title);
  /// A turn begins, and with the first the transcript: the title that the session has by now is
  /// noted. Before that there is no transcript to note it in.
  void begin_transcript();

 private:
  void note(const std::string& title);

  const std::optional<std::string> name_;
  TranscriptWriter& transcript_;
  MessageSink& messages_;
  Guarded<std::optional<std::string>> title_;
  std::atomic<bool> begun_ = false;
};

}  // namespace parley::agent
