// What the session remembers of files: what the model has read, and what they were before it
// changed them.
#include <chrono>
#include <filesystem>

#include "agent/control/requests.hpp"

namespace parley::agent::requests {

ControlReply seed_read_state(ControlContext& context, const control::SeedReadState& request) {
  namespace fs = std::filesystem;
  ToolState& state = context.tools.state();
  const fs::path file = state.absolute(request.path);
  std::error_code error;
  const fs::file_time_type modified = fs::last_write_time(file, error);
  const auto since_1970 = std::chrono::file_clock::to_sys(modified).time_since_epoch();
  if (!error && since_1970 < std::chrono::milliseconds(request.mtime + 1)) {
    KnownFile known;
    known.modified = modified;
    known.in_context = false;
    state.note(file, std::move(known));
  }
  return no_body();
}

ControlReply rewind_files(ControlContext& context, const control::RewindFiles& request) {
  const bool dry_run = request.dry_run.value_or(false);
  auto rewound = context.checkpoints != nullptr
                     ? context.checkpoints->rewind(request.user_message_id, dry_run)
                     : Error(ErrorCode::invalid, "File rewinding is not enabled.");
  if (rewound || !dry_run) return encoded(rewound);
  control::RewindFilesReply impossible;
  impossible.error = rewound.error().message();
  return encoded(impossible);
}

}  // namespace parley::agent::requests
