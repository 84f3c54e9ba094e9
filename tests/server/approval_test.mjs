// What a person needs to decide well: what lies where a tool would write, and that no agent stops
// asking unless the server was started so.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fakeAgent, Server } from './hub_client.mjs';
import { Page } from './hub_page.mjs';

let server;
let folder;
let work;
let id;

before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'approval-')));
  work = join(folder, 'work');
  mkdirSync(work);
  server = new Server(folder);
  // An agent that leaves a note of how it was started.
  server.agent = join(folder, 'agent.sh');
  writeFileSync(server.agent, `#!/bin/sh\necho "$*" >>"$FAKE_AGENT_FOLDER/started"\nexec '${fakeAgent}' "$@"\n`);
  chmodSync(server.agent, 0o755);
  await server.start();
  id = (await server.post('/api/sessions', { cwd: work })).json.id;
});
after(() => server.kill());

const look = (path) => server.get(`/api/sessions/${id}/file?path=${encodeURIComponent(path)}`);

test('the server says what lies where a tool would write', async () => {
  const file = join(work, 'notes.txt');
  writeFileSync(file, 'milk\nbread\ncoffee');
  writeFileSync(join(work, 'empty'), '');
  mkdirSync(join(work, 'inner'));
  symlinkSync(file, join(work, 'inner/link'));
  symlinkSync('nowhere', join(work, 'dangling'));
  writeFileSync(join(work, 'long'), '');
  truncateSync(join(work, 'long'), 17 << 20);
  execFileSync('mkfifo', [join(work, 'pipe')]);
  for (const [path, kind, bytes, lines] of [
    [file, 'file', 17, 3],
    ['notes.txt', 'file', 17, 3],
    ['inner/link', 'file', 17, 3],
    [join(work, 'empty'), 'file', 0, 0],
    ['long', 'file', 17 << 20, null],
    ['missing.txt', 'none', 0, null],
    ['no/such/folder/file', 'none', 0, null],
    ['inner', 'folder', 0, null],
    ['pipe', 'other', 0, null],
    ['dangling', 'other', 0, null],
  ]) {
    assert.deepEqual((await look(path)).json, { kind, bytes, lines }, path);
  }
});

test('and nothing of what lies elsewhere, not even whether it is there', async () => {
  writeFileSync(join(folder, 'secret'), 'x');
  symlinkSync(join(folder, 'secret'), join(work, 'out'));
  symlinkSync(folder, join(work, 'up'));
  for (const path of ['/etc/passwd', '/etc/missing', '../secret', '../missing', join(folder, 'secret'), 'out',
    'up/secret', 'up/missing', 'inner/../../secret', `${work}x`, '.', work, '/']) {
    const { status, body } = await look(path);
    assert.equal(status, 403, `${path}: ${body}`);
  }
  assert.equal((await look('')).status, 400);
  assert.equal((await look('a\0b')).status, 400);
});

/** How the agent of a session was started, once it is there. */
async function startOf(session) {
  const page = await Page.open(server);
  await page.attach(session);
  await page.event(session, (e) => e.kind === 'state' && e.state === 'idle');
  return readFileSync(join(folder, 'started'), 'utf8').trim().split('\n').at(-1);
}

test('no agent is told to ask for nothing unless the server was started so', async () => {
  const bypass = { mode: 'bypassPermissions' };
  assert.equal((await server.get('/api/info')).json.bypass, false);
  const refused = await server.post(`/api/sessions/${id}/mode`, bypass);
  assert.equal(refused.status, 403);
  assert.match(refused.json.error.message, /--allow-bypass/);
  assert.equal((await server.post('/api/sessions', { cwd: work, ...bypass })).status, 403);
  assert.equal((await server.get(`/api/sessions/${id}`)).json.mode, '');
  assert.doesNotMatch(await startOf(id), /skip-permissions|bypass/);

  await server.kill('SIGTERM');
  server.options = ['--allow-bypass'];
  await server.start();
  assert.equal((await server.get('/api/info')).json.bypass, true);
  const free = (await server.post('/api/sessions', { cwd: work, ...bypass })).json.id;
  const arguments_ = await startOf(free);
  assert.match(arguments_, /--permission-mode[ =]bypassPermissions/);
  assert.match(arguments_, /--allow-dangerously-skip-permissions/);

  // What was chosen then is not in force when it is not allowed any more.
  await server.kill('SIGTERM');
  server.options = [];
  await server.start();
  writeFileSync(join(folder, 'started'), '');
  const page = await Page.open(server);
  await page.attach(free);
  assert.equal((await server.post(`/api/sessions/${free}/resume`, {})).status, 200);
  const { seq } = await page.event(free, (e) => e.kind === 'settings' && e.mode === 'default');
  await page.wait((m) => m.session === free && m.seq > seq && m.event.state === 'idle');
  assert.match(readFileSync(join(folder, 'started'), 'utf8'), /stream-json/);
  assert.doesNotMatch(readFileSync(join(folder, 'started'), 'utf8'), /skip-permissions|bypass/);
  assert.equal((await server.get(`/api/sessions/${free}`)).json.mode, 'default');
});
