// What cannot be shown, or not be kept, is told: nothing is lost without a word.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Server } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

let server;
let folder;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'losses-')));
  server = new Server(folder);
});
afterEach(() => server.kill());

async function ask(prompt) {
  const page = await Page.open(server);
  const created = await server.post('/api/sessions', { cwd: folder, prompt });
  await page.attach(created.json.id);
  return { page, id: created.json.id };
}
const leftOut = (page) => page.heard.map((m) => m.event).filter((event) => event?.kind === 'left_out');

test('a message beyond the limit is left out, and the log says so', async () => {
  await server.start();
  const { page, id } = await ask(`long ${13 << 20}`);
  await page.event(id, isResult);
  const { event } = await page.event(id, (e) => e.kind === 'left_out');
  assert.equal(event.reason, 'too_long');
  assert.match(event.detail, /^more than 12 MiB$/);
  assert.match(event.beginning, /^\{.*stream_event/);
});

test('lines that are no messages are told, but not for ever', async () => {
  await server.start();
  const { page, id } = await ask('noise 500');
  await page.event(id, isResult);
  await page.event(id, (e) => e.kind === 'left_out' && /more of its lines/.test(e.detail));
  page.send(id, 'after it');
  await page.event(id, (e) => isResult(e) && e.message.result === 'after it');
  const told = leftOut(page);
  assert.equal(told.length, 100);
  assert.deepEqual([told[0].reason, told[0].beginning], ['unreadable', 'noise \ufffd 0']);
});

test('a conversation that is taken over says what is missing from it', async () => {
  const session = '7f000000-0000-4000-8000-0000000c0de5';
  const project = join(process.env.HOME, '.claude/projects', folder.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(project, { recursive: true });
  const line = (i) =>
    JSON.stringify({ type: 'user', uuid: `u-${i}`, parentUuid: i > 0 ? `u-${i - 1}` : null, sessionId: session,
      cwd: folder, timestamp: new Date(1.7e12 + i).toISOString(), message: { role: 'user', content: `number ${i}` } });
  const lines = Array.from({ length: 5002 }, (_, i) => line(i));
  lines.splice(5000, 0, 'damaged');
  writeFileSync(join(project, `${session}.jsonl`), `${lines.join('\n')}\n`);
  await server.start();
  const page = await Page.open(server);
  await page.wait((m) => m.sessions?.some((s) => s.id === session));
  await page.attach(session);
  const { json } = await server.get(`/api/sessions/${session}/events?before=10`);
  const kinds = json.events.map(({ event }) => event.reason ?? event.message?.message.content ?? event.kind);
  assert.deepEqual(kinds.slice(0, 4), ['settings', 'earlier', 'unreadable', 'number 2']);
  assert.equal(json.events[2].event.detail, 'lines of the transcript: 1');
});

test('a full disk stops the agent and is told; the session goes on when there is room', async () => {
  // 64 KiB per file, and an error instead of a signal beyond that.
  server.launcher = ['bash', '-c', 'ulimit -S -f 64; trap "" XFSZ; exec "$@"', 'bash'];
  await server.start();
  const { page, id } = await ask('stream 2000');
  // Who looks on is told; the reason is also recorded, if there is room, for who looks later.
  await page.wait((m) => (m.type === 'error' && m.re.session === id && /cannot write/.test(m.message)) ||
    (m.event?.state === 'failed' && /cannot write/.test(m.event.detail.error)));
  page.send(id, 'no room for this '.repeat(4096)); // a short one might fit behind the last event
  await page.wait((m) => m.type === 'error' && m.re.type === 'send' && /cannot write/.test(m.message));
  assert.equal(spawnSync('prlimit', ['--pid', String(server.process.pid), '--fsize=unlimited']).status, 0);
  page.send(id, 'room again');
  await page.event(id, (e) => isResult(e) && e.message.result === 'room again');
  const seqs = page.heard.filter((m) => m.type === 'event').map((m) => m.seq);
  assert.deepEqual(seqs, seqs.map((_, i) => seqs[0] + i));
});

test('a damaged log loses no more than what is damaged, and says so', async () => {
  await server.start();
  const { page, id } = await ask('stream 100');
  await page.event(id, isResult);
  const last = page.heard.findLast((m) => m.type === 'event').seq;
  await server.kill();
  const file = join(folder, 'data/sessions', id, '00000000000000000001.log');
  const bytes = readFileSync(file);
  bytes[bytes.length >> 2] ^= 1;
  writeFileSync(file, bytes);
  await server.start();
  const again = await Page.open(server);
  await again.attach(id);
  const damage = await again.event(id, (e) => e.kind === 'left_out');
  assert.equal(damage.event.reason, 'damaged');
  assert.match(damage.event.detail, /^\d+ bytes of the log$/);
  again.send(id, 'after it');
  const result = await again.event(id, (e) => isResult(e) && e.message.result === 'after it');
  assert.ok(result.seq > last);
  const events = again.heard.filter((m) => m.type === 'event');
  assert.deepEqual(events.slice(0, last).map((m) => m.seq), Array.from({ length: last }, (_, i) => i + 1));
  assert.equal(leftOut(again).length, 1);
  while (!server.errors.includes(file)) await once(server.process.stderr, 'data');
  assert.match(server.errors, /a log is damaged: \d+ bytes cannot be read/);
});
