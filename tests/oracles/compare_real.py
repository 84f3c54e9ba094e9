#!/usr/bin/env python3
"""compare_real.py REAL OURS REASONS: where the real CLI asks about a command and we do not, a reason must be known. REAL is from
asked_by_real.py, OURS from judge_commands, REASONS has a line "regular expression<TAB>why" for each reason. Prints TAP."""
import collections
import json
import re
import sys


def main():
    real = [json.loads(line) for line in open(sys.argv[1])]
    ours = [json.loads(line) for line in open(sys.argv[2])]
    reasons = []
    for line in open(sys.argv[3]):
        if line.strip() and not line.startswith("#"):
            pattern, why = line.rstrip("\n").split("\t", 1)
            reasons.append((re.compile(pattern, re.S), why))
    count = collections.Counter((a["real"], b["verdict"]) for a, b in zip(real, ours))
    for (theirs, own), number in sorted(count.items()):
        print("# %d commands: the real CLI %s, our verdict is %s" % (number, {"ask": "asks", "run": "runs it"}.get(theirs, "says nothing"), own))
    used, unknown = collections.Counter(), []
    for a, b in zip(real, ours):
        assert a["command"] == b["command"]
        if a["real"] != "ask" or b["verdict"] != "allow":
            continue
        for pattern, why in reasons:
            if pattern.search(a["command"]):
                used[why] += 1
                break
        else:
            unknown.append(a["command"])
    for why, number in used.most_common():
        print("# %d times we do not ask: %s" % (number, why))
    for command in unknown:
        print("# no reason is known for: %s" % json.dumps(command))
    print("1..2")
    # A real CLI that did not answer says nothing about us.
    answered = sum(1 for a in real if a["real"] != "unknown")
    print("%s 1 - the real CLI gave its verdict on most of %d commands" % ("ok" if answered > len(real) * 0.8 else "not ok", len(real)))
    print("%s 2 - where the real CLI asks and we do not there is a reason" % ("not ok" if unknown else "ok"))
    return 1 if unknown else 0


sys.exit(main())
