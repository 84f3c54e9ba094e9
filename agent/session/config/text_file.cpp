#include "agent/session/config/text_file.hpp"

#include <fstream>

#include "wire/json/utf8.hpp"

namespace parley::agent {
namespace {

constexpr std::size_t kLongestText = 200 * 1024;

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::string text(kLongestText + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLongestText) {
    text.resize(kLongestText);
    text += "\n[cut here: the file is longer]\n";
  }
  return to_utf8(text);
}

bool is_plain_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace parley::agent
