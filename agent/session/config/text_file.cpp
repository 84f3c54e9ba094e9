#include "agent/session/config/text_file.hpp"

#include "support/files/io.hpp"
#include "support/text/utf8.hpp"

namespace parley::agent {
namespace {

constexpr std::size_t kLongestText = 200 * 1024;

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  std::string text = read_file(path, kLongestText + 1).value_or("");
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
