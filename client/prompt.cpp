#include "client/prompt.hpp"

#include "support/files/io.hpp"
#include "support/image_kind.hpp"
#include "support/text/utf8.hpp"

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
    return Error(ErrorCode::invalid, "is a folder", file.string());
  }
  auto bytes = read_file(file);
  if (!bytes) return Error(ErrorCode::not_found, "cannot be read", file.string());
  if (auto image = identify_image(*bytes)) {
    add_image(*bytes, std::move(image->media_type));
    return {};
  }
  DocumentBlock block;
  block.title = file.filename().string();
  if (bytes->starts_with("%PDF-")) {
    block.source = encoded(*bytes, "application/pdf");
  } else if (is_utf8(*bytes)) {
    TextSource source;
    source.media_type = "text/plain";
    source.data = *std::move(bytes);
    block.source = std::move(source);
  } else {
    return Error(ErrorCode::invalid, "is neither an image, nor a PDF, nor UTF-8 text",
                 file.string());
  }
  content.emplace_back(std::move(block));
  return {};
}

}  // namespace parley
