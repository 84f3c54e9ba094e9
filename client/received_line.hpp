// One line of the agent's output with its bytes as they came, for programs that keep a record of
// what an agent says (DeliveryOptions::line_stream).
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "../wire/error.hpp"
#include "../wire/messages/messages.hpp"

namespace parley {

struct ReceivedLine {
  /// What the line says. Nothing of use if there is an error.
  Message message;
  /// The line as the agent wrote it, without its end. Empty if the message is the library's own
  /// word: a result in the place of one that cannot be read, an error of a session store. Valid as
  /// long as this object or a copy of it.
  std::string_view text;
  /// Why the line is no message; `text` is its beginning then, 4 KiB at most.
  std::optional<Error> error;
  /// Keeps `text` alive.
  std::shared_ptr<const void> owner;
};

}  // namespace parley
