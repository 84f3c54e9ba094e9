// What an agent writes is recorded and passed on as it came: the same bytes, in the same order.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Server } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

let server;
let folder;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'record-')));
  server = new Server(folder);
});
afterEach(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});

async function create() {
  const created = await server.post('/api/sessions', { cwd: folder });
  assert.equal(created.status, 200, created.body);
  return created.json.id;
}
const logOf = (id) =>
  readdirSync(join(folder, 'data/sessions', id))
    .filter((name) => name.endsWith('.log'))
    .map((name) => readFileSync(join(folder, 'data/sessions', id, name), 'utf8'))
    .join('');

// Valid, and nothing that a program would write by itself: spellings of numbers and texts, blanks,
// members in an odd order, twice, or of no known name.
const ODD = [
  '{"type":"assistant","n":1.0e3,"message":{"content":[{"text":"\\u0041\\/\\ud83d\\ude00","type":"text"}],"id":"odd","role":"assistant","type":"message","model":"x"},"parent_tool_use_id":null,"session_id":"s","uuid":"u1"}',
  '  { "session_id" : "s" ,\t"uuid" : "u2", "type":"system", "subtype":"status", "status":null, "again":1, "again":2 }  ',
  '{"type":"stream_event","event":{"delta":{"text":"\\ud800","type":"text_delta"},"index":0.0,"type":"content_block_delta"},"later":-0,"parent_tool_use_id":null,"session_id":"s","uuid":"u3"}',
  '{"number":123456789012345678901234567890,"type":"never_heard_of","deep":[[[{}]]]}',
  '{"type":"assistant","message":"of an unexpected shape","session_id":"s","uuid":"u5"}',
];
const REQUEST = '{"input":{"n":1.50, "n":2e0},"tool_name":"Bash","new":"\\u0041","subtype":"can_use_tool","tool_use_id":"t"}';

test('bytes of an agent are recorded, listed and passed on as they came', async () => {
  await server.start();
  const page = await Page.open(server);
  const id = await create();
  const wire = await server.socket(`/api/sessions/${id}/wire`);
  const lines = [];
  wire.onmessage = (text) => lines.push(text);
  await page.attach(id);
  const shown = [];
  const hear = page.socket.onmessage;
  page.socket.onmessage = (text) => {
    shown.push(text);
    hear(text);
  };
  const request = `{"request":${REQUEST}, "type":"control_request","request_id":"r\\u0031"}`;
  const cancel = '{"type":"control_cancel_request","request_id":"r1"}';
  page.send(id, `say ${[...ODD, request, cancel].join('\n')}`);
  await page.event(id, (e) => isResult(e) && e.message.result === 'said it');

  const log = logOf(id);
  const listed = (await server.get(`/api/sessions/${id}/events?limit=1000`)).body;
  const events = [
    ...ODD.map((line) => `{"kind":"agent","message":${line}}`),
    `{"kind":"request","request_id":"r1","request":${REQUEST}}`,
  ];
  for (const event of events) {
    assert.ok(log.includes(event), `in the log: ${event}`);
    assert.ok(listed.includes(`"event":${event}}`), `in the list: ${event}`);
    assert.ok(shown.some((text) => text.endsWith(`"event":${event}}`)), `in the page: ${event}`);
  }
  for (const line of ODD) assert.ok(lines.includes(`${line}\n`), `on the wire: ${line}`);
  assert.ok(lines.includes(`{"type":"control_request","request_id":"r1","request":${REQUEST}}\n`));

  // A page that comes later, and after a restart, gets the same.
  await server.kill();
  await server.start();
  const again = await server.socket();
  const replayed = [];
  const whole = new Promise((resolve) => {
    again.onmessage = (text) => {
      replayed.push(text);
      if (text.includes('the server stopped')) resolve();
    };
  });
  again.send({ type: 'attach', session: id, after: 0 });
  await whole;
  for (const event of events) {
    assert.ok(replayed.some((text) => text.endsWith(`"event":${event}}`)), `again: ${event}`);
  }
});

test('questions and their ends keep their places among the messages', async () => {
  const rounds = 300;
  await server.start();
  const page = await Page.open(server);
  const id = await create();
  await page.attach(id);
  page.send(id, `alternate ${rounds}`);
  await page.event(id, (e) => e.message?.event?.delta?.text === 'all asked');
  for (let i = 0; i < rounds; i += 2) {
    page.socket.send({ type: 'answer', session: id, request_id: `ask ${i}`, answer: { behavior: 'allow' } });
  }
  await page.event(id, isResult);

  const expected = [];
  for (let i = 0; i < rounds; i += 1) {
    expected.push(`before ask ${i}`, `ask ${i}`);
    if (i % 3 === 1) expected.push(`behind ask ${i}`);
    if (i % 2 === 1) expected.push(`ask ${i} withdrawn`);
  }
  expected.push('all asked');
  for (let i = 0; i < rounds; i += 2) expected.push(`ask ${i} answered`);
  const told = page.heard
    .filter((m) => m.type === 'event')
    .map(({ event }) => {
      if (event.kind === 'request') return event.request_id;
      if (event.kind === 'resolved') return `${event.request_id} ${event.reason}`;
      return event.message?.event?.delta?.text;
    })
    .filter((text) => text !== undefined);
  assert.deepEqual(told, expected);
});

test('lines that are no messages keep their places, too', async () => {
  await server.start();
  const page = await Page.open(server);
  const id = await create();
  await page.attach(id);
  const line = (n) => `{"type":"system","subtype":"note","n":${n}}`;
  page.send(id, `say ${line(1)}\nnoise\n${line(2)}\n{"type":"stream_event","event":\n${line(3)}`);
  await page.event(id, (e) => isResult(e) && e.message.result === 'said it');
  const told = page.heard
    .filter((m) => m.type === 'event')
    .map(({ event }) => event.message?.n ?? event.beginning)
    .filter((text) => text !== undefined);
  assert.deepEqual(told, [1, 'noise', 2, '{"type":"stream_event","event":', 3]);
});
