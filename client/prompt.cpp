#include "client/prompt.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>

#include "wire/json/utf8.hpp"

namespace parley {
namespace {

ContentBlock text_block(std::string text) {
  TextBlock block;
  block.text = std::move(text);
  return block;
}

Base64Source encoded(std::string_view bytes, std::string media_type) {
  Base64Source source;
  source.media_type = std::move(media_type);
  source.data = base64(bytes);
  return source;
}

/// By the first bytes, because names lie; empty for anything else.
std::string_view image_type(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff"sv)) return "image/jpeg";
  if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) return "image/gif";
  if (bytes.starts_with("RIFF"sv) && bytes.substr(0, 12).ends_with("WEBP"sv)) return "image/webp";
  return {};
}

}  // namespace

Prompt::Prompt() = default;
Prompt::Prompt(const Prompt&) = default;
Prompt::Prompt(Prompt&&) noexcept = default;
Prompt& Prompt::operator=(const Prompt&) = default;
Prompt& Prompt::operator=(Prompt&&) noexcept = default;
Prompt::~Prompt() = default;

Prompt::Prompt(std::string_view text) : Prompt(std::string(text)) {}
Prompt::Prompt(const char* text) : Prompt(std::string(text)) {}
Prompt::Prompt(std::vector<ContentBlock> blocks) : content(std::move(blocks)) {}
Prompt::Prompt(std::string text) { add_text(std::move(text)); }

Prompt& Prompt::add_text(std::string text) {
  content.push_back(text_block(std::move(text)));
  return *this;
}

Prompt& Prompt::add_image(std::string_view bytes, std::string media_type) {
  ImageBlock block;
  block.source = encoded(bytes, std::move(media_type));
  content.emplace_back(std::move(block));
  return *this;
}

Result<void> Prompt::add_file(const std::filesystem::path& file) {
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed)) {
    return Error(ErrorCode::kInvalid, "is a folder", file.string());
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return Error(ErrorCode::kNotFound, "cannot be read", file.string());
  std::ostringstream buffer;
  buffer << stream.rdbuf();
  std::string bytes = std::move(buffer).str();
  if (const auto type = image_type(bytes); !type.empty()) {
    add_image(bytes, std::string(type));
    return {};
  }
  DocumentBlock block;
  block.title = file.filename().string();
  if (bytes.starts_with("%PDF-")) {
    block.source = encoded(bytes, "application/pdf");
  } else if (is_utf8(bytes)) {
    TextSource source;
    source.media_type = "text/plain";
    source.data = std::move(bytes);
    block.source = std::move(source);
  } else {
    return Error(ErrorCode::kInvalid, "is neither an image, nor a PDF, nor UTF-8 text",
                 file.string());
  }
  content.emplace_back(std::move(block));
  return {};
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return out;
}

std::string make_uuid() {
  static thread_local std::mt19937_64 random(std::random_device{}() ^
                                             (std::uint64_t{std::random_device{}()} << 32U));
  const std::uint64_t high = (random() & 0xffffffffffff0fffULL) | 0x4000ULL;
  const std::uint64_t low = (random() & 0x3fffffffffffffffULL) | 0x8000000000000000ULL;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-%04x-%04x-%012llx",
                static_cast<unsigned>(high >> 32U), static_cast<unsigned>(high >> 16U & 0xffffU),
                static_cast<unsigned>(high & 0xffffU), static_cast<unsigned>(low >> 48U),
                static_cast<unsigned long long>(low & 0xffffffffffffULL));
  return text.data();
}

}  // namespace parley
