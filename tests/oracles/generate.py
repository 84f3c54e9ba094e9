#!/usr/bin/env python3
"""generate.py SEED COUNT [--mode MODE]: prints COUNT lines of JSON, each a command for judge_commands or hold_commands.

Harmless commands are crossed with what could make them harmful, and written in the many ways in which bash lets one write the same
thing. The same seed prints the same lines."""
import argparse
import json
import random
import sys

import material as m

SAFE = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:%=@")


class Generator:
    def __init__(self, seed, mode):
        self.random = random.Random(seed)
        self.mode = mode

    def pick(self, items):
        return items[int(self.random.random() * len(items))]

    def chance(self, share):
        return self.random.random() < share

    # ---- words -------------------------------------------------------------------------------------------------------

    def spelled(self, text):
        """The same word for bash, written in another way: quoted in pieces, escaped, with lines continued inside."""
        out = []
        while text:
            size = 1 + int(self.random.random() * min(len(text), 6))
            piece, text = text[:size], text[size:]
            how = int(self.random.random() * 9)
            if how == 0 and "'" not in piece:
                out.append("'%s'" % piece)
            elif how == 1 and not set(piece) & set('"\\$`!'):
                out.append('"%s"' % piece)
            elif how == 2:
                out.append("".join(c if c == "\n" else "\\" + c for c in piece))
            elif how == 3 and piece.isascii():
                out.append("$'%s'" % "".join("\\x%02x" % ord(c) for c in piece))
            elif how == 4 and piece.isascii():
                out.append("$\\\n'%s'" % "".join("\\%03o" % ord(c) for c in piece))
            elif how == 5 and not set(piece) & set('"\\$`!'):
                out.append('$"%s"' % piece)
            elif how == 6:
                out.append("\\\n".join(piece) if set(piece) <= SAFE else piece)
            else:
                out.append(piece)
        word = "".join(out)
        if self.chance(0.08):
            word += self.pick(["''", '""', "$''", "\\\n", '"\\\n"', "${nothing}", "$@"])
        return word

    def place(self):
        share = self.random.random()
        if share < 0.55:
            word = self.pick(m.INSIDE)
        elif share < 0.75:
            word = self.pick(m.PATTERNS)
        elif share < 0.95:
            word = self.pick(m.OUTSIDE)
        else:
            word = self.pick(m.EXPANSIONS)
        return self.spelled(word) if self.chance(0.12) else word

    # ---- commands ----------------------------------------------------------------------------------------------------

    def plain(self):
        if self.mode == "acceptEdits" and self.chance(0.4):
            return self.pick(m.EDITS)
        return self.pick(m.PLAIN)

    def with_option(self):
        program = self.pick(PROGRAMS)
        words = [program, self.pick(m.OPTIONS[program])]
        while self.chance(0.45):
            words.append(self.place())
        if self.chance(0.25):
            words[1:] = self.random.sample(words[1:], len(words) - 1)
        return " ".join(words)

    def with_places(self):
        program = self.pick(READERS)
        words = [program] + [self.place() for _ in range(1 + int(self.random.random() * 2.5))]
        if self.chance(0.3) and program in m.OPTIONS:
            words.insert(1, self.pick(m.OPTIONS[program]))
        return " ".join(words)

    def payload(self):
        text = self.pick(m.PAYLOADS)
        return " ".join(self.spelled(word) for word in text.split()) if self.chance(0.15) else text

    def shaped(self):
        return self.pick(m.SHAPES).format(r=self.pick(READERS), p=self.place(), w=self.pick(m.PATTERNS), n=self.pick(m.NAMES), v=self.pick(m.VALUES),
                                          x=self.payload())

    def simple(self):
        share = self.random.random()
        if share < 0.25:
            return self.plain()
        if share < 0.45:
            return self.shaped()
        if share < 0.65:
            return self.with_option()
        if share < 0.92:
            return self.with_places()
        return self.payload()

    def assignment(self):
        return "%s%s%s" % (self.pick(m.NAMES), self.pick(["=", "=", "+=", "=\\\n", "\\\n="]), self.pick(m.VALUES))

    def compound(self, depth):
        inner = lambda: self.command(depth + 1)  # noqa: E731
        words = " ".join(self.pick(m.VALUES + m.PATTERNS) for _ in range(1 + int(self.random.random() * 3)))
        name = self.pick(m.NAMES)
        shape = int(self.random.random() * 16)
        used = self.pick(["$" + name, '"$%s"' % name, "${%s}" % name, "x"])
        if shape <= 2:
            return "for %s in %s; do %s; done" % (name, words, self.pick([inner(), "%s %s" % (self.pick(READERS), used)]))
        if shape == 3:
            return "for ((i=0; i<%s; i++)); do %s; done" % (self.pick(["1", "a[$(touch pwn)]", "2"]), inner())
        if shape == 4:
            return "while %s; do %s; break; done" % (inner(), inner())
        if shape == 5:
            return "until %s; do %s; done" % (self.pick(["true", inner()]), inner())
        if shape == 6:
            return "if %s; then %s; %sfi" % (inner(), inner(), self.pick(["", "else %s; " % inner(), "elif true; then %s; " % inner()]))
        if shape == 7:
            return "case %s in %s) %s ;; *) ls ;; esac" % (self.pick(m.VALUES + m.EXPANSIONS), self.pick(m.PATTERNS), inner())
        if shape == 8:
            return "select %s in %s; do %s; break; done" % (name, words, inner())
        if shape == 9:
            return "(%s)" % inner()
        if shape == 10:
            return "{ %s; }" % inner()
        if shape == 11:
            function = self.pick(["f", "ls", "cat", "cd", "f-g", "command", "pwd"])
            return self.pick(["%s() { %s; }; %s", "function %s { %s; }\n%s"]) % (function, inner(), function)
        if shape == 12:
            return "! %s" % inner()
        if shape == 13:
            return "((%s))" % self.pick(["1", "x=1", "a[$(touch pwn)]", "x++"])
        if shape == 14:
            return "coproc %s" % inner()
        return "time %s" % inner()

    def command(self, depth=0):
        share = self.random.random()
        if depth < 2 and share < 0.14:
            text = self.compound(depth)
        elif depth < 3 and share < 0.34:
            text = self.command(depth + 1) + self.pick(m.SEPARATORS[:8] if self.chance(0.8) else m.SEPARATORS) + self.command(depth + 1)
        else:
            text = self.simple()
        if self.chance(0.06):
            text = self.assignment() + " " + text
        if self.chance(0.07):
            text = self.pick(WRAPPERS) + " " + text
        if self.chance(0.10):
            redirect = self.pick(m.REDIRECTS)
            text = redirect + " " + text if self.chance(0.2) and "\n" not in redirect else text + " " + redirect
        if self.chance(0.04):
            text += " #" + self.pick(["x", " touch pwn", "\\\ntouch pwn", "'", "\ntouch pwn", "$(touch pwn)"])
        return text

    # ---- changes of the text -----------------------------------------------------------------------------------------

    def changed(self, text):
        how = int(self.random.random() * 11)
        at = int(self.random.random() * (len(text) + 1))
        spaces = [i for i, c in enumerate(text) if c == " "]
        if how <= 1:
            return text[:at] + "\\\n" + text[at:]
        if how == 2 and spaces:
            at = self.pick(spaces)
            return text[:at] + self.pick(m.BLANKS) + text[at + self.pick([0, 1]):]
        if how == 3:
            return text[:at] + self.pick(m.BLANKS) + text[at:]
        if how == 4 and spaces:
            at = self.pick(spaces)
            return text[:at] + " " + self.pick(m.EXPANSIONS) + text[at:]
        if how == 5:
            return text[:at] + self.pick(m.EXPANSIONS) + text[at:]
        if how == 6 and spaces:
            words = text.split(" ")
            at = int(self.random.random() * len(words))
            words[at] = self.spelled(words[at])
            return " ".join(words)
        if how == 7:
            return text[:at] + text[at + 1:]
        if how == 8 and spaces:
            other = self.command(1)
            return text[:self.pick(spaces)] + other[other.find(" "):]
        if how == 9:
            return text[:at] + self.pick(list("'\"`$(){}[]<>|&;!#~*?\\\n\t=")) + text[at:]
        if spaces:
            words = text.split(" ")
            i, j = (int(self.random.random() * len(words)) for _ in range(2))
            words[i], words[j] = words[j], words[i]
            return " ".join(words)
        return text

    def line(self):
        text = self.command()
        if self.chance(0.05):
            # "$(payload)" with lines continued at every spot is the oldest trick.
            hidden = self.pick(["$(%s)", "`%s`", '"$(%s)"', "<(%s)", "${x:-$(%s)}", "$((`%s`))"]) % self.payload()
            at = 1 + int(self.random.random() * 3)
            text += " " + hidden[:at] + "\\\n" + hidden[at:]
        while self.chance(0.33):
            text = self.changed(text)
        line = {"command": text, "cwd": self.pick(m.CWDS), "mode": self.mode}
        if self.chance(0.08):
            line["allow"] = self.pick(m.RULES)
        if self.chance(0.06):
            line["deny"] = self.pick(m.DENIALS)
        return line


