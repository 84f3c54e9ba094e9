// Seeing through programs that run other programs: `timeout 5 rm x` runs rm, `sudo -u bob curl`
// runs curl, `bash -c '...'` runs a script of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../shell/shell.hpp"

namespace parley::agent {

/// The words of a program and its arguments.
using Words = std::vector<shell::Word>;

/// The words as a rule is compared with them: quotes gone where that changes nothing, one blank
/// between two words.
[[nodiscard]] std::string command_text(const Words& words);

/// What is left when programs are taken off that change nothing about what they run (timeout, nice,
/// nohup, time, stdbuf, command). The same words if there are none, or if one of them is used in a
/// way that is not read.
[[nodiscard]] Words without_wrappers(const Words& words);

/// Every way to read the words as a program that is run in the end, for rules that forbid: also
/// through sudo, env, xargs, find and their like, by the name without its folder, and git without
/// the options in front of its command. Reads too much rather than too little.
[[nodiscard]] std::vector<Words> all_readings(const Words& words);

/// Whether `all_readings` leaves some out, because there would be too many.
[[nodiscard]] bool has_too_many_readings(const Words& words);

/// Scripts that the words hand to a shell (`sh -c`, eval), as far as they are literal.
[[nodiscard]] std::vector<std::string> inner_scripts(const Words& words);
/// Whether the program is a shell, which runs what it reads.
[[nodiscard]] bool is_shell(const Words& words);

/// Whether the program runs what it reads from its input: a shell without a script, `source
/// /dev/stdin`, and their like.
[[nodiscard]] bool runs_input(const Words& words);
/// Whether it is xargs, and what it reads decides which program runs.
[[nodiscard]] bool runs_what_xargs_reads(const Words& words);

/// Whether printf only prints: -v sets a variable, and so does %n in its format, with or without
/// something between the two characters.
[[nodiscard]] bool is_plain_printf(const Words& words);

/// The built-in command that takes its arguments for shell code, or empty.
[[nodiscard]] std::string_view evaluator(const Words& words);

/// Whether the variable may be set to the value in front of a command without changing what the
/// command does to files.
[[nodiscard]] bool is_safe_assignment(const shell::Assignment& assignment);
/// Whether in that locale no byte of a longer character means something to the shell.
[[nodiscard]] bool is_plain_locale(std::string_view name);

}  // namespace parley::agent
