// Scripts and requests are input like any other: a script is refused with a reason or played, and
// every turn of it can be said.
#include <cstdint>
#include <string_view>

#include "model/answer.hpp"
#include "model/demo/demo.hpp"
#include "model/playback.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parley;
  using namespace parley::model;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto request = Json::parse(text)) static_cast<void>(Demo().choose(*request));
  auto script = Script::parse(text);
  if (!script) return 0;
  const std::size_t turns = script->turns.size();
  Playback playback(*std::move(script));
  const Json request = Json::object({{"tools", Json::array({Json::object()})}});
  for (std::size_t i = 0; i <= turns && i < 20; ++i) {
    const Choice choice = playback.choose(request);
    static_cast<void>(events(choice.turn, {1, "m"}));
    static_cast<void>(whole_message(choice.turn, {1, "m"}));
  }
  return 0;
}
