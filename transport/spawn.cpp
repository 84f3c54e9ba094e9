#include "transport/spawn.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "support/process/spawn.hpp"

namespace parley::detail {
namespace {

Error system_error(ErrorCode code, const std::string& what, int number) {
  return {code, what + ": " + std::strerror(number)};
}

/// The program's file: looked up in PATH if it is a bare name, else made absolute, because the
/// child changes its folder first.
Result<std::string> locate(const ProcessSpec& spec) {
  if (spec.program.empty()) return Error(ErrorCode::invalid, "there is no program to start");
  if (spec.program.find('/') != std::string::npos) {
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(spec.program, failed);
    return failed ? spec.program : absolute.string();
  }
  const auto path = std::find_if(spec.environment.begin(), spec.environment.end(),
                                 [](const auto& variable) { return variable.first == "PATH"; });
  const std::string folders = path == spec.environment.end() ? "/usr/bin:/bin" : path->second;
  const auto file = find_program(spec.program, folders, PathFolders::all);
  if (file) return file->string();
  return Error(ErrorCode::not_found,
               "no program \"" + spec.program + "\" in PATH (" + folders + ")");
}

Error start_error(const Spawned& outcome, const ProcessSpec& spec, const std::string& file) {
  if (outcome.failed == SpawnStep::user) {
    return system_error(outcome.error == EPERM ? ErrorCode::permission : ErrorCode::io,
                        "cannot become the user " + spec.user->name, outcome.error);
  }
  if (outcome.failed == SpawnStep::folder) {
    return {outcome.error == ENOENT ? ErrorCode::not_found : ErrorCode::io,
            "cannot use " + spec.working_folder.string() + ": " + std::strerror(outcome.error),
            "working folder"};
  }
  const std::string what = "cannot start " + file;
  switch (outcome.error) {
    case ENOENT: {
      // The file is there, so the interpreter that its first line names is not.
      std::error_code ignored;
      if (std::filesystem::exists(file, ignored)) {
        return {ErrorCode::not_found, what + ": its interpreter does not exist"};
      }
      return system_error(ErrorCode::not_found, what, outcome.error);
    }
    case ENOTDIR: return system_error(ErrorCode::not_found, what, outcome.error);
    case EACCES:
    case EPERM: return system_error(ErrorCode::permission, what, outcome.error);
    case E2BIG: return {ErrorCode::too_large, what + ": its arguments are too long for the system"};
    default: return system_error(ErrorCode::io, what, outcome.error);
  }
}

}  // namespace

Result<Child> start_process(const ProcessSpec& spec) {
  const auto file = locate(spec);
  if (!file) return file.error();
  auto input = make_pipe(), output = make_pipe(), errors = make_pipe();
  if (!input || !output || !errors) return system_error(ErrorCode::io, "pipe2", errno);

  SpawnSpec wanted;
  wanted.program = *file;
  wanted.arguments.push_back(spec.program);
  wanted.arguments.insert(wanted.arguments.end(), spec.arguments.begin(), spec.arguments.end());
  wanted.environment = environment_texts(spec.environment);
  wanted.working_folder = spec.working_folder.string();
  wanted.stdio = {input->read.get(), output->write.get(), errors->write.get()};
  wanted.ends_with_thread = true;
  if (spec.user) wanted.user = {spec.user->uid, spec.user->gid, spec.user->groups};
  Spawned started = spawn(wanted);
  if (!started) return start_error(started, spec, *file);

  Child child{.pid = started.pid,
              .pidfd = std::move(started.pidfd),
              .input = std::move(input->write),
              .output = std::move(output->read),
              .errors = std::move(errors->read)};
  for (const UniqueFd* fd : {&child.input, &child.output, &child.errors}) {
    set_non_blocking(fd->get());
  }
  return child;
}

}  // namespace parley::detail
