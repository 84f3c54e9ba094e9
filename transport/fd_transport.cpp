#include "transport/fd_transport.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "transport/stream_transport.hpp"

namespace parley {
namespace {

class FdStream final : public detail::Stream {
 public:
  FdStream(std::shared_ptr<Loop> loop, UniqueFd output, UniqueFd input)
      : Stream(std::move(loop)), given_output_(std::move(output)), given_input_(std::move(input)) {}

 private:
  Result<void> open() override {
    if (!given_output_ || !given_input_) {
      return Error(ErrorCode::invalid, "the transport has no descriptors, or was started before");
    }
    for (const UniqueFd* fd : {&given_output_, &given_input_}) {
      if (!set_non_blocking(fd->get())) {
        return Error(ErrorCode::io, std::string("fcntl: ") + std::strerror(errno));
      }
    }
    output_ = std::move(given_output_);
    input_ = std::move(given_input_);
    return {};
  }
  void on_output_end() override { finish({}); }
  void begin_stop() override { finish({}); }
  void begin_kill() override { finish({}); }

  UniqueFd given_output_, given_input_;
};

}  // namespace

std::unique_ptr<Transport> make_fd_transport(std::shared_ptr<Loop> loop, UniqueFd output,
                                             UniqueFd input) {
  return std::make_unique<detail::StreamTransport>(
      std::make_shared<FdStream>(std::move(loop), std::move(output), std::move(input)));
}

Result<std::pair<std::unique_ptr<Transport>, UniqueFd>> make_socket_transport(
    std::shared_ptr<Loop> loop) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error(ErrorCode::io, std::string("socketpair: ") + std::strerror(errno));
  }
  UniqueFd near_end(ends[0]);
  UniqueFd far_end(ends[1]);
  UniqueFd writing(::fcntl(near_end.get(), F_DUPFD_CLOEXEC, 3));
  if (!writing) return Error(ErrorCode::io, std::string("fcntl: ") + std::strerror(errno));
  auto transport = make_fd_transport(std::move(loop), std::move(near_end), std::move(writing));
  return std::pair(std::move(transport), std::move(far_end));
}

}  // namespace parley