PROGRAMS = sorted(m.OPTIONS)
READERS = ["cat", "ls", "grep one", "rg one", "wc", "sort", "uniq", "head", "tail", "find", "diff a.txt", "diff", "git diff", "git log", "git status", "git show", "sed -n 1p", "stat", "file",
           "du", "tree", "jq .", "od", "nl", "cmp a.txt", "echo", "printf %s", "test -f", "strings", "md5sum", "base64", "cut -c1", "comm a.txt", "paste", "tac", "rev", "grep -r one",
           "readlink", "realpath", "basename", "cd", "rm", "cp a.txt", "cp", "mv", "touch", "mkdir", "sed -i s/a/b/", "fd x", "column", "expand", "fold", "hexdump", "sha1sum", "git blame", "which"]
WRAPPERS = ["timeout 5", "timeout -k 1 5", "nice", "nice -n 3", "nohup", "time", "time -p", "command", "env", "env A=1", "stdbuf -oL", "xargs", "builtin", "exec", "eval", "sudo", "busybox",
            "timeout\\\n 5", "\\command", "command --", "command -p", "env -i", "env --", "setsid", "xargs -0", "noglob", "then", "!", "timeout 5 nice", "nice timeout 5 env", "strace", "\\\n"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--mode", default="default")
    given = parser.parse_args()
    generator = Generator(given.seed, given.mode)
    out = []
    for _ in range(given.count):
        out.append(json.dumps(generator.line()))
    sys.stdout.write("\n".join(out) + "\n")


main()
