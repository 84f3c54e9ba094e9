#include "agent/mcp/call_result.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "support/files/replace_file.hpp"
#include "support/random.hpp"
#include "support/text/base64.hpp"
#include "support/text/javascript_text.hpp"
#include "support/text/text.hpp"
#include "wire/codec/codec.hpp"
#include "wire/mcp/names.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

struct Extension {
  std::string_view media_type, extension;
};
constexpr Extension kExtensions[] = {
    {"image/png", "png"},         {"image/jpeg", "jpg"},      {"image/gif", "gif"},
    {"image/webp", "webp"},       {"image/svg+xml", "svg"},   {"audio/wav", "wav"},
    {"audio/mpeg", "mp3"},        {"audio/ogg", "ogg"},       {"application/pdf", "pdf"},
    {"application/json", "json"}, {"application/zip", "zip"}, {"text/plain", "txt"},
    {"text/csv", "csv"},          {"text/html", "html"},      {"text/markdown", "md"},
    {"video/mp4", "mp4"}};

std::string_view extension_of(std::string_view media_type) {
  const auto* const found =
      std::find_if(std::begin(kExtensions), std::end(kExtensions),
                   [&](const Extension& known) { return known.media_type == media_type; });
  return found == std::end(kExtensions) ? "bin" : found->extension;
}

/// Those that the model can look at.
bool is_shown_image(std::string_view media_type) {
  return is_one_of(media_type, {"image/png", "image/jpeg", "image/gif", "image/webp"});
}

std::int64_t milliseconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

/// Collects the blocks that the model reads.
class Blocks {
 public:
  explicit Blocks(const McpCallSite& site) : site_(site) {}

  void text(std::string words) {
    TextBlock block;
    block.text = std::move(words);
    list_.emplace_back(std::move(block));
  }

  /// An image, and where it is kept, so that it can be named to other tools.
  void image(const std::string& media_type, const std::string& data) {
    const auto bytes = from_base64(data);
    if (!bytes) return text("[An image of " + site_.server + " that cannot be read]");
    Base64Source source;
    source.media_type = media_type;
    source.data = data;
    ImageBlock block;
    block.source = Source(std::move(source));
    list_.emplace_back(std::move(block));
    const auto file = store(media_type, *bytes);
    if (file) text("[Image: source: " + file->string() + "]");
  }

  /// Anything else goes into a file.
  void binary(const std::string& about, const std::string& media_type, const std::string& data) {
    const auto bytes = from_base64(data);
    if (!bytes) return text(about + "Binary content that cannot be read");
    const auto file = store(media_type, *bytes);
    text(about + "Binary content (" + media_type + ", " + std::to_string(bytes->size()) +
         " bytes) " +
         (file ? "saved to " + file->string() : "could not be saved: " + file.error().message()));
  }

  [[nodiscard]] std::vector<ContentBlock>& list() { return list_; }
  [[nodiscard]] std::size_t characters() const {
    std::size_t sum = 0;
    for (const ContentBlock& block : list_) {
      if (const auto* words = std::get_if<TextBlock>(&block)) sum += utf16_length(words->text);
    }
    return sum;
  }
  [[nodiscard]] std::string all_text() const {
    std::string all;
    for (const ContentBlock& block : list_) {
      const auto* words = std::get_if<TextBlock>(&block);
      if (words != nullptr) all += (all.empty() ? "" : "\n") + words->text;
    }
    return all;
  }

 private:
  [[nodiscard]] Result<fs::path> store(const std::string& media_type,
                                       const std::string& bytes) const {
    return store_bytes(site_.results_folder, "mcp-" + normalize_mcp_name(site_.server) + "-blob",
                       media_type, bytes);
  }

  const McpCallSite& site_;
  std::vector<ContentBlock> list_;
};

void add_resource(Blocks& blocks, const McpCallSite& site, const mcp::ResourceContents& resource) {
  const std::string about = "[Resource from " + site.server + " at " + resource.uri + "] ";
  const std::string media_type = resource.mimeType.value_or("application/octet-stream");
  if (resource.text) return blocks.text(about + *resource.text);
  if (!resource.blob) return blocks.text(about + "(empty)");
  if (!is_shown_image(media_type)) return blocks.binary(about, media_type, *resource.blob);
  blocks.text(about);
  blocks.image(media_type, *resource.blob);
}

