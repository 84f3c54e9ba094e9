// An agent at the other end of two descriptors: pipes, a socket, a terminal.
#pragma once

#include <memory>
#include <utility>

#include "../support/files/unique_fd.hpp"
#include "loop.hpp"
#include "transport.hpp"

namespace parley {

/// Takes both descriptors over and makes them non-blocking; they may be the same socket, given
/// twice as duplicates. stop() closes the input and gives the other side no time: what it has not
/// said by then is not read.
[[nodiscard]] std::unique_ptr<Transport> make_fd_transport(std::shared_ptr<Loop> loop,
                                                           UniqueFd output, UniqueFd input);

/// A connected pair: the transport, and the other end as one socket.
[[nodiscard]] Result<std::pair<std::unique_ptr<Transport>, UniqueFd>> make_socket_transport(
    std::shared_ptr<Loop> loop);

}  // namespace parley
