#include "server/log/segment.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace parley::server {
namespace {

constexpr std::size_t kHeader = 8;  ///< Length and checksum.
constexpr std::size_t kFixed = 17;  ///< Number, time, flags.
constexpr char kTransient = 1;

/// kCrcTables[n][b]: what byte b comes to when n more bytes have followed it.
constexpr auto make_crc_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xEDB88320U : 0U);
    tables[0][i] = value;
  }
  for (std::size_t n = 1; n < tables.size(); ++n) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t before = tables[n - 1][i];
      tables[n][i] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}
constexpr auto kCrcTables = make_crc_tables();

template <class T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFF);
  }
}

template <class T>
T get(const char* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return static_cast<T>(value);
}

/// A record as it stands in a file, without its event.
struct Head {
  std::size_t size = 0;  ///< Of what follows length and checksum.
  std::uint64_t seq = 0;
  std::int64_t time = 0;
  bool transient = false;
};

bool contains(const NumberRange& numbers, std::uint64_t seq) {
  return seq > numbers.after && seq < numbers.before;
}

/// The record that the bytes begin with, if it is whole. This also tells where records begin again
/// behind broken bytes: nothing in an event can pass for one. The highest byte of a length is 4 at
/// most, and no JSON has such a byte; number and checksum would have to fit as well.
std::optional<Head> read_head(std::string_view bytes, const NumberRange& numbers) {
  if (bytes.size() < kHeader + kFixed) return std::nullopt;
  const char* body = bytes.data() + kHeader;
  const Head head{get<std::uint32_t>(bytes.data()), get<std::uint64_t>(body),
                  get<std::int64_t>(body + 8), (body[16] & kTransient) != 0};
  // The checksum comes last: when every byte is tried, it must not be summed up at every byte.
  if (head.size < kFixed || head.size > bytes.size() - kHeader || !contains(numbers, head.seq) ||
      crc32(bytes.substr(kHeader, head.size)) != get<std::uint32_t>(bytes.data() + 4)) {
    return std::nullopt;
  }
  return head;
}

/// Whether bytes at the end of a file are the beginning of a record, as the death of the process
/// leaves it. A whole one whose length is wrong is none: it was written to its end.
bool is_torn(std::string_view bytes, const NumberRange& numbers) {
  if (bytes.size() < kHeader + kFixed) return true;
  return get<std::uint32_t>(bytes.data()) > bytes.size() - kHeader &&
         contains(numbers, get<std::uint64_t>(bytes.data() + kHeader)) &&
         crc32(bytes.substr(kHeader)) != get<std::uint32_t>(bytes.data() + 4);
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFFU;
  const auto step = [](std::uint32_t number, std::size_t after) {
    return kCrcTables[after][number & 0xFF];
  };
  // Eight at a time: the lookups of one round do not wait for each other.
  while (bytes.size() >= 8) {
    const auto low = get<std::uint32_t>(bytes.data()) ^ value;
    const auto high = get<std::uint32_t>(bytes.data() + 4);
    value = step(low, 7) ^ step(low >> 8, 6) ^ step(low >> 16, 5) ^ step(low >> 24, 4) ^
            step(high, 3) ^ step(high >> 8, 2) ^ step(high >> 16, 1) ^ step(high >> 24, 0);
    bytes.remove_prefix(8);
  }
  for (const char c : bytes) {
    value = (value >> 8) ^ step(value ^ static_cast<unsigned char>(c), 0);
  }
  return value ^ 0xFFFFFFFFU;
}

void append_record(std::string& out, std::uint64_t seq, std::int64_t time, bool transient,
                   std::string_view event) {
  const std::size_t begin = out.size();
  put(out, static_cast<std::uint32_t>(kFixed + event.size()));
  put(out, std::uint32_t{0});  // the checksum, when there is something to sum up
  put(out, seq);
  put(out, time);
  out += transient ? kTransient : char{0};
  out += event;
  std::string checksum;
  put(checksum, crc32(std::string_view(out).substr(begin + kHeader)));
  out.replace(begin + sizeof(std::uint32_t), checksum.size(), checksum);
}

std::size_t scan_records(std::string_view bytes, NumberRange numbers,
                         const std::function<bool(Record&&, std::size_t)>& on_record,
                         const std::function<bool(const Broken&)>& on_broken) {
  std::size_t end = 0;
  std::int64_t time = 0;
  while (end < bytes.size()) {
    std::size_t at = end;
    std::optional<Head> head = read_head(bytes.substr(at), numbers);
    while (!head && ++at < bytes.size()) head = read_head(bytes.substr(at), numbers);
    if (!head && is_torn(bytes.substr(end), numbers)) break;
    if (end == 0 && head) time = head->time;
    // Where no number is missing, no record is.
    const bool lost = at > end && numbers.after + 1 < (head ? head->seq : numbers.before);
    if (lost && !on_broken({end, at - end, numbers.after + 1, time})) break;
    if (!head) break;
    end = at + kHeader + head->size;
    time = head->time;
    numbers.after = head->seq;
    const std::string_view event = bytes.substr(at + kRecordOverhead, head->size - kFixed);
    if (!on_record({head->seq, head->time, head->transient, std::string(event)}, at)) break;
  }
  return end;
}

std::string Segment::file_name(std::uint64_t first) {
  std::string digits = std::to_string(first);
  return std::string(20 - digits.size(), '0') + digits + ".log";
}

std::uint64_t Segment::parse_name(std::string_view name) {
  if (name.size() != 24 || !name.ends_with(".log")) return 0;
  std::uint64_t value = 0;
  for (const char c : name.substr(0, 20)) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
    if (value >= kNumbersEnd) return 0;
  }
  return value;
}

void SegmentIndex::note(std::uint64_t seq, std::size_t at) {
  if (count_++ % kEvery == 0) marks_.push_back({seq, at});
}

SegmentIndex::Mark SegmentIndex::place_after(std::uint64_t seq) const {
  const auto mark =
      std::upper_bound(marks_.begin(), marks_.end(), seq + 1,
                       [](std::uint64_t wanted, const Mark& m) { return wanted < m.seq; });
  return mark == marks_.begin() ? Mark{} : *std::prev(mark);
}

}  // namespace parley::server
