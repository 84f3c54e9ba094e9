"""Turns reports of `replay` into TAP: see agent_conformance.sh. A scenario agrees if it does in one of
the reports. A reason in the page that begins with "varies" lets a scenario agree or not.

  verdict.py PAGE REPORT...             prints TAP
  verdict.py --unexpected PAGE REPORT   prints the scenarios that differ and are not in the page"""
import json
import re
import sys

LEAST = 0.95

arguments = sys.argv[1:]
only_names = arguments[0] == '--unexpected'
page, *files = arguments[1:] if only_names else arguments
known = dict(re.findall(r'^\| `(\w+)` \| (.*) \|$', open(page, encoding='utf-8').read(), re.M))
rows = {}
for file in files:
    for name, verdict in json.load(open(file))['rows'].items():
        if rows.get(name) != 'agrees':
            rows[name] = verdict

if only_names:
    print(*[n for n, verdict in sorted(rows.items()) if verdict != 'agrees' and n not in known])
    sys.exit()

count = 0


def say(good, name):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}")


for name, verdict in sorted(rows.items()):
    agrees = verdict == 'agrees'
    if known.get(name, '').startswith('varies'):
        say(True, f'{name}: {verdict}; varies')
    elif name in known:
        say(not agrees, f'{name} differs, as docs/compatibility.md says')
    else:
        say(agrees, f'{name}: {verdict}')
agreeing = sum(verdict == 'agrees' for verdict in rows.values())
share = agreeing / len(rows)
say(share >= LEAST, f'{agreeing} of {len(rows)} scenarios agree ({share:.1%})')
print(f'1..{count}')
