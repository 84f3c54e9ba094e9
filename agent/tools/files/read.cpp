// Read: a file as the model needs it. Text comes with line numbers, pictures as pictures.
#include <algorithm>
#include <array>

#include "agent/tools/files/files.hpp"
#include "agent/tools/files/line_range.hpp"
#include "agent/tools/files/notebook.hpp"
#include "agent/tools/files/pdf.hpp"
#include "agent/tools/schema/input_schema.hpp"
#include "agent/tools/tools.hpp"
#include "agent/tools/typed_tool.hpp"
#include "support/image_kind.hpp"
#include "support/text/base64.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// Of a whole text file, and of the part that a range gives.
constexpr std::uint64_t kMostText = std::uint64_t{256} << 10;
/// The same with `allow_large`; it is cut there.
constexpr std::uint64_t kMostLargeText = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostImage = std::uint64_t{5} << 20;
constexpr std::uint64_t kMostNotebook = std::uint64_t{16} << 20;

std::string extension_of(const fs::path& path) { return lower(path.extension().string()); }

bool is_image_name(const std::string& extension) {
  static constexpr std::array<std::string_view, 5> kImages{".png", ".jpg", ".jpeg", ".gif",
                                                           ".webp"};
  return std::find(kImages.begin(), kImages.end(), extension) != kImages.end();
}

/// Formats that are not worth a look inside.
bool is_binary_name(const std::string& extension) {
  static constexpr std::array<std::string_view, 40> kBinary{
      ".exe", ".dll",  ".so",   ".dylib", ".a",   ".o",   ".obj", ".lib",  ".class", ".pyc",
      ".jar", ".war",  ".zip",  ".tar",   ".gz",  ".bz2", ".xz",  ".zst",  ".7z",    ".rar",
      ".iso", ".dmg",  ".img",  ".mp3",   ".mp4", ".mov", ".avi", ".mkv",  ".wav",   ".flac",
      ".ogg", ".docx", ".xlsx", ".pptx",  ".doc", ".xls", ".ppt", ".woff", ".woff2", ".wasm"};
  return std::find(kBinary.begin(), kBinary.end(), extension) != kBinary.end();
}

std::string binary_refusal(const std::string& extension) {
  return "This tool cannot read binary files. The file appears to be a binary " +
         (extension.empty() ? std::string() : extension + " ") +
         "file. Use a skill for this file type if one is available, or a shell command or script "
         "that can read the format.";
}

std::string missing_text(const ToolCall& call) {
  return "File does not exist. Note: your current working directory is " +
         call.state.cwd().string() + ".";
}

std::string too_large_text(std::uint64_t size) {
  return "File content (" + size_text(size) + ") exceeds maximum allowed size (" +
         size_text(kMostText) +
         "). Use offset and limit parameters to read specific portions of the file, or search for "
         "specific content instead of reading the whole file. To read it anyway, up to what still "
         "fits in your context, call Read again with allow_large: true \u2014 only if you "
         "genuinely "
         "need all of it or the user asked for the whole file.";
}

