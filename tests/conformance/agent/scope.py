"""Prints the scenarios that parley-agent is held to: all of 2.1.325 but those of parts that it does
not have yet, which OUT_OF_SCOPE names."""
import fnmatch
import os
import sys

OUT_OF_SCOPE = [
    # MCP servers in the client that answer in a way that makes the CLI wait for minutes
    'mcp_sdk_unwrapped_*',
    # compaction, slash commands, skills
    'compact_*', 'slash_*', 'queue_slash', 'tool_skill', 'api_prompt_too_long',
    # the vendor's own: a classifier
    'mode_auto',
]

recordings = os.path.join(sys.argv[1], 'tests/recordings/2.1.325')
end = '.scenario.json'
names = sorted(f[:-len(end)] for f in os.listdir(recordings) if f.endswith(end))
print(*[n for n in names if not any(fnmatch.fnmatch(n, out) for out in OUT_OF_SCOPE)])
