#include "agent/tools/files/pdf.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "agent/tools/files/files.hpp"
#include "agent/tools/shell/sandbox.hpp"
#include "agent/tools/shell/shell_jobs.hpp"
#include "agent/tools/tool_state.hpp"
#include "support/process/spawn.hpp"
#include "support/text/base64.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

/// Beyond this the API refuses a document.
constexpr std::uint64_t kMostBytes = std::uint64_t{20} << 20;
constexpr std::uint64_t kMostBytesForPages = std::uint64_t{100} << 20;
constexpr int kMostPages = 20;
constexpr std::chrono::seconds kRenderTime{120};

ToolOutput whole(const std::string& shown, const std::string& bytes) {
  TextBlock said;
  said.text = "PDF file read: " + shown + " (" + size_text(bytes.size()) + ")";
  Base64Source source;
  source.media_type = "application/pdf";
  source.data = base64(bytes);
  Json file = Json::object({{"filePath", shown},
                            {"base64", source.data},
                            {"originalSize", static_cast<std::int64_t>(bytes.size())}});
  DocumentBlock document;
  document.source = std::move(source);
  ToolOutput output;
  output.content = std::vector<ContentBlock>{said, document};
  output.result = RawJson(Json::object({{"type", "pdf"}, {"file", std::move(file)}}).dump());
  return output;
}

/// The pictures in a folder, in the order of their pages.
ToolOutput pictures(const std::string& shown, std::uint64_t size, const fs::path& folder,
                    const PageRange& range) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".jpg") files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) return ToolOutput::error("The PDF has none of the pages asked for.");
  std::vector<ContentBlock> blocks;
  TextBlock said;
  said.text = "PDF pages extracted: " + std::to_string(files.size()) + " page(s) from " + shown +
              " (" + size_text(size) + ")";
  blocks.emplace_back(std::move(said));
  Json pages = Json::array();
  for (const fs::path& file : files) {
    Result<std::string> bytes = read_bytes(file, kMostBytes);
    if (!bytes) return ToolOutput::error(bytes.error().message());
    Base64Source source;
    source.media_type = "image/jpeg";
    source.data = base64(*bytes);
    pages.push(Json::object({{"base64", source.data}, {"mediaType", source.media_type}}));
    ImageBlock image;
    image.source = std::move(source);
    blocks.emplace_back(std::move(image));
  }
  Json file = Json::object({{"filePath", shown},
                            {"originalSize", static_cast<std::int64_t>(size)},
                            {"count", static_cast<std::int64_t>(files.size())},
                            {"outputDir", folder.string()}});
  ToolOutput output;
  output.content = std::move(blocks);
  output.result = RawJson(Json::object({{"type", "parts"},
                                        {"file", std::move(file)},
                                        {"firstPage", range.first},
                                        {"pages", std::move(pages)}})
                              .dump());
  return output;
}

ToolOutput rendered(const ToolCall& call, const fs::path& file, const std::string& shown,
                    std::uint64_t size, const PageRange& range) {
  const auto environment = call.state.environment();
  const auto path = environment.find("PATH");
  const std::optional<fs::path> program =
      find_program("pdftoppm", path == environment.end() ? "/usr/bin:/bin" : path->second);
  if (!program) {
    return ToolOutput::error(
        "pdftoppm is not installed. Install poppler-utils (e.g. `brew install poppler` or `apt-get "
        "install poppler-utils`) to enable PDF page rendering.");
  }
  const fs::path folder = call.state.results_folder() / ("pdf-" + call.id);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return ToolOutput::error("Cannot make " + folder.string() + ": " + error.message());
  ShellJobs::Request request;
  request.tool_use_id = call.id;
  request.command = "pdftoppm";
  request.process = {{program->string(), "-jpeg", "-r", "100", "-f", std::to_string(range.first),
                      "-l", std::to_string(range.last), file.string(), (folder / "page").string()},
                     folder,
                     environment,
                     {}};
  Result<ShellJobs::Started> started = call.state.shells().start(std::move(request));
  if (!started) return ToolOutput::error(started.error().what());
  const bool ended =
      started->job->wait_until(std::chrono::steady_clock::now() + kRenderTime, call.stop);
  if (!ended) {
    started->job->kill();
    started->job->wait_until(std::chrono::steady_clock::now() + kRenderTime, {});
  }
  const int code = started->job->exit_code();
  const std::string said = decode_text(started->job->head()).text;
  call.state.shells().close(started->id);
  if (!ended) return ToolOutput::error("Rendering the pages took too long or was stopped.");
  if (code != 0) return ToolOutput::error("pdftoppm failed: " + said);
  return pictures(shown, size, folder, range);
}

}  // namespace

std::optional<PageRange> parse_pages(std::string_view text) {
  PageRange range;
  const char* const end = text.data() + text.size();
  auto [rest, problem] = std::from_chars(text.data(), end, range.first);
  if (problem != std::errc()) return std::nullopt;
  range.last = range.first;
  if (rest != end) {
    if (*rest != '-') return std::nullopt;
    const auto second = std::from_chars(rest + 1, end, range.last);
    if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  }
  if (range.first < 1 || range.last < range.first) return std::nullopt;
  return range;
}

ToolOutput read_pdf(const ToolCall& call, const fs::path& file, const std::string& shown,
                    std::optional<PageRange> pages) {
  const std::uint64_t limit = pages ? kMostBytesForPages : kMostBytes;
  const Result<std::string> bytes = read_bytes(file, limit, call.stop);
  if (!bytes && bytes.error().code() == ErrorCode::too_large) {
    return ToolOutput::error("PDF file exceeds maximum allowed size of " + size_text(limit) + ".");
  }
  if (!bytes) return ToolOutput::error(bytes.error().message());
  if (bytes->empty()) return ToolOutput::error("PDF file is empty: " + shown);
  if (!bytes->starts_with("%PDF-")) {
    return ToolOutput::error("File is not a valid PDF (missing %PDF- header): " + shown);
  }
  if (!pages) return whole(shown, *bytes);
  pages->last = std::min(pages->last, pages->first + kMostPages - 1);
  return rendered(call, file, shown, bytes->size(), *pages);
}

}  // namespace parley::agent
