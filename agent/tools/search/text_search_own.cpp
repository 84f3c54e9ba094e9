// Our own search, for machines without ripgrep: slower, and without .gitignore files.
#include <algorithm>
#include <array>
#include <functional>

#include "agent/tools/files/files.hpp"
#include "agent/tools/search/file_walk.hpp"
#include "agent/tools/search/glob_pattern.hpp"
#include "agent/tools/search/text_search.hpp"
#include "history/search/pattern.hpp"

namespace parley::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
constexpr std::size_t kMostColumns = 500;
constexpr std::size_t kMostLines = 1'000'000;
/// Lines that are searched between two looks at the clock. One line takes time in proportion to its
/// length, which is that of a file at most.
constexpr std::size_t kLinesBetweenQuestions = 64;

struct FileType {
  std::string_view name, glob;
};
constexpr std::array kTypes{
    FileType{"c", "*.{c,h}"},
    FileType{"cpp", "*.{cpp,cc,cxx,hpp,hh,hxx,h,inl}"},
    FileType{"css", "*.{css,scss}"},
    FileType{"go", "*.go"},
    FileType{"html", "*.{html,htm}"},
    FileType{"java", "*.java"},
    FileType{"js", "*.{js,jsx,mjs,cjs,vue}"},
    FileType{"json", "*.json"},
    FileType{"md", "*.{md,markdown,mdx}"},
    FileType{"php", "*.php"},
    FileType{"py", "*.{py,pyi}"},
    FileType{"ruby", "*.{rb,gemspec}"},
    FileType{"rust", "*.rs"},
    FileType{"sh", "*.{sh,bash,zsh}"},
    FileType{"sql", "*.sql"},
    FileType{"toml", "*.toml"},
    FileType{"ts", "*.{ts,tsx,mts,cts}"},
    FileType{"txt", "*.txt"},
    FileType{"xml", "*.xml"},
    FileType{"yaml", "*.{yaml,yml}"},
};

Error rejected(const std::string& why) {
  return {ErrorCode::invalid,
          "Search failed \u2014 the pattern, glob, or file type was rejected without searching:\n" +
              why};
}

/// Which lines of a text match, and the text split into them.
struct Marked {
  std::vector<std::string_view> lines;
  std::vector<bool> hit;
  std::vector<std::vector<std::string_view>> parts;  ///< The matches themselves, by line.
  std::size_t hits = 0;
};

/// `over`: nobody wants to know any more.
Marked mark(std::string_view text, const history::Pattern& pattern, bool multiline,
            const std::function<bool()>& over) {
  Marked marked;
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    begins.push_back(at);
    marked.lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  marked.hit.resize(marked.lines.size());
  marked.parts.resize(marked.lines.size());
  const auto note = [&](std::size_t line, std::string_view part) {
    if (!marked.hit[line]) ++marked.hits;
    marked.hit[line] = true;
    marked.parts[line].push_back(part);
  };
  if (!multiline) {
    for (std::size_t i = 0; i < marked.lines.size(); ++i) {
      if (i % kLinesBetweenQuestions == 0 && over()) break;
      std::size_t from = 0;
      while (const auto match = pattern.find(marked.lines[i], from)) {
        note(i, marked.lines[i].substr(match->begin, match->end - match->begin));
        from = std::max(match->end, match->begin + 1);
      }
    }
    return marked;
  }
  std::size_t from = 0;
  while (const auto match = pattern.find(text, from)) {
    if (over()) break;
    const auto line_of = [&](std::size_t at) {
      return static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), at) -
                                      begins.begin()) -
             1;
    };
    const std::size_t last = std::max(match->end, match->begin + 1) - 1;
    if (last >= text.size()) break;  // nothing, behind the last line
    for (std::size_t i = line_of(match->begin); i <= line_of(last); ++i) {
      note(i, marked.lines[i]);
    }
    from = last + 1;
  }
  return marked;
}

/// Prints what ripgrep would print for one file.
class Printer {
 public:
  Printer(const TextSearch& search, FoundLines& out)
      : input_(search.input), named_(!search.is_file), out_(out) {
    mode_ = input_.output_mode ? std::string(input_.output_mode->text()) : "files_with_matches";
    const std::optional<std::int64_t> around = input_.dash_C ? input_.dash_C : input_.context;
    const auto count = [&](const std::optional<std::int64_t>& own) {
      return static_cast<std::size_t>(
          std::max<std::int64_t>(around ? *around : own.value_or(0), 0));
    };
    before_ = count(input_.dash_B);
    after_ = count(input_.dash_A);
  }