std::string numbered(std::string_view text, std::int64_t number) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  while (true) {
    const std::size_t end = text.find('\n');
    out += std::to_string(number++);
    out += '\t';
    out += text.substr(0, end);
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

class ReadTool final : public TypedTool<tools::ReadInput> {
 public:
  std::string_view name() const override { return "Read"; }

  std::string description() const override {
    return "Reads a file. Any file of this machine can be asked for; one that is not there gives "
           "an error.\n"
           "- `file_path` should be absolute.\n"
           "- Text comes as numbered lines: the number, a tab, the line. Files over 256KB need "
           "`offset` (first line, from 1) and `limit` (number of lines).\n"
           "- Pictures (PNG, JPEG, GIF, WebP) are shown to you. Notebooks (.ipynb) come with all "
           "cells and outputs.\n"
           "- PDF files come whole, or as pictures of the `pages` you ask for (\"3\", \"1-5\", at "
           "most 20 at once).\n"
           "- Folders cannot be read; list them with `ls`.";
  }

  Json input_schema() const override {
    return schema::object(
        {{"file_path", schema::string("The file, as an absolute path"), true},
         {"offset", schema::integer("The first line to read, counted from 1")},
         {"limit", schema::integer("How many lines to read")},
         {"pages", schema::string("Pages of a PDF: \"3\" or \"1-5\"")},
         {"allow_large",
          schema::boolean("Read a text file over 256KB, cut where it gets too long")}});
  }

  bool concurrent(const RawJson& /*input*/) const override { return true; }

  std::string summary(const RawJson& input) const override {
    const Result<Json> json = input.json();
    return json ? std::string((*json)["file_path"].as_string()) : std::string();
  }

 protected:
  Result<void> examine(const tools::ReadInput& input, const ToolCall& call) const override {
    const fs::path file = call.state.absolute(input.file_path);
    if (input.pages && extension_of(file) == ".pdf" && !parse_pages(*input.pages)) {
      return refusal(
          "Invalid pages parameter: \"" + *input.pages +
          "\". Give one page (\"3\") or one range (\"1-5\"), not a list. To read several "
          "pages or ranges, read each one separately. Pages are 1-indexed.");
    }
    if (is_device_path(file)) return refusal(device_refusal(input.file_path));
    if (is_binary_name(extension_of(file))) return refusal(binary_refusal(extension_of(file)));
    return {};
  }

  Intent intent_of(const tools::ReadInput& input, const ToolCall& call) const override {
    Intent intent;
    intent.kind = Intent::Kind::read_file;
    intent.path = call.state.absolute(input.file_path);
    return intent;
  }

  ToolOutput perform(const tools::ReadInput& input, const ToolCall& call) const override {
    const fs::path file = call.state.absolute(input.file_path);
    std::error_code error;
    if (!fs::exists(file, error)) return ToolOutput::error(missing_text(call));
    const std::string extension = extension_of(file);
    if (is_image_name(extension)) return image(input, file, call);
    if (extension == ".pdf") {
      return read_pdf(call, file, input.file_path,
                      input.pages ? parse_pages(*input.pages) : std::nullopt);
    }
    if (extension == ".ipynb") return notebook(input, file, call);
    return text(input, file, call);
  }

 private:
  static ToolOutput image(const tools::ReadInput& input, const fs::path& file,
                          const ToolCall& call) {
    const Result<std::string> bytes = read_bytes(file, kMostImage, call.stop);
    if (!bytes && bytes.error().code() == ErrorCode::too_large) {
      return ToolOutput::error("Image file exceeds maximum allowed size of " +
                               size_text(kMostImage) + ": " + input.file_path);
    }
    if (!bytes) return ToolOutput::error(bytes.error().message());
    if (bytes->empty()) return ToolOutput::error("Image file is empty: " + input.file_path);
    const std::optional<ImageKind> kind = identify_image(*bytes);
    if (!kind) return ToolOutput::error(no_image_text(input.file_path, *bytes));

    Base64Source source;
    source.media_type = kind->media_type;
    source.data = base64(*bytes);
    Json shown = Json::object({{"base64", source.data},
                               {"type", kind->media_type},
                               {"originalSize", static_cast<std::int64_t>(bytes->size())}});
    if (kind->width > 0) {
      shown.set("dimensions", Json::object({{"originalWidth", kind->width},
                                            {"originalHeight", kind->height},
                                            {"displayWidth", kind->width},
                                            {"displayHeight", kind->height}}));
    }
    ImageBlock block;
    block.source = std::move(source);
    ToolOutput output;
    output.content = std::vector<ContentBlock>{block};
    output.result = RawJson(Json::object({{"type", "image"}, {"file", std::move(shown)}}).dump());
    return output;
  }

  static std::string no_image_text(const std::string& shown, std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    for (const char c : bytes.substr(0, 8)) {
      const auto byte = static_cast<unsigned char>(c);
      if (!hex.empty()) hex += ' ';
      hex += kDigits[byte >> 4];
      hex += kDigits[byte & 15];
    }
    return "File has an image extension but its content is not a valid PNG/JPEG/GIF/WebP. "
           "Detected: unrecognized bytes (hex: " +
           hex +
           "). This usually means a download saved an error/login page instead of the image. Use "
           "`file \"" +
           shown + "\"` to confirm, or read it as text with Bash (e.g. `head -c 500`).";
  }

  static ToolOutput notebook(const tools::ReadInput& input, const fs::path& file,
                             const ToolCall& call) {
    Result<FileText> text = read_text(file, kMostNotebook, call.stop);
    if (!text && text.error().code() == ErrorCode::too_large) {
      return ToolOutput::error("Notebook file exceeds maximum allowed size of " +
                               size_text(kMostNotebook) + ": " + input.file_path);
    }
    if (!text) return ToolOutput::error(text.error().message());
    Result<ToolOutput> output = show_notebook(input.file_path, text->text);
    if (!output) return ToolOutput::error(output.error().message());
    call.state.note(file, {text->modified, std::move(text->text), {}, {}});
    return std::move(output).value();
  }

  static ToolOutput text(const tools::ReadInput& input, const fs::path& file,
                         const ToolCall& call) {
    const bool large = input.allow_large.value_or(false);
    LineRange wanted;
    wanted.first = std::max<std::int64_t>(input.offset.value_or(1), 1);
    if (input.limit.value_or(0) > 0) wanted.count = *input.limit;
    wanted.most_bytes = large ? kMostLargeText : wanted.count ? 4 * kMostText : kMostText;
    wanted.cut = large;
    std::error_code ignored;
    const fs::file_time_type modified = fs::last_write_time(file, ignored);
    Result<Lines> lines = read_lines(file, wanted, call.stop);
    if (!lines && lines.error().code() == ErrorCode::too_large) {
      return ToolOutput::error(too_large_text(std::stoull(lines.error().context())));
    }
    if (!lines && lines.error().code() == ErrorCode::unexpected) {
      return ToolOutput::error(binary_refusal(extension_of(file)), true);
    }
    if (!lines) return ToolOutput::error(lines.error().message());

    const std::int64_t shown_first = input.offset.value_or(1);
    Json shown = Json::object({{"filePath", input.file_path},
                               {"content", lines->text},
                               {"numLines", lines->count},
                               {"startLine", shown_first},
                               {"totalLines", lines->total}});
    if (lines->was_cut) shown.set("truncatedByTokenCap", true);
    const bool part = input.offset || wanted.count || lines->was_cut;
    KnownFile known{modified, lines->text, {}, {}};
    if (part) known.offset = wanted.first, known.limit = lines->count;
    call.state.note(file, std::move(known));
    const Json result = Json::object({{"type", "text"}, {"file", std::move(shown)}});
    if (lines->count == 0) {
      return ToolOutput::success(
          "<system-reminder>Warning: the file exists but is shorter than the provided offset (" +
              std::to_string(shown_first) + "). The file has " + std::to_string(lines->total) +
              " lines.</system-reminder>",
          result);
    }
    if (lines->total == 1 && lines->text.empty()) {
      return ToolOutput::success(
          "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>",
          result);
    }
    return ToolOutput::success(numbered(lines->text, shown_first), result);
  }
};

}  // namespace

std::unique_ptr<Tool> make_read() { return std::make_unique<ReadTool>(); }

}  // namespace parley::agent
