#include "history/listing/bulk_scan.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "history/listing/roots.hpp"
#include "history/scan/parallel.hpp"
#include "wire/ids.hpp"

namespace parley::history {
namespace {

constexpr std::string_view kAgentPrefix = "agent-";
constexpr int kMaxDepth = 8;
/// Large enough that finding its ends costs nothing, small enough to share out one long file.
constexpr std::uint64_t kPieceBytes = std::uint64_t{8} << 20;

struct Piece {
  std::size_t file;
  std::uint64_t from, to;
};

class FileFinder {
 public:
  FileFinder(std::vector<ScanFile>& found, Report& report) : found_(found), report_(report) {}

  void walk(const Folder& folder, const ScanFile& where, int depth) {
    auto entries = folder.entries();
    if (!entries) return report_.skip(folder.path(), entries.error().message());
    std::sort(entries->begin(), entries->end(),
              [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
    for (const FolderEntry& entry : *entries) {
      if (entry.kind == EntryKind::folder) {
        below(folder, where, entry.name, depth);
      } else if (entry.name.ends_with(kTranscriptExtension)) {
        if (entry.kind == EntryKind::file) {
          add(folder, where, entry.name);
        } else {
          report_.skip(folder.path() + "/" + entry.name,
                       entry.kind == EntryKind::link
                           ? "it is a symbolic link, which is not followed"
                           : "not a regular file");
        }
      }
    }
  }

 private:
  void below(const Folder& folder, const ScanFile& where, const std::string& name, int depth) {
    if (depth >= kMaxDepth) return report_.skip(folder.path() + "/" + name, "nested too deeply");
    auto child = folder.folder(name);
    if (!child) return report_.skip(folder.path() + "/" + name, child.error().message());
    ScanFile inside = where;
    inside.folders.push_back(name);
    if (inside.session_id.empty() && is_session_id(name)) inside.session_id = name;
    walk(*child, inside, depth + 1);
  }

  void add(const Folder& folder, const ScanFile& where, const std::string& name) {
    auto file = folder.file(name);
    auto state = file ? file->state() : Result<FileState>(file.error());
    if (!state) return report_.skip(folder.path() + "/" + name, state.error().message());
    ScanFile found = where;
    found.name = name;
    found.size = state->size;
    found.modified_ms = state->modified_ms;
    const std::string stem = name.substr(0, name.size() - kTranscriptExtension.size());
    if (stem.starts_with(kAgentPrefix)) found.agent_id = stem.substr(kAgentPrefix.size());
    if (found.session_id.empty()) found.session_id = stem;
    found_.push_back(std::move(found));
  }

  std::vector<ScanFile>& found_;
  Report& report_;
};

Result<File> open_file(const ScanFile& file) {
  auto folder = open_project({file.root, file.project, {}});
  for (const std::string& name : file.folders) {
    if (!folder) break;
    folder = folder->folder(name);
  }
  if (!folder) return folder.error();
  return folder->file(file.name);
}

std::vector<Piece> cut_into_pieces(const std::vector<ScanFile>& files) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::uint64_t from = 0; from < files[i].size; from += kPieceBytes) {
      pieces.push_back({i, from, std::min(from + kPieceBytes, files[i].size)});
    }
  }
  return pieces;
}

}  // namespace

std::string ScanFile::path() const {
  std::string path = root + (root.ends_with('/') ? "" : "/") + "projects/" + project;
  for (const std::string& folder : folders) path += "/" + folder;
  return path + "/" + name;
}

std::vector<ScanFile> find_scan_files(const Scope& scope, Report& report) {
  std::vector<ScanFile> found;
  FileFinder finder(found, report);
  for (const ProjectPlace& place : find_projects(scope, report)) {
    auto folder = open_project({place.root, place.project, {}});
    if (!folder) {
      report.skip(place.path(), folder.error().message());
      continue;
    }
    ScanFile where;
    where.root = place.root;
    where.project = place.project;
    finder.walk(*folder, where, 0);
  }
  return found;
}

Result<std::uint64_t> line_at_or_after(const File& file, std::uint64_t offset, std::uint64_t end) {
  if (offset == 0) return std::uint64_t{0};
  constexpr std::size_t kFirst = 4096, kMost = std::size_t{256} << 10;
  std::size_t step = kFirst;
  for (std::uint64_t at = offset - 1; at < end;) {
    auto bytes = file.read_at(at, step);
    if (!bytes) return bytes.error();
    if (bytes->empty()) break;
    const std::size_t newline = bytes->find('\n');
    if (newline != std::string::npos) return std::min(at + newline + 1, end);
    at += bytes->size();
    step = std::min(step * 4, kMost);
  }
  return end;
}

std::size_t scan_workers() { return std::max(1U, std::thread::hardware_concurrency()); }

void scan_files(const std::vector<ScanFile>& files, const ScanOptions& options, Report& report,
                const std::function<void(std::size_t, const Block&, std::size_t)>& on_block) {
  const std::vector<Piece> pieces = cut_into_pieces(files);
  std::uint64_t total = 0, done = 0;
  for (const ScanFile& file : files) total += file.size;
  std::mutex mutex;  // of done, report and the progress callback

  const auto scan = [&](const Piece& piece, std::size_t worker) -> Result<std::uint64_t> {
    auto file = open_file(files[piece.file]);
    if (!file) return file.error();
    auto from = line_at_or_after(*file, piece.from, piece.to);
    if (!from) return from.error();
    if (*from >= piece.to) return std::uint64_t{0};  // within one long line, which is not ours
    auto to = line_at_or_after(*file, piece.to, files[piece.file].size);
    if (!to) return to.error();
    BlockReader blocks(*file, *from, *to);
    Block block;
    while (!options.stop.stop_requested() && blocks.next(block)) {
      on_block(piece.file, block, worker);
    }
    if (blocks.error()) return *blocks.error();
    return blocks.oversized_lines();
  };

  for_each_index(pieces.size(), options.stop, [&](std::size_t i, std::size_t worker) {
    const auto oversized = scan(pieces[i], worker);
    const std::lock_guard lock(mutex);
    if (oversized) {
      report.oversized_lines += *oversized;
    } else if (pieces[i].from == 0) {  // once for each file
      report.skip(files[pieces[i].file].path(), oversized.error().message());
    }
    done += pieces[i].to - pieces[i].from;
    if (options.progress) options.progress(done, total);
  });
}

}  // namespace parley::history
