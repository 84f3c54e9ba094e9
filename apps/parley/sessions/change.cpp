#include "history/writing/change.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "apps/parley/commands.hpp"
#include "apps/parley/sessions/sessions.hpp"
#include "apps/parley/terminal.hpp"
#include "history/export/export.hpp"
#include "history/listing/listing.hpp"
#include "wire/ids.hpp"

namespace parley::app {
namespace {

/// Finds the session, does something to it and says so.
template <class Change>
int change(const SessionsOptions& options, const std::string& session, Change&& make_change) {
  auto place = history::find_session(options.scope(), session);
  if (!place) return fail(place.error());
  const Result<void> changed = make_change(*place);
  return changed ? kSuccess : fail(changed.error());
}

bool confirmed(const history::SessionPlace& place, const SessionsOptions& options) {
  auto info = history::session_info(options.scope(), place.session_id);
  std::cerr << "Delete session " << place.session_id
            << (info ? " \"" + on_one_line(info->summary) + "\"" : "") << " for good? [y/N] ";
  std::string answer;
  return std::getline(std::cin, answer) && (answer == "y" || answer == "Y" || answer == "yes");
}

history::ExportFormat format_of(const ExportCommand& command) {
  const auto is = [&](const char* name) {
    return command.format == name ||
           (command.format.empty() && command.output.ends_with("." + std::string(name)));
  };
  if (is("jsonl")) return history::ExportFormat::jsonl;
  return is("html") ? history::ExportFormat::html : history::ExportFormat::markdown;
}

}  // namespace

int rename_session(const SessionsOptions& options, const std::string& session,
                   const std::string& title) {
  return change(options, session, [&](const history::SessionPlace& place) {
    return history::rename_session(place, title);
  });
}

int tag_session(const SessionsOptions& options, const std::string& session,
                const std::string& tag) {
  return change(options, session, [&](const history::SessionPlace& place) {
    return history::tag_session(place,
                                tag.empty() ? std::nullopt : std::optional<std::string_view>(tag));
  });
}

int archive_session(const SessionsOptions& options, const std::string& session, bool archived) {
  return change(options, session, [&](const history::SessionPlace& place) {
    return history::archive_session(place, archived);
  });
}

int delete_session(const SessionsOptions& options, const std::string& session, bool yes) {
  auto place = history::find_session(options.scope(), session);
  if (!place) return fail(place.error());
  if (!yes && ::isatty(STDIN_FILENO) != 1) {
    std::cerr << "parley: nobody is here to ask; say --yes to delete " << place->session_id << "\n";
    return kUsage;
  }
  if (!yes && !confirmed(*place, options)) {
    std::cerr << "Nothing was deleted.\n";
    return kFailure;
  }
  if (auto deleted = history::delete_session(*place); !deleted) return fail(deleted.error());
  std::cout << "Deleted " << place->session_id << ".\n";
  return kSuccess;
}

int fork_session(const SessionsOptions& options, const ForkCommand& command) {
  const Interrupt interrupt;
  auto place = history::find_session(options.scope(), command.session);
  if (!place) return fail(place.error());
  auto copy = history::fork_session(*place, {command.up_to, command.title, interrupt.token()});
  if (!copy) return fail(copy.error());
  std::cout << copy->session_id << "\n";
  return kSuccess;
}

int export_session(const SessionsOptions& options, const ExportCommand& command) {
  const Interrupt interrupt;
  auto place = history::find_session(options.scope(), command.session);
  if (!place) return fail(place.error());
  const bool to_file = !command.output.empty() && command.output != "-";
  std::error_code ignored;
  if (to_file && std::filesystem::equivalent(command.output, place->path(), ignored)) {
    return fail(Error(ErrorCode::invalid, "this is the session itself", command.output));
  }
  std::ofstream file;
  if (to_file) {
    file.open(command.output, std::ios::binary | std::ios::trunc);
    if (!file) return fail(Error(ErrorCode::io, "cannot write", command.output));
  }
  std::ostream& out = to_file ? file : std::cout;
  const history::ExportFormat format = format_of(command);
  // A transcript is exported as it is; the other formats are made for eyes anyway.
  const bool raw_on_terminal =
      format == history::ExportFormat::jsonl && !to_file && output_is_terminal();
  auto exported = history::export_session(
      *place, format,
      [&](std::string_view piece) -> Result<void> {
        if (raw_on_terminal) {
          out << printable_json(piece);
        } else {
          out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        }
        if (!out) return Error(ErrorCode::io, "cannot write", command.output);
        return {};
      },
      interrupt.token());
  if (!exported) return fail(exported.error());
  out.flush();
  return out ? kSuccess : fail(Error(ErrorCode::io, "cannot write", command.output));
}

int import_session(const SessionsOptions& options, const std::string& file) {
  const history::Scope scope = options.scope();
  if (scope.roots.empty()) {
    return fail(Error(ErrorCode::invalid, "there is no root to import into; give --root", ""));
  }
  const std::string folder = scope.working_folder.empty() ? std::filesystem::current_path().string()
                                                          : scope.working_folder;
  const Interrupt interrupt;
  auto imported = history::import_session(file, scope.roots.front(), project_folder_name(folder),
                                          interrupt.token());
  if (!imported) return fail(imported.error());
  std::cout << imported->place.session_id << "\n";
  if (imported->damaged_lines > 0) {
    std::cerr << "parley: left out " << imported->damaged_lines << " damaged lines\n";
  }
  return kSuccess;
}

}  // namespace parley::app