void add_block(Blocks& blocks, Json& links, const McpCallSite& site,
               const mcp::ContentBlock& block) {
  if (const auto* text = std::get_if<mcp::TextContent>(&block)) {
    blocks.text(text->text);
  } else if (const auto* image = std::get_if<mcp::ImageContent>(&block)) {
    if (is_shown_image(image->mimeType)) {
      blocks.image(image->mimeType, image->data);
    } else {
      blocks.binary("[Image from " + site.server + "] ", image->mimeType, image->data);
    }
  } else if (const auto* audio = std::get_if<mcp::AudioContent>(&block)) {
    blocks.binary("[Audio from " + site.server + "] ", audio->mimeType, audio->data);
  } else if (const auto* link = std::get_if<mcp::Resource>(&block)) {
    std::string words = "[Resource link: " + link->name.value_or(link->uri) + "] " + link->uri;
    if (link->description) words += " (" + *link->description + ")";
    blocks.text(std::move(words));
    // As the block has it, without saying again what kind of block it was.
    links.push(RawJson(encode(*link)).json().value());
  } else if (const auto* embedded = std::get_if<mcp::EmbeddedResource>(&block)) {
    add_resource(blocks, site, embedded->resource);
  } else {
    blocks.text("[Content of a kind that is not known here]");
  }
}

/// What the model reads in place of a text that is too long.
ToolOutput stored_output(const std::string& text, const McpCallSite& site) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::string size = with_commas(utf16_length(text)) + " characters across " +
                           with_commas(std::max<std::size_t>(lines, 1)) + " lines";
  const auto file =
      store_bytes(site.results_folder,
                  "mcp-" + normalize_mcp_name(site.server) + "-" + normalize_mcp_name(site.tool),
                  "text/plain", text);
  std::string words = "Error: result (" + size + ") exceeds maximum allowed tokens. ";
  words += file ? "Output has been saved to " + file->string() +
                      ".\nFormat: Plain text\nRead it in parts, with offset and limit, or search "
                      "in it; say how much of it you have read before you draw conclusions from it."
                : "It could not be saved: " + file.error().message();
  ToolOutput output;
  output.result = RawJson(Json(words).dump());
  output.content = std::move(words);
  return output;
}

ToolOutput failed_call(const mcp::CallToolResult& result) {
  std::string text;
  for (const mcp::ContentBlock& block : result.content) {
    const auto* words = std::get_if<mcp::TextContent>(&block);
    if (words != nullptr) text += (text.empty() ? "" : "\n") + words->text;
  }
  return ToolOutput::error(text.empty() ? "The tool failed and did not say why." : text);
}

}  // namespace

Result<fs::path> store_bytes(const fs::path& folder, const std::string& prefix,
                             const std::string& media_type, const std::string& bytes) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Error(ErrorCode::io, error.message(), folder.string());
  const fs::path file =
      folder / (prefix + "-" + std::to_string(milliseconds_now()) + "-" +
                random_text(6, kLettersAndDigits) + "." + std::string(extension_of(media_type)));
  if (const auto written = replace_file(file.string(), bytes, {}); !written) {
    return Error(ErrorCode::io, std::strerror(written.error), file.string());
  }
  return file;
}

ToolOutput output_of(const RawJson& result, const McpCallSite& site) {
  const auto decoded = result.as<mcp::CallToolResult>();
  if (!decoded) {
    return ToolOutput::error("The server answered with something that is no result of a tool: " +
                             std::string(decoded.error().what()));
  }
  if (decoded->isError.value_or(false)) return failed_call(*decoded);
  Blocks blocks(site);
  Json about = Json::object();
  Json links = Json::array();
  if (decoded->structuredContent) {
    const std::string text = decoded->structuredContent->json().value().dump();
    if (utf16_length(text) > site.most_characters) return stored_output(text, site);
    ToolOutput output;
    about.set("content", text);
    about.set("structuredContent", decoded->structuredContent->json().value());
    if (decoded->meta) about.set("_meta", decoded->meta->json().value());
    output.content = text;
    output.result = RawJson(about.dump());
    return output;
  }
  for (const mcp::ContentBlock& block : decoded->content) add_block(blocks, links, site, block);
  if (blocks.characters() > site.most_characters) return stored_output(blocks.all_text(), site);
  ToolOutput output;
  Json list = Json::array();
  for (const ContentBlock& block : blocks.list()) list.push(RawJson(encode(block)).json().value());
  if (decoded->meta) about.set("_meta", decoded->meta->json().value());
  if (!links.items().empty()) about.set("resourceLinks", std::move(links));
  if (!about.members().empty()) about.set("content", list);
  output.result = RawJson(about.members().empty() ? list.dump() : about.dump());
  if (blocks.list().empty()) {
    output.content = "(" + site.tool_name + " completed with no output)";
  } else {
    output.content = std::move(blocks.list());
  }
  return output;
}

}  // namespace parley::agent
