// The messages that a bulk scan has seen, each once. Made for a million of them in little memory: a
// record lies in one array and its place in another, and the threads share one table.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

namespace parley::history {

/// Names a message: a 128-bit hash, good enough that two messages never share it.
struct MessageKey {
  std::uint64_t high = 0, low = 0;
  bool operator==(const MessageKey&) const = default;
};

/// Any thread may call put(); the rest is for one thread, afterwards.
template <class Record>
class MessageTable {
 public:
  /// Adds a record; if the message is known, the one for which is_better(new, known) decides stays.
  template <class IsBetter>
  void put(const MessageKey& key, const Record& record, IsBetter&& is_better) {
    Part& part = parts_[key.high % kParts];
    const std::lock_guard lock(part.mutex);
    if (part.items.size() >= part.places.size() / 4 * 3) part.grow();
    std::uint32_t& place = part.place_of(key);
    if (place == kFree) {
      place = static_cast<std::uint32_t>(part.items.size());
      part.items.push_back({key, record});
    } else if (is_better(record, part.items[place].record)) {
      part.items[place].record = record;
    }
  }

  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const Part& part : parts_) sum += part.items.size();
    return sum;
  }

  /// Moves all records behind `records`, in no particular order, and forgets them piece by piece,
  /// so that they are not in memory twice.
  void take(std::vector<Record>& records) {
    records.reserve(records.size() + size());
    for (Part& part : parts_) {
      for (const Item& item : part.items) records.push_back(item.record);
      part.items = {};
      part.places = {};
    }
  }

 private:
  static constexpr std::size_t kParts = 32;  ///< So that threads seldom wait, and growing is cheap.
  static constexpr std::uint32_t kFree = UINT32_MAX;

  struct Item {
    MessageKey key;
    Record record;
  };
  struct Part {
    std::mutex mutex;
    std::vector<Item> items;
    std::vector<std::uint32_t> places;  ///< Into items, by hash; a power of two of them, or none.

    std::uint32_t& place_of(const MessageKey& key) {
      const std::size_t mask = places.size() - 1;
      std::size_t at = key.low & mask;
      while (places[at] != kFree && items[places[at]].key != key) at = (at + 1) & mask;
      return places[at];
    }
    void grow() {
      constexpr std::size_t kFirst = 64;
      places.assign(places.empty() ? kFirst : places.size() * 2, kFree);
      for (std::uint32_t i = 0; i < items.size(); ++i) place_of(items[i].key) = i;
    }
  };

  std::array<Part, kParts> parts_;
};

}  // namespace parley::history
