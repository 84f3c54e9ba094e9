// Streamable HTTP in front of an MCP server on stdin and stdout, just enough for the conformance
// suite: each session has a process of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { createInterface } from 'node:readline';

class Process {
  constructor(program) {
    // Requests that wait for their answer, by id: each has its stream of events.
    this.waiting = new Map();
    this.failure = undefined;
    this.child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'], env: {} });
    this.ended = once(this.child, 'exit');
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      try {
        this.pass(JSON.parse(line), line);
      } catch (error) {
        this.failure ??= error;
      }
    });
  }

  // An answer ends the stream of its request. What the server says by itself goes along with the
  // request that came last, because stdio does not say to which it belongs.
  pass(message, line) {
    assert.equal(message.jsonrpc, '2.0', line);
    const answers = message.method === undefined;
    const stream = answers ? this.waiting.get(message.id) : [...this.waiting.values()].at(-1);
    if (answers) assert.ok(stream, `an answer to nothing: ${line}`);
    stream?.write(`event: message\ndata: ${line}\n\n`);
    if (!answers) return;
    this.waiting.delete(message.id);
    stream.end();
  }

  write(message) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  // The end of input is the end of the server, and a clean one.
  async close() {
    this.child.stdin.end();
    const [code, signal] = await this.ended;
    if (this.failure) throw this.failure;
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
  }
}

async function body(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return JSON.parse(text);
}

export async function startBridge(program) {
  const sessions = new Map();
  const server = http.createServer(async (request, response) => {
    // There is no stream besides those of requests, and no end but that of the bridge.
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = await body(request);
    let id = request.headers['mcp-session-id'];
    if (message.method === 'initialize') {
      id = `session-${sessions.size + 1}`;
      sessions.set(id, new Process(program));
    }
    const session = sessions.get(id);
    if (!session) return response.writeHead(404).end();
    if (message.method !== undefined && message.id !== undefined) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': id });
      response.flushHeaders();
      session.waiting.set(message.id, response);
    } else {
      response.writeHead(202, { 'mcp-session-id': id }).end();
    }
    session.write(message);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    async close() {
      server.closeAllConnections();
      server.close();
      const ends = await Promise.allSettled([...sessions.values()].map((one) => one.close()));
      for (const { reason } of ends) if (reason) throw reason;
      return sessions.size;
    },
  };
}
