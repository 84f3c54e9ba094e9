#include <functional>
#include <map>

#include "agent/tools/files/files.hpp"
#include "agent/tools/search/text_search.hpp"
#include "agent/tools/shell/shell_jobs.hpp"
#include "agent/tools/tool_state.hpp"
#include "support/text/text.hpp"

namespace parley::agent {
namespace {

/// Whether a byte 0 stands behind the name of each file, so that it is told from what follows it.
bool names_apart(const TextSearch& search) { return search.hidden && !search.is_file; }

std::string mode_of(const tools::GrepInput& input) {
  return input.output_mode ? std::string(input.output_mode->text()) : "files_with_matches";
}

std::vector<std::string> arguments(const TextSearch& search, const std::filesystem::path& program) {
  const tools::GrepInput& in = search.input;
  const std::string mode = mode_of(in);
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
  if (names_apart(search)) line.emplace_back("--null");
  if (mode == "content") {
    line.emplace_back(in.dash_n.value_or(true) || names_apart(search) ? "-n" : "-N");
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

/// Takes out what was found in hidden files, and writes the rest as it looks without --null.
FoundLines without_hidden(const FoundLines& lines, const TextSearch& search) {
  const std::string mode = mode_of(search.input);
  std::map<std::string, bool, std::less<>> known;
  const auto hidden = [&](const std::string& file) {
    const auto [at, added] = known.try_emplace(file, true);
    if (added) at->second = !file.starts_with('/') || search.hidden(file);
    return at->second;
  };
  FoundLines out;
  for (const std::string& line : lines) {
    const std::size_t end = line.find('\0');
    const std::string file = line.substr(0, end);
    if (mode == "files_with_matches") {
      if (!hidden(file)) out.push_back(file);
    } else if (line == "--") {
      if (!out.empty() && out.back() != "--") out.push_back(line);
    } else if (end != std::string::npos && !hidden(file)) {
      const std::string rest = line.substr(end + 1);
      const std::size_t digits = rest.find_first_not_of("0123456789");
      if (mode == "count" || digits == std::string::npos) {
        out.push_back(file + ":" + rest);
      } else {
        // The sign behind the line's number tells matches from the lines around them.
        const bool numbered = search.input.dash_n.value_or(true);
        out.push_back(file + rest[digits] + (numbered ? rest : rest.substr(digits + 1)));
      }
    }
  }
  if (!out.empty() && out.back() == "--") out.pop_back();
  return out;
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
  if (call.stop.stop_requested()) return Error(ErrorCode::cancelled, "The search was stopped.");
  if (ended && code == 2 && !job.overflowed()) {
    while (text.ends_with('\n')) text.pop_back();
    if (!text.starts_with("rg: ")) text.insert(0, "rg: ");
    return Error(ErrorCode::invalid,
                 "Search failed \u2014 ripgrep rejected the pattern, glob, or file type without "
                 "searching:\n" +
                     text);
  }
  const char end_of_line =
      names_apart(search) && mode_of(search.input) == "files_with_matches" ? '\0' : '\n';
  const auto parts = split_lines(text, end_of_line);
  FoundLines lines(parts.begin(), parts.end());
  // The last line of a search that was ended may be half a one.
  if ((!ended || job.overflowed()) && !lines.empty() && !text.ends_with(end_of_line)) {
    lines.pop_back();
  }
  return names_apart(search) ? without_hidden(lines, search) : lines;
}

}  // namespace parley::agent
