#include "server/log/snapshot_file.hpp"

#include <unistd.h>

#include <string>

#include "server/log/disk.hpp"
#include "server/log/segment.hpp"
#include "support/files/replace_file.hpp"
#include "wire/json/json.hpp"

namespace parley::server {
namespace {

namespace fs = std::filesystem;

/// Longer than any state; what is longer was not saved by save_state().
constexpr std::uintmax_t kLongestFile = std::uintmax_t{1} << 30;

fs::path file_in(const fs::path& folder) { return folder / "snapshot.json"; }

std::uint64_t checksum(const SavedState& state) {
  std::string text;
  for (const std::uint64_t number :
       {state.snapshot.seq, state.segment, std::uint64_t{state.bytes},
        std::uint64_t{state.last_record}, std::uint64_t{state.transient}, state.compacted}) {
    text += std::to_string(number) + ' ';
  }
  return crc32(text + state.snapshot.state);
}

}  // namespace

Result<void> save_state(const fs::path& folder, const SavedState& state) {
  const Json json = Json::object({{"seq", state.snapshot.seq},
                                  {"segment", state.segment},
                                  {"bytes", std::uint64_t{state.bytes}},
                                  {"last_record", std::uint64_t{state.last_record}},
                                  {"transient", std::uint64_t{state.transient}},
                                  {"compacted", state.compacted},
                                  {"crc", checksum(state)},
                                  {"state", state.snapshot.state}});
  const fs::path file = file_in(folder);
  const Replaced done = replace_file(file.string(), json.dump(), {.draft = "snapshot.json.new"});
  if (done) return {};
  errno = done.error;
  return io_error("cannot write", file);
}

std::optional<SavedState> load_state(const fs::path& folder) {
  const fs::path path = file_in(folder);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const auto size = fs::file_size(path, error);
  if (error || size > kLongestFile) return std::nullopt;
  const auto bytes = read_range(path, 0, size);
  if (!bytes) return std::nullopt;
  const auto json = Json::parse(*bytes);
  if (!json) return std::nullopt;
  const auto number = [&](const char* name) {
    return static_cast<std::uint64_t>((*json)[name].as_int());
  };
  SavedState state{{number("seq"), std::string((*json)["state"].as_string())},
                   number("segment"),
                   number("bytes"),
                   number("last_record"),
                   number("transient"),
                   number("compacted")};
  if (!(*json)["crc"].is_number() || number("crc") != checksum(state)) return std::nullopt;
  return state;
}

void remove_state(const fs::path& folder) { ::unlink(file_in(folder).c_str()); }

}  // namespace parley::server
