// Starts the process of a ProcessSpec with pipes for its three streams. Internal to transport/.
#pragma once

#include <sys/types.h>

#include "../support/files/unique_fd.hpp"
#include "process.hpp"

namespace parley::detail {

struct Child {
  pid_t pid = -1;
  UniqueFd pidfd;
  UniqueFd input;   ///< Write end of its stdin, non-blocking.
  UniqueFd output;  ///< Read ends, non-blocking.
  UniqueFd errors;
};

/// The kernel kills the child when the *thread* that calls this ends, so it has to be the loop's.
Result<Child> start_process(const ProcessSpec& spec);

}  // namespace parley::detail
