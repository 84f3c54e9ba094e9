// What a person needs to decide well: what lies where a tool would write, and that no agent stops
// asking unless the server was started so.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fakeAgent, Server } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

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

const look = (path, what = 'file') =>
  server.get(`/api/sessions/${id}/${what}?path=${encodeURIComponent(path)}`);

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
    for (const what of ['file', 'text']) {
      const { status, body } = await look(path, what);
      assert.equal(status, 403, `${what} ${path}: ${body}`);
    }
  }
  assert.equal((await look('')).status, 400);
  assert.equal((await look('a\0b')).status, 400);
});

test('the text of a file is shown, if it is one', async () => {
  writeFileSync(join(work, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]));
  assert.deepEqual((await look('inner/link', 'text')).json, { text: 'milk\nbread\ncoffee' });
  assert.deepEqual((await look('empty', 'text')).json, { text: '' });
  for (const [path, wanted] of [['missing.txt', 404], ['inner', 404], ['pipe', 404], ['long', 429], ['bytes', 400]]) {
    assert.equal((await look(path, 'text')).status, wanted, path);
  }
});

test('a page asks the agent what changes nothing that the hub records', async () => {
  const ask = (request) => server.post(`/api/sessions/${id}/request`, { request });
  assert.equal((await ask({ subtype: 'get_context_usage' })).status, 200);
  for (const subtype of ['set_permission_mode', 'set_model', 'initialize', 'interrupt', 'nonsense', undefined]) {
    assert.equal((await ask({ subtype, mode: 'bypassPermissions' })).status, 400, subtype);
  }
  const { json } = await server.get(`/api/sessions/${id}/agent`);
  assert.ok(json.models.length > 0);
});

/** How the agent of a session was started, once it is there. */
async function startOf(session) {
  const page = await Page.open(server);
  await page.attach(session);
  await page.event(session, (e) => e.kind === 'state' && e.state === 'idle');
  return readFileSync(join(folder, 'started'), 'utf8').trim().split('\n').at(-1);
}

/** A session whose agent asks, with the page that hears it and what it asks. */
async function askingSession() {
  const session = (await server.post('/api/sessions', { cwd: work, prompt: 'ask' })).json.id;
  const page = await Page.open(server);
  await page.attach(session);
  const { event } = await page.event(session, (e) => e.kind === 'request');
  return { session, page, request_id: event.request_id };
}
const harmless = { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' };
const setMode = (mode) => ({ type: 'setMode', mode, destination: 'session' });
const withChanges = (...updatedPermissions) => ({ behavior: 'allow', updatedPermissions });

test('no answer tells an agent to ask for nothing', async () => {
  const { session, page, request_id } = await askingSession();
  const answer = (body) => page.socket.send({ type: 'answer', session, request_id, answer: body });
  // Wherever it stands among the changes, and for whichever settings.
  for (const changes of [
    [setMode('bypassPermissions')],
    [harmless, setMode('acceptEdits'), setMode('bypassPermissions')],
    [{ ...setMode('bypassPermissions'), destination: 'userSettings' }],
  ]) {
    page.heard = page.heard.filter((m) => m.type !== 'error');
    answer(withChanges(...changes));
    // Were it taken, the agent would end its turn, and there would be no error to wait for.
    const heard = await page.wait((m) => m.type === 'error' || (m.type === 'event' && isResult(m.event)));
    assert.equal(heard.type, 'error', JSON.stringify(heard));
    assert.match(heard.message, /--allow-bypass/);
  }
  // The request waits on, for an answer that may be given.
  answer(withChanges(setMode('acceptEdits')));
  const result = await page.event(session, isResult);
  const { updatedPermissions } = JSON.parse(result.event.message.structured_output);
  assert.deepEqual(updatedPermissions, [setMode('acceptEdits')]);
  assert.equal(page.heard.filter((m) => m.event?.kind === 'resolved').length, 1);
});

/** A client of the raw wire that waits for lines as a page does for messages. */
async function wireOf(session) {
  const wire = new Page();
  wire.heard = [];
  wire.waiting = [];
  wire.socket = await server.socket(`/api/sessions/${session}/wire`);
  wire.socket.onmessage = (text) => {
    wire.heard.push(...text.split('\n').filter(Boolean).map((line) => JSON.parse(line)));
    wire.waiting = wire.waiting.filter((check) => !check());
  };
  wire.ask = async (request_id, request) => {
    wire.socket.send({ type: 'control_request', request_id, request });
    return (await wire.wait((m) => m.type === 'control_response' && m.response.request_id === request_id)).response;
  };
  return wire;
}

test('nothing on the raw wire tells an agent to ask for nothing', async () => {
  const { session, page, request_id } = await askingSession();
  const wire = await wireOf(session);
  const refused = await wire.ask('mode', { subtype: 'set_permission_mode', mode: 'bypassPermissions' });
  assert.equal(refused.subtype, 'error');
  assert.match(refused.error, /--allow-bypass/);
  assert.equal((await server.get(`/api/sessions/${session}`)).json.mode, 'default');

  await wire.wait((m) => m.type === 'control_request' && m.request_id === request_id);
  const response = withChanges(harmless, setMode('bypassPermissions'));
  wire.socket.send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  // The lines of one client are taken in their order: the answer was judged when this is answered.
  assert.equal((await wire.ask('model', { subtype: 'set_model', model: 'other' })).subtype, 'success');
  page.socket.send({ type: 'answer', session, request_id, answer: { behavior: 'deny', message: 'no' } });
  const result = await page.event(session, isResult);
  assert.equal(result.event.message.result, 'the answer was deny');
  assert.doesNotMatch(result.event.message.structured_output, /bypassPermissions/);
  wire.socket.close();
});

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
