// The same bytes in other portions give the same frames, and nothing is held back beyond the limit.
// The first two bytes of the input choose the limit and where the stream is cut.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/require.hpp"
#include "wire/framing.hpp"

namespace {

using parley::Frame;
using parley::LineFramer;

std::vector<std::string> frames_of(std::string_view bytes, std::size_t limit, std::size_t portion) {
  LineFramer framer(limit);
  std::vector<std::string> frames;
  const auto drain = [&] {
    while (const auto frame = framer.next()) {
      const bool dropped = frame->kind == Frame::Kind::too_long;
      require(dropped || frame->text.size() <= limit);
      require(frame->text.find('\n') == std::string_view::npos);
      // How much of a dropped line is shown depends on how much had arrived.
      frames.push_back(std::to_string(static_cast<int>(frame->kind)) +
                       (dropped ? std::string() : std::string(frame->text)));
    }
    require(framer.pending() <= limit + 1);
  };
  for (std::size_t at = 0; at < bytes.size(); at += portion) {
    framer.push(bytes.substr(at, portion));
    drain();
  }
  framer.finish();
  drain();
  return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  same_in_any_portions(data, size, frames_of);
  return 0;
}
