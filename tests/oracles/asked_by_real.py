#!/usr/bin/env python3
"""asked_by_real.py CLI MODEL FOLDER <LINES: which of the commands the real CLI asks about. CLI gets them as calls of Bash from a
scripted model (MODEL is `parley model`), in FOLDER; every question is refused. Prints a line of JSON for each: the line it was given,
with "real": "ask", "run" or "unknown"."""
import json
import os
import subprocess
import sys
import tempfile
import threading

PER_SESSION = 40  # calls in one answer of the model
PATIENCE = 180


def turns(commands):
    calls = [{"type": "tool_use", "id": "toolu_%05d" % i, "name": "Bash", "input": {"command": c}} for i, c in enumerate(commands)]
    return [{"content": calls, "chunk": 100000}, {"content": [{"type": "text", "text": "done"}]}]


def verdicts(cli, model, folder, commands):
    with tempfile.TemporaryDirectory() as home:
        script = os.path.join(home, "script.json")
        with open(script, "w") as out:
            json.dump(turns(commands), out)
        env = {"HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        server = subprocess.Popen([model, "model", script, "--until-eof"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True)
        env.update(ANTHROPIC_BASE_URL=server.stdout.readline().strip(), ANTHROPIC_API_KEY="sk-dummy", DISABLE_AUTOUPDATER="1",
                   CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", IS_SANDBOX="1")
        agent = subprocess.Popen([cli, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                                  "--permission-prompt-tool", "stdio"], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        stop = threading.Timer(PATIENCE, agent.kill)
        stop.start()
        found = ["unknown"] * len(commands)

        def send(message):
            agent.stdin.write(json.dumps(message) + "\n")
            agent.stdin.flush()

        send({"type": "control_request", "request_id": "init", "request": {"subtype": "initialize"}})
        send({"type": "user", "message": {"role": "user", "content": "go"}, "parent_tool_use_id": None, "session_id": ""})
        for line in agent.stdout:
            message = json.loads(line)
            request = message.get("request") or {}
            if message["type"] == "control_request" and request.get("subtype") == "can_use_tool":
                found[int(request["tool_use_id"][6:])] = "ask"
                send({"type": "control_response", "response": {"subtype": "success", "request_id": message["request_id"],
                                                               "response": {"behavior": "deny", "message": "no"}}})
            elif message["type"] == "user" and isinstance(message["message"]["content"], list):
                for block in message["message"]["content"]:
                    if block.get("type") != "tool_result":
                        continue
                    at = int(block["tool_use_id"][6:])
                    # A call that it refuses to make at all says nothing about asking.
                    refused = "<tool_use_error>" in str(block.get("content"))
                    if found[at] == "unknown" and not refused:
                        found[at] = "run"
            elif message["type"] == "result":
                break
        stop.cancel()
        agent.kill()
        agent.wait()
        server.stdin.close()
        server.wait()
        return found


def main():
    cli, model, folder = sys.argv[1:]
    lines = [json.loads(line) for line in sys.stdin]
    for at in range(0, len(lines), PER_SESSION):
        part = lines[at:at + PER_SESSION]
        for line, verdict in zip(part, verdicts(cli, model, folder, [line["command"] for line in part])):
            print(json.dumps({**line, "real": verdict}), flush=True)


main()
