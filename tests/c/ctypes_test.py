"""Drives libparley from Python, with nothing but ctypes, as a binding would."""
import ctypes
import json
import os
import re
import sys
import tempfile
import unittest
from ctypes import POINTER, byref, c_char_p, c_int, c_void_p

SOURCE, BUILD = os.environ["PARLEY_SOURCE_DIR"], os.environ["PARLEY_BUILD_DIR"]
PATIENCE_MS = 30_000
OK, END, TIMEOUT, INVALID = 0, 1, 2, 3
MESSAGE, REQUEST, CANCELLED, INITIALIZED, BAD = 1, 2, 3, 4, 5

lib = ctypes.CDLL(f"{BUILD}/lib/libparley.so")
OUT = POINTER(c_void_p)


def declare(name, result, *arguments):
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments


for name, arguments in {
    "open": (c_char_p, OUT),
    "next": (c_void_p, c_int, OUT),
    "send": (c_void_p, c_char_p, OUT),
    "send_json": (c_void_p, c_char_p, OUT),
    "answer": (c_void_p, c_char_p, c_char_p),
    "request": (c_void_p, c_char_p, c_int, OUT),
    "end_input": (c_void_p,),
    "close": (c_void_p,),
}.items():
    declare("parley_" + name, c_int, *arguments, OUT)
declare("parley_version", c_char_p)
declare("parley_line_kind", c_int, c_void_p)
declare("parley_error_message", c_char_p, c_void_p)
for name in ("json", "type", "request_id"):
    declare("parley_line_" + name, c_char_p, c_void_p)
for name in ("line", "error", "session", "string"):
    declare(f"parley_{name}_free", None, c_void_p)


