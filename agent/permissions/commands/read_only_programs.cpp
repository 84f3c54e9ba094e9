// Left out on purpose: options that write (sort -o), run a program (rg --pre, sort
// --compress-program, diff -l), read names or patterns from a file (grep -f, wc --files0-from),
// follow links below a folder (grep -R, du -L), or change the system (hostname -b).
#include "agent/permissions/commands/read_only_programs.hpp"

#include <algorithm>
#include <array>

namespace parley::agent {
namespace {

using enum ReadOnlyProgram::Operands;

constexpr OptionTable kChecksum = {.letters = "btz", .names = "binary text tag zero"};

constexpr OptionTable kGrep = {
    .letters = "EFGPivwxcLloqsbHhnTaIrUzZ",
    .valued_letters = "emABC",
    .names =
        "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case "
        "invert-match word-regexp line-regexp count files-without-match files-with-matches "
        "only-matching quiet silent no-messages byte-offset with-filename no-filename "
        "line-number initial-tab null text line-buffered recursive null-data binary",
    .valued_names =
        "regexp max-count after-context before-context context label include exclude "
        "exclude-dir binary-files",
    .optional_names = "color colour",
    .pattern_names = "include exclude exclude-dir",
    .number = true};

constexpr OptionTable kRipgrep = {
    .letters = "isSvwxclnNHIoqauUF0p.",
    .valued_letters = "egtTABCmrMjEd",
    .names =
        "ignore-case case-sensitive smart-case invert-match word-regexp line-regexp count "
        "count-matches files-with-matches files-without-match line-number no-line-number "
        "with-filename no-filename only-matching quiet text unrestricted multiline "
        "multiline-dotall fixed-strings hidden no-ignore no-ignore-vcs null pretty heading "
        "no-heading column no-column json stats trim vimgrep files type-list pcre2 "
        "no-messages passthru crlf no-config",
    .valued_names =
        "sort sortr max-count after-context before-context context glob iglob type "
        "type-not color colors max-depth max-columns max-filesize replace threads "
        "encoding regexp",
    .pattern_names = "glob iglob"};

constexpr std::array kReadOnlyPrograms = {
    ReadOnlyProgram{"cat",
                    {.letters = "AbeEnstTuv",
                     .names = "show-all number-nonblank show-ends number squeeze-blank show-tabs "
                              "show-nonprinting"}},
    ReadOnlyProgram{"head",
                    {.letters = "qvz",
                     .valued_letters = "nc",
                     .names = "quiet silent verbose zero-terminated",
                     .valued_names = "lines bytes",
                     .number = true}},
    ReadOnlyProgram{"tail",
                    {.letters = "qvzfF",
                     .valued_letters = "ncs",
                     .names = "quiet silent verbose zero-terminated retry",
                     .valued_names = "lines bytes sleep-interval pid",
                     .optional_names = "follow",
                     .number = true}},
    ReadOnlyProgram{"wc",
                    {.letters = "clmLw",
                     .names = "bytes chars lines words max-line-length",
                     .valued_names = "total"}},
    ReadOnlyProgram{
        "ls",
        {.letters = "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
         .valued_letters = "IwT",
         .names = "all almost-all author escape ignore-backups directory file-type full-time "
                  "group-directories-first no-group human-readable si inode kibibytes literal "
                  "numeric-uid-gid hide-control-chars show-control-chars quote-name reverse "
                  "recursive size context zero",
         .valued_names = "format hide indicator-style ignore quoting-style sort time time-style "
                         "tabsize width block-size",
         .optional_names = "color classify hyperlink"}},
    ReadOnlyProgram{"stat",
                    {.letters = "Lft",
                     .valued_letters = "c",
                     .names = "dereference file-system terse",
                     .valued_names = "format printf cached"}},
    ReadOnlyProgram{"file",
                    {.letters = "bhikLnNrv0",
                     .valued_letters = "eF",
                     .names = "brief mime mime-type mime-encoding no-dereference keep-going "
                              "no-buffer no-pad raw version extension print0",
                     .valued_names = "exclude separator"}},
    ReadOnlyProgram{"du",
                    {.letters = "abchklmsSx0",
                     .valued_letters = "dtB",
                     .names = "all apparent-size bytes total human-readable si summarize "
                              "one-file-system null count-links separate-dirs inodes",
                     .valued_names = "max-depth exclude threshold block-size time-style",
                     .optional_names = "time"}},
    ReadOnlyProgram{"df",
                    {.letters = "ahHiklPT",
                     .valued_letters = "Btx",
                     .names = "all human-readable si inodes local portability print-type total",
                     .valued_names = "type exclude-type block-size",
                     .optional_names = "output"}},
    ReadOnlyProgram{
        "diff",
        {.letters = "qsyubBwiEZtTNapced",
         .valued_letters = "UCWIFxL",
         .names = "brief report-identical-files side-by-side ignore-space-change "
                  "ignore-blank-lines ignore-all-space ignore-case ignore-tab-expansion "
                  "ignore-trailing-space expand-tabs initial-tab new-file text "
                  "show-c-function left-column suppress-common-lines minimal "
                  "strip-trailing-cr no-dereference normal",
         .valued_names = "width ignore-matching-lines show-function-line exclude label",
         .optional_names = "color unified context"},
        files,
        2},
    ReadOnlyProgram{"cmp",
                    {.letters = "bls",
                     .valued_letters = "in",
                     .names = "print-bytes verbose silent quiet",
                     .valued_names = "ignore-initial bytes"},
                    files,
                    4},
    ReadOnlyProgram{"comm",
                    {.letters = "123z",
                     .names = "check-order nocheck-order total zero-terminated",
                     .valued_names = "output-delimiter"},
                    files,
                    2},
    ReadOnlyProgram{"paste",
                    {.letters = "sz",
                     .valued_letters = "d",
                     .names = "serial zero-terminated",
                     .valued_names = "delimiters"}},
    ReadOnlyProgram{"cut",
                    {.letters = "nsz",
                     .valued_letters = "bcdf",
                     .names = "complement only-delimited zero-terminated",
                     .valued_names = "bytes characters delimiter fields output-delimiter"}},
    ReadOnlyProgram{"nl", {.letters = "p", .valued_letters = "bdfhilnsvw"}},
    ReadOnlyProgram{"tac", {.letters = "br", .valued_letters = "s"}},
    ReadOnlyProgram{"rev"},
    ReadOnlyProgram{"fold", {.letters = "bs", .valued_letters = "w", .valued_names = "width"}},
    ReadOnlyProgram{"expand", {.letters = "i", .valued_letters = "t", .valued_names = "tabs"}},
    ReadOnlyProgram{"unexpand", {.letters = "a", .valued_letters = "t", .valued_names = "tabs"}},
    ReadOnlyProgram{"column", {.letters = "txe", .valued_letters = "scoN"}},
    ReadOnlyProgram{"od", {.letters = "abcdfilosxv", .valued_letters = "AjNt"}},
    ReadOnlyProgram{"hexdump", {.letters = "bcCdovx", .valued_letters = "ns"}},
    ReadOnlyProgram{"md5sum", kChecksum},
    ReadOnlyProgram{"sha1sum", kChecksum},
    ReadOnlyProgram{"sha224sum", kChecksum},
    ReadOnlyProgram{"sha256sum", kChecksum},
    ReadOnlyProgram{"sha384sum", kChecksum},
    ReadOnlyProgram{"sha512sum", kChecksum},
    ReadOnlyProgram{"base64",
                    {.letters = "di",
                     .valued_letters = "w",
                     .names = "decode ignore-garbage",
                     .valued_names = "wrap"},
                    files,
                    1},
    ReadOnlyProgram{
        "readlink",
        {.letters = "femnqsvz",
         .names = "canonicalize canonicalize-existing canonicalize-missing no-newline"}},
    ReadOnlyProgram{"realpath",
                    {.letters = "emLPqsz",
                     .names = "canonicalize-existing canonicalize-missing no-symlinks quiet"}},
    ReadOnlyProgram{"sort",
                    {.letters = "bdfgiMhnRrVcCmsuz",
                     .valued_letters = "kt",
                     .names = "ignore-leading-blanks dictionary-order ignore-case "
                              "general-numeric-sort ignore-nonprinting month-sort "
                              "human-numeric-sort numeric-sort random-sort reverse version-sort "
                              "merge stable unique zero-terminated debug",
                     .valued_names = "key field-separator sort parallel",
                     .optional_names = "check"}},
    // A second operand is a file to write.
    ReadOnlyProgram{"uniq",
                    {.letters = "cdDiuz",
                     .valued_letters = "fsw",
                     .names = "count repeated ignore-case unique zero-terminated",
                     .valued_names = "skip-fields skip-chars check-chars"},
                    files,
                    1},
    ReadOnlyProgram{"grep", kGrep, text_then_files},
    ReadOnlyProgram{"egrep", kGrep, text_then_files},
    ReadOnlyProgram{"fgrep", kGrep, text_then_files},
    ReadOnlyProgram{"rg", kRipgrep, text_then_files},
    ReadOnlyProgram{"tree",
                    {.letters = "adfinCpshugDFrtcv",
                     .names = "dirsfirst noreport du prune matchdirs gitignore",
                     .valued_names = "charset filelimit sort",
                     .apart_letters = "LPI"}},
    ReadOnlyProgram{"fd",
                    {.letters = "HIausgFip01",
                     .valued_letters = "dteEc",
                     .names = "hidden no-ignore absolute-path ignore-case case-sensitive glob "
                              "fixed-strings full-path print0",
                     .valued_names = "max-depth min-depth type extension exclude color"},
                    text_then_files},
    ReadOnlyProgram{"jq",
                    {.letters = "ncCMSrjase",
                     .names = "null-input compact-output color-output monochrome-output sort-keys "
                              "raw-output join-output ascii-output slurp exit-status raw-input tab",
                     .valued_names = "indent"},
                    text_then_files},
    ReadOnlyProgram{
        "tr",
        {.letters = "cCdst", .names = "complement delete squeeze-repeats truncate-set1"},
        text},
    ReadOnlyProgram{"pwd", {.letters = "LP"}, text},
    ReadOnlyProgram{"whoami", {}, text, 0},
    ReadOnlyProgram{
        "id", {.letters = "agGnruz", .names = "group groups name real user zero"}, text},
    ReadOnlyProgram{"groups", {}, text},
    ReadOnlyProgram{"uname",
                    {.letters = "asnrvmpio",
                     .names = "all kernel-name nodename kernel-release kernel-version machine "
                              "processor hardware-platform operating-system"},
                    text,
                    0},
    ReadOnlyProgram{"uptime", {.letters = "ps", .names = "pretty since"}, text, 0},
    ReadOnlyProgram{"nproc", {.names = "all", .valued_names = "ignore"}, text, 0},
    ReadOnlyProgram{
        "free",
        {.letters = "bkmghtwl", .names = "bytes kibi mebi gibi human total wide lohi si"},
        text,
        0},
    ReadOnlyProgram{"arch", {}, text, 0},
    ReadOnlyProgram{"hostname",
                    {.letters = "fisIAd",
                     .names = "fqdn long ip-address short all-ip-addresses all-fqdns domain"},
                    text,
                    0},
    ReadOnlyProgram{"sleep", {}, text},
    ReadOnlyProgram{"seq",
                    {.letters = "w",
                     .valued_letters = "sf",
                     .names = "equal-width",
                     .valued_names = "separator format",
                     .number = true},
                    text},
    ReadOnlyProgram{"basename",
                    {.letters = "az",
                     .valued_letters = "s",
                     .names = "multiple zero",
                     .valued_names = "suffix"},
                    text},
    ReadOnlyProgram{"dirname", {.letters = "z", .names = "zero"}, text},
    ReadOnlyProgram{"which", {.letters = "as"}, text},
    ReadOnlyProgram{"type", {.letters = "aftpP"}, text},
    ReadOnlyProgram{"cal", {.letters = "13jmsyw"}, text},
    ReadOnlyProgram{"help", {.letters = "dms"}, text},
    ReadOnlyProgram{"pgrep",
                    {.letters = "lafvxinoc",
                     .valued_letters = "ugPtsGU",
                     .names = "list-name list-full full inverse exact ignore-case newest oldest "
                              "count",
                     .valued_names = "euid pgroup parent terminal session group uid"},
                    text},
    ReadOnlyProgram{"cd", {}, files, 1},
};

}  // namespace

const ReadOnlyProgram* find_read_only_program(std::string_view name) {
  const auto* found = std::find_if(kReadOnlyPrograms.begin(), kReadOnlyPrograms.end(),
                                   [&](const ReadOnlyProgram& each) { return each.name == name; });
  return found == kReadOnlyPrograms.end() ? nullptr : &*found;
}

}  // namespace parley::agent
