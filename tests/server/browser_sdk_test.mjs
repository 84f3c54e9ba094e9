// The official browser SDK drives a session of the hub through its raw wire endpoint, unchanged. The
// WebSocket it gets is one as a browser would give it: with the cookie and the origin of the page.
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Server, Socket } from './hub_client.mjs';

const sdk = join(process.env.PARLEY_SOURCE_DIR, 'build/npm/@anthropic-ai+claude-agent-sdk-0.3.325',
  'node_modules/@anthropic-ai/claude-agent-sdk/browser-sdk.js');

globalThis.crypto ??= webcrypto; // as in a browser; Node 18 has it behind a flag

let server;
let folder;
let browser;
before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wire-')));
  server = await new Server(folder).start();
  browser = await server.signIn();
  globalThis.WebSocket = class BrowserSocket {
    static OPEN = 1;
    readyState = 0;
    constructor(url) {
      const { port, pathname } = new URL(url);
      this.socket = new Socket(Number(port), pathname, { ...browser.signed, Origin: `http://127.0.0.1:${port}` });
      this.socket.onmessage = (data) => this.onmessage?.({ data });
      this.socket.onclose = (code) => {
        this.readyState = 3;
        this.onclose?.({ code, reason: '' });
      };
      this.socket.opened.then(
        () => {
          this.readyState = 1;
          this.onopen?.();
        },
        (error) => this.onerror?.(error),
      );
    }
    send(text) {
      this.socket.send(text);
    }
    close() {
      this.socket.close();
    }
  };
});
after(() => server.kill());

async function createSession() {
  return (await server.post('/api/sessions', { cwd: folder })).json.id;
}
const wire = (id) => `ws://127.0.0.1:${server.port}/api/sessions/${id}/wire`;
const says = (content) => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' });

test('query() streams an answer, asks for permission, and the log has it all', async () => {
  const { query } = await import(sdk);
  const id = await createSession();
  let done;
  const finished = new Promise((resolve) => (done = resolve));
  async function* prompts() {
    yield says('stream 5');
    yield says('ask');
    await finished;
  }
  const asked = [];
  const conversation = query({
    prompt: prompts(),
    websocket: { url: wire(id) },
    canUseTool: async (name, input) => {
      asked.push([name, input]);
      return { behavior: 'allow', updatedInput: input };
    },
  });
  const results = [];
  let pieces = 0;
  for await (const message of conversation) {
    if (message.type === 'stream_event') pieces += 1;
    if (message.type === 'result') results.push(message.result);
    if (results.length === 2) break;
  }
  done();
  assert.deepEqual(results, ['streamed 5', 'the answer was allow']);
  assert.equal(pieces, 5);
  assert.deepEqual(asked, [['Bash', { command: 'make' }]]);
  const { events } = (await server.get(`/api/sessions/${id}/events?limit=1000`)).json;
  assert.deepEqual(events.filter((e) => e.event.kind === 'prompt').map((e) => e.event.by), ['wire', 'wire']);
  assert.equal(events.filter((e) => e.event.kind === 'resolved')[0].event.reason, 'answered');
});

test('setPermissionMode() and setModel() reach the agent and the summary', async () => {
  const { query } = await import(sdk);
  const id = await createSession();
  let done;
  const finished = new Promise((resolve) => (done = resolve));
  const conversation = query({
    prompt: (async function* prompts() {
      await finished;
    })(),
    websocket: { url: wire(id) },
  });
  await conversation.setModel('other');
  await conversation.setPermissionMode('plan');
  const { model, mode } = (await server.get(`/api/sessions/${id}`)).json;
  assert.deepEqual([model, mode], ['other', 'plan']);
  done();
  await conversation.return?.();
});