class Failure(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def call(name, *arguments):
    error = c_void_p()
    code = getattr(lib, "parley_" + name)(*arguments, byref(error))
    if code in (OK, END) or (code == TIMEOUT and not error):
        return code
    message = lib.parley_error_message(error).decode()
    lib.parley_error_free(error)
    raise Failure(code, message)


class Session:
    def __init__(self, script, process=None, **options):
        self.handle = c_void_p()
        given = {
            "cli": f"{BUILD}/bin/parley_fake_cli",
            "process": {"replace_environment": True,
                        "environment": {"PARLEY_FAKE_SCRIPT": script}, **(process or {})},
            **options,
        }
        call("open", json.dumps(given).encode(), byref(self.handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        lib.parley_session_free(self.handle)

    def lines(self):
        """(kind, JSON) up to the end."""
        line = c_void_p()
        while call("next", self.handle, PATIENCE_MS, byref(line)) == OK:
            yield lib.parley_line_kind(line), json.loads(lib.parley_line_json(line))
            lib.parley_line_free(line)

    def send(self, text):
        uuid = c_void_p()
        call("send", self.handle, text.encode(), byref(uuid))
        try:
            return ctypes.string_at(uuid).decode()
        finally:
            lib.parley_string_free(uuid)

    def answer(self, request_id, body):
        call("answer", self.handle, request_id.encode(), json.dumps(body).encode())

    def end_input(self):
        call("end_input", self.handle)


ASK = json.dumps({
    "type": "control_request",
    "request_id": "q-1",
    "request": {"subtype": "can_use_tool", "tool_name": "Bash", "tool_use_id": "t",
                "input": {"command": "echo grün"}},
})
RESULT = '{"type":"result","subtype":"success","is_error":false,"result":$LINE,"session_id":"s"}'


class Ctypes(unittest.TestCase):
    def test_holds_a_session_with_a_permission(self):
        script = f"init\nexpect user\nout {ASK}\nexpect control_response\nout {RESULT}\neof"
        kinds, answered = [], None
        with Session(script) as session:
            self.assertEqual(len(session.send("Was ist grün? 🌿")), 36)
            for kind, said in session.lines():
                kinds.append(kind)
                if kind == REQUEST:
                    self.assertEqual(said["request"]["input"], {"command": "echo grün"})
                    session.answer(said["request_id"], {
                        "behavior": "allow", "updatedInput": said["request"]["input"]})
                elif said["type"] == "result":
                    answered = json.loads(said["result"])
                    session.end_input()
        self.assertEqual(kinds, [INITIALIZED, REQUEST, MESSAGE])
        self.assertEqual(answered["response"]["request_id"], "q-1")
        self.assertEqual(answered["response"]["response"],
                         {"behavior": "allow", "updatedInput": {"command": "echo grün"}})

    def test_raises_what_went_wrong(self):
        with self.assertRaisesRegex(Failure, "modle: there is no such option") as caught:
            Session("init", modle="m")
        self.assertEqual(caught.exception.code, INVALID)

    def test_asks_for_the_version(self):
        with Session("init\neof", process={"require_version": "2.1.38"}):
            pass
        with self.assertRaisesRegex(Failure, "99.0.0 or newer is required"):
            Session("init\neof", process={"require_version": "99.0.0"})

    def test_takes_every_option(self):
        with tempfile.TemporaryDirectory() as folder:
            seen = f"{folder}/arguments"
            script = f"args {seen}\nsave {folder}/input\ninit\neof"
            given = {
                "cli": {"program": f"{BUILD}/bin/parley_fake_cli", "names": ["claude"],
                        "leading_arguments": ["code"], "allow_npx": False, "npx_package": "p",
                        "fallbacks": ["/a"], "prefer_router": False},
                "cwd": folder,
                "model": "m-1",
                "fallback_model": "m-2",
                "effort": "max",
                "thinking": {"mode": "enabled", "budget_tokens": 7, "display": "omitted"},
                "system_prompt": {"text": "You.", "file": "", "append": "More.",
                                  "exclude_dynamic_sections": True, "snapshot": False},
                "output_schema": {"type": "object"},
                "betas": ["b-1", "b-2"],
                "dialog_kinds": ["k"],
                "process": {
                    "environment": {"PARLEY_FAKE_SCRIPT": script, "COLOUR": "green"},
                    "replace_environment": True,
                    "user": "",
                    "extra_flags": {"bare": None, "with": "value"},
                    "require_version": None,
                    "client_app": "test/1",
                    "debug": True,
                    "debug_file": "/debug",
                },
                "permissions": {
                    "mode": "acceptEdits",
                    "allow_bypass": True,
                    "prompt_tool": "mcp__a__b",
                    "prompts": "none",
                    "additional_directories": ["/more"],
                    "plan_instructions": "Plan.",
                    "question_preview": "html",
                },
                "tools": {
                    "built_in": ["Read"],
                    "allowed": ["Grep"],
                    "disallowed": ["Bash"],
                    "aliases": {"a": "b"},
                    "mcp_servers": {"s": {"command": "run", "args": ["x"], "new": 1}},
                    "strict_mcp_config": True,
                },
                "agents": {"types": {"r": {"description": "d", "prompt": "p"}}, "main": "r"},
                "settings": {
                    "file": "",
                    "json": {"a": 1},
                    "sandbox": {"enabled": True},
                    "managed": '{"b":2}',
                    "sources": ["user", "local"],
                    "project_config_root": "/root-folder",
                    "plugins": [{"type": "local", "path": "/plugin"}],
                    "skills": ["s-1"],
                },
                "resume": {"id": "r-1", "latest": False, "fork": True, "at": "u-1",
                           "drops_turn": "u-2"},
                "transcript": {
                    "session_id": "01234567-89ab-4def-8123-456789abcdef",
                    "title": "T",
                    "persist": True,
                    "file_checkpoints": True,
                    "mirror": True,
                },
                "delivery": {
                    "partial_messages": True,
                    "hook_events": True,
                    "replay_user_messages": True,
                    "forward_subagent_text": True,
                    "prompt_suggestions": True,
                    "agent_progress_summaries": True,
                    "per_task_stop": True,
                    "verbatim_prompts": True,
                },
                "limits": {"max_turns": 3, "max_budget_usd": 0.5, "task_budget": 4},
                "buffers": {"line_bytes": 1_000_000, "queue_bytes": 1000, "queue_messages": 10,
                            "unsent_bytes": 100},
                "deadlines": {"initialize": PATIENCE_MS, "request": 0, "interrupt": 1, "close": 2,
                              "kill": 3},
            }
            self.assertEqual(names_of(given), options_of_the_library())
            with Session("", **given):
                pass
            with open(seen, encoding="utf-8") as file:
                arguments = file.read().split("\0")
            with open(f"{folder}/input", encoding="utf-8") as file:
                initialize = json.loads(file.readline())["request"]
        for argument in ("code", "--bare", "value", "CLAUDE_AGENT_SDK_CLIENT_APP=test/1", "--debug",
                         "COLOUR=green", "--debug-file=/debug", "--model=m-1",
                         "--fallback-model=m-2", "--max-thinking-tokens=7",
                         "--thinking-display=omitted", "--effort=max", "--betas=b-1,b-2", "You.",
                         "More.", '--json-schema={"type":"object"}', "--max-turns=3",
                         "--max-budget-usd=0.5", "--task-budget=4", "--tools=Read",
                         "--allowedTools=Grep,Skill(s-1)", "--disallowedTools=Bash",
                         "--permission-mode=acceptEdits", "--allow-dangerously-skip-permissions",
                         "--permission-prompt-tool=mcp__a__b", "--permission-prompts=none", "/more",
                         '{"mcpServers":{"s":{"command":"run","args":["x"],"new":1}}}',
                         "--strict-mcp-config", "--agent=r", "--plugin-dir=/plugin",
                         '{"a":1,"sandbox":{"enabled":true}}', '{"b":2}',
                         "--setting-sources=user,local", "--project-config-root=/root-folder",
                         "--resume=r-1", "--fork-session",
                         "--session-id=01234567-89ab-4def-8123-456789abcdef",
                         "--resume-session-at=u-1", "--resume-drops-turn=u-2", "--session-mirror",
                         "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true",
                         "CLAUDE_CODE_QUESTION_PREVIEW_FORMAT=html", "--include-partial-messages",
                         "--include-hook-events", "--replay-user-messages"):
            self.assertIn(argument, arguments)
        for name, value in {"title": "T", "toolAliases": {"a": "b"}, "skills": ["s-1"],
                            "planModeInstructions": "Plan.", "supportedDialogKinds": ["k"],
                            "agents": {"r": {"description": "d", "prompt": "p"}},
                            "excludeDynamicSections": True, "systemPromptSnapshot": False,
                            "forwardSubagentText": True, "promptSuggestions": True,
                            "agentProgressSummaries": True,
                            "perTaskStopAffordance": True}.items():
            self.assertEqual(initialize[name], value)

    def test_page_lists_every_option(self):
        with open(f"{SOURCE}/docs/sdk/c.md", encoding="utf-8") as page:
            table = page.read().split("## Options")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
        listed = {name for row in rows for name in re.findall(r"`([\w.]+)`", row)}
        self.assertEqual(listed, options_of_the_library())


# The groups, and the structs that they are.
GROUPS = {"process": "ProcessOptions", "permissions": "PermissionOptions", "tools": "ToolOptions",
          "agents": "AgentOptions", "settings": "SettingsOptions", "resume": "ResumeOptions",
          "transcript": "TranscriptOptions", "delivery": "DeliveryOptions", "limits": "Limits",
          "buffers": "Buffers", "deadlines": "Deadlines"}


def names_of(given):
    """The options that are given: "model", "tools.allowed"."""
    alone = set(given) - set(GROUPS)
    return alone | {f"{group}.{name}" for group in GROUPS for name in given.get(group, ())}


def options_of_the_library():
    """The names in the tables that the library reads options with."""
    with open(f"{SOURCE}/c/options.cpp", encoding="utf-8") as source:
        text = source.read()
    named = re.findall(r'member<&(\w+)::\w+>\(\s*"(\w+)"\)', text)
    named += re.findall(r'Member<(\w+)>\{\s*"(\w+)"', text)
    names = {name for struct, name in named if struct == "Options"} - set(GROUPS)
    return names | {f"{group}.{name}" for group, struct in GROUPS.items()
                    for owner, name in named if owner == struct}



if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