  void print(const std::string& file, const Marked& marked) {
    if (marked.hits == 0) return;
    if (mode_ == "files_with_matches") {
      out_.push_back(file);
    } else if (mode_ == "count") {
      out_.push_back((named_ ? file + ":" : "") + std::to_string(marked.hits));
    } else {
      print_lines(file, marked);
    }
  }

 private:
  void print_lines(const std::string& file, const Marked& marked) {
    const std::size_t size = marked.lines.size();
    std::size_t next = 0;  // the first line that is not printed yet
    for (std::size_t i = 0; i < size && out_.size() < kMostLines; ++i) {
      if (!marked.hit[i]) continue;
      const std::size_t begin = std::max(next, i > before_ ? i - before_ : 0);
      if (before_ + after_ > 0 && begin > next && !out_.empty()) out_.emplace_back("--");
      for (std::size_t j = begin; j <= i; ++j) line(file, marked, j);
      next = i + 1;
      while (next < size && next <= i + after_ && !marked.hit[next]) line(file, marked, next++);
    }
  }

  void line(const std::string& file, const Marked& marked, std::size_t index) {
    const char* const mark = marked.hit[index] ? ":" : "-";
    std::string head = named_ ? file + mark : "";
    if (input_.dash_n.value_or(true)) head += std::to_string(index + 1) + mark;
    if (input_.dash_o.value_or(false) && marked.hit[index]) {
      for (const std::string_view part : marked.parts[index])
        out_.push_back(head + std::string(part));
    } else if (marked.lines[index].size() > kMostColumns) {
      out_.push_back(head + (marked.hit[index] ? "[Omitted long matching line]"
                                               : "[Omitted long context line]"));
    } else {
      out_.push_back(head + std::string(marked.lines[index]));
    }
  }

  const tools::GrepInput& input_;
  const bool named_;
  FoundLines& out_;
  std::string mode_;
  std::size_t before_ = 0, after_ = 0;
};

}  // namespace

Result<FoundLines> search_ourselves(const TextSearch& search, const ToolCall& call) {
  const tools::GrepInput& input = search.input;
  const Result<history::Pattern> pattern =
      history::Pattern::regex(input.pattern, input.dash_i.value_or(false));
  if (!pattern) return rejected(pattern.error().message());
  std::vector<GlobPattern> wanted;
  if (input.glob) {
    Result<GlobPattern> glob = GlobPattern::compile(*input.glob);
    if (!glob) return rejected(glob.error().message());
    wanted.push_back(std::move(*glob));
  }
  if (input.type) {
    const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const FileType& one) { return one.name == *input.type; });
    if (type == kTypes.end()) return rejected("unrecognized file type: " + *input.type);
    wanted.push_back(GlobPattern::compile(type->glob).value());
  }

  std::vector<fs::path> files;
  if (search.is_file) {
    files.push_back(search.target);
  } else {
    WalkLimits limits;
    limits.stop = call.stop;
    limits.skip_repositories = true;
    walk_files(
        search.target, limits, [&](const fs::directory_entry& entry, const std::string& name) {
          const bool fits = std::all_of(wanted.begin(), wanted.end(), [&](const GlobPattern& glob) {
            return glob.matches(name);
          });
          if (fits && !(search.hidden && search.hidden(entry.path()))) {
            files.push_back(entry.path());
          }
        });
    std::sort(files.begin(), files.end());
  }
  FoundLines found;
  Printer printer(search, found);
  // As with ripgrep, what was found in that time is the answer.
  const auto deadline = std::chrono::steady_clock::now() + kSearchTime;
  const auto over = [&] {
    return call.stop.stop_requested() || std::chrono::steady_clock::now() >= deadline;
  };
  for (const fs::path& file : files) {
    if (over()) break;
    const Result<std::string> bytes = read_bytes(file, kMostBytes, call.stop);
    if (!bytes || bytes->find('\0') != std::string::npos) continue;
    const std::string text = decode_text(*bytes).text;
    printer.print(file.string(), mark(text, *pattern, input.multiline.value_or(false), over));
    if (found.size() >= kMostLines) break;
  }
  if (call.stop.stop_requested()) return Error(ErrorCode::cancelled, "The search was stopped.");
  return found;
}

}  // namespace parley::agent
