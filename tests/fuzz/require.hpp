// What the fuzzers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

/// What must hold for every input.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// For what reads a stream within a limit: `read(bytes, limit, portion)` has to give the same in
/// whatever portions the bytes come. The first two bytes of the input choose both.
template <class Read>
void same_in_any_portions(const std::uint8_t* data, std::size_t size, const Read& read) {
  if (size < 2) return;
  const std::size_t limit = data[0];
  const std::size_t portion = 1 + data[1] % 32;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto whole = read(bytes, limit, bytes.size() + 1);
  require(read(bytes, limit, portion) == whole);
  require(read(bytes, limit, 1) == whole);
}
