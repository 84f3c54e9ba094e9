// Decodes and encodes what has a codec in the library: every type that is declared with
// PARLEY_CODEC. For lists of them, plain values and structs with a table of your own include
// codec.hpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "values.hpp"

namespace parley {

namespace detail {

/// One JSON text into `out`; nothing may follow it.
Result<void> decode_with(bool (*read)(JsonReader&, void* out, DecodeFailure&), void* out,
                         std::string_view text);

}  // namespace detail

/// One JSON text into `out`, a fresh T; nothing may follow it. After an error `out` may hold a
/// part.
template <class T>
[[nodiscard]] Result<void> decode_into(T& out, std::string_view text) {
  return detail::decode_with(
      [](JsonReader& reader, void* value, detail::DecodeFailure& failure) {
        return Codec<T>::read(reader, *static_cast<T*>(value), failure);
      },
      &out, text);
}

/// One JSON text into a T; nothing may follow it.
template <class T>
[[nodiscard]] Result<T> decode(std::string_view text) {
  // One name for every way out, so that the compiler builds it where the caller wants it: a Message
  // is too large to be moved for nothing.
  Result<T> result(std::in_place);
  if (auto decoded = decode_into(*result, text); !decoded) result = decoded.error();
  return result;
}

/// Appends the JSON of `value`.
template <class T>
void encode(const T& value, std::string& out) {
  Codec<T>::write(value, out);
}

template <class T>
[[nodiscard]] std::string encode(const T& value) {
  std::string out;
  Codec<T>::write(value, out);
  return out;
}

/// The bytes of `value`, for a member that is carried as RawJson.
template <class T>
[[nodiscard]] RawJson to_raw(const T& value) {
  return RawJson(encode(value));
}

template <class T>
Result<T> RawJson::as() const {
  return decode<T>(text);
}

}  // namespace parley
