#include "agent/tools/files.hpp"
#include "agent/tools/shell_jobs.hpp"
#include "agent/tools/text_search.hpp"

namespace parley::agent {
namespace {

std::vector<std::string> arguments(const TextSearch& search, const std::filesystem::path& program) {
  const tools::GrepInput& in = search.input;
  const std::string mode =
      in.output_mode ? std::string(in.output_mode->text()) : "files_with_matches";
  // A file that is mapped counts as memory, and one that shrinks meanwhile would crash the search.
  std::vector<std::string> line{program.string(), "--no-config",   "--hidden", "--no-messages",
                                "--color=never",  "--max-columns", "500",      "--no-mmap"};
  for (const char* folder : {".git", ".svn", ".hg", ".bzr", ".jj", ".sl"}) {
    line.insert(line.end(), {"--glob", std::string("!") + folder});
  }
  const auto flag = [&](const std::optional<bool>& given, const char* name) {
    if (given.value_or(false)) line.emplace_back(name);
  };
  const auto number = [&](const std::optional<std::int64_t>& given, const char* name) {
    if (given) line.insert(line.end(), {name, std::to_string(std::max<std::int64_t>(*given, 0))});
  };
  flag(in.dash_i, "-i");
  if (in.multiline.value_or(false)) line.insert(line.end(), {"-U", "--multiline-dotall"});
  if (mode == "files_with_matches") {
    line.emplace_back("-l");
  } else {
    // One thread, but always the same order.
    line.insert(line.end(), {"--sort", "path"});
    if (mode == "count") line.emplace_back("-c");
  }
  if (mode == "content") {
    line.emplace_back(in.dash_n.value_or(true) ? "-n" : "-N");
    flag(in.dash_o, "-o");
    line.emplace_back("--no-heading");
    const std::optional<std::int64_t> around = in.dash_C ? in.dash_C : in.context;
    number(around, "-C");
    if (!around) {
      number(in.dash_B, "-B");
      number(in.dash_A, "-A");
    }
  }
  if (in.type) line.insert(line.end(), {"--type", *in.type});
  if (in.glob) line.insert(line.end(), {"--glob", *in.glob});
  line.insert(line.end(), {"-e", in.pattern, "--", search.target.string()});
  return line;
}

FoundLines split_lines(std::string_view text) {
  FoundLines lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return lines;
}

}  // namespace

Result<FoundLines> search_with_ripgrep(const TextSearch& search, const ToolCall& call,
                                       const std::filesystem::path& program) {
  ShellJobs::Request request;
  request.tool_use_id = call.id;
  request.command = "rg";
  request.process = {arguments(search, program), "/", call.state.environment(), {}};
  Result<ShellJobs::Started> started = call.state.shells().start(std::move(request));
  if (!started) return started.error();
  ShellJob& job = *started->job;
  const bool ended = job.wait_until(std::chrono::steady_clock::now() + kSearchTime, call.stop);
  if (!ended) {
    job.kill();
    job.wait_until(std::chrono::steady_clock::now() + kSearchTime, {});
  }
  const int code = job.exit_code();
  const Result<std::string> bytes = read_bytes(job.output_file(), ShellJob::kMostOutput);
  call.state.shells().close(started->id);
  if (!bytes) return bytes.error();
  std::string text = decode_text(*bytes).text;
  if (call.stop.stop_requested()) return Error(ErrorCode::kCancelled, "The search was stopped.");
  if (ended && code == 2 && !job.overflowed()) {
    while (text.ends_with('\n')) text.pop_back();
    if (!text.starts_with("rg: ")) text.insert(0, "rg: ");
    return Error(ErrorCode::kInvalid,
                 "Search failed \u2014 ripgrep rejected the pattern, glob, or file type without "
                 "searching:\n" +
                     text);
  }
  FoundLines lines = split_lines(text);
  // The last line of a search that was ended may be half a one.
  if ((!ended || job.overflowed()) && !lines.empty() && !text.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace parley::agent
