"""Turns the report of `replay` into TAP: see agent_conformance.sh. A reason that begins with "timing" lets a scenario
agree or not."""
import json
import re
import sys

LEAST = 0.95

report = json.load(open(sys.argv[1]))
known = dict(re.findall(r'^\| `(\w+)` \| (.*) \|$', open(sys.argv[2], encoding='utf-8').read(), re.M))
count = 0


def say(good, name):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}")


for name, verdict in sorted(report['rows'].items()):
    agrees = verdict == 'agrees'
    if known.get(name, '').startswith('timing'):
        say(True, f'{name}: {verdict}; depends on timing')
    elif name in known:
        say(not agrees, f'{name} differs, as docs/compatibility.md says')
    else:
        say(agrees, f'{name}: {verdict}')
total = report['total']
share = total['fields'] / total['scenarios']
say(share >= LEAST, f"{total['fields']} of {total['scenarios']} scenarios agree ({share:.1%})")
print(f'1..{count}')
