#include "support/random.hpp"

#include <sys/random.h>

#include <cerrno>
#include <random>

namespace parley {
namespace {

void fill_random(std::string& bytes) {
  for (std::size_t have = 0; have < bytes.size();) {
    const ssize_t got = ::getrandom(bytes.data() + have, bytes.size() - have, 0);
    if (got > 0) {
      have += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      // A sandbox may forbid the call. This one asks the processor or a device, and throws where
      // there is neither: better than an id that can be guessed.
      std::random_device device;
      for (; have < bytes.size(); ++have) bytes[have] = static_cast<char>(device());
    }
  }
}

}  // namespace

std::string random_text(std::size_t length, std::string_view alphabet) {
  // A byte beyond the last multiple of the alphabet's size would favour its first characters.
  const std::size_t usable = 256 - 256 % alphabet.size();
  std::string text, bytes;
  while (text.size() < length) {
    bytes.resize(length - text.size());
    fill_random(bytes);
    for (const char byte : bytes) {
      const std::size_t number = static_cast<unsigned char>(byte);
      if (number < usable) text += alphabet[number % alphabet.size()];
    }
  }
  return text;
}

std::string make_uuid() {
  std::string text = random_text(32, kHexDigits);
  text[12] = '4';                                    // the version
  text[16] = "89ab"[kHexDigits.find(text[16]) % 4];  // the variant
  for (const std::size_t at : {8U, 13U, 18U, 23U}) text.insert(at, 1, '-');
  return text;
}

}  // namespace parley
