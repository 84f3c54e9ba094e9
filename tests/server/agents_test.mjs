// Agents that hang, linger or talk too much, and what clients do meanwhile. A stopped process stands
// for one that neither reads nor answers nor ends.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { agentsOf, Server } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

let server;
let folder;
let stopped;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'agents-')));
  server = new Server(folder);
  stopped = [];
});
afterEach(async () => {
  for (const pid of stopped) signal(pid, 'SIGKILL');
  await server.kill();
  rmSync(folder, { recursive: true });
});

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended meanwhile
  }
}
async function create(body = {}) {
  const created = await server.post('/api/sessions', { cwd: folder, ...body });
  assert.equal(created.status, 200, created.body);
  return created.json.id;
}
const sessions = async () => (await server.get('/api/sessions')).json.sessions;
const until = async (holds) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
};
/** A session whose agent is ready, and does nothing any more. */
async function createStopped(page) {
  const id = await create();
  await page.attach(id);
  await page.event(id, (e) => e.state === 'idle');
  const [pid] = agentsOf(server).filter((each) => !stopped.includes(each));
  process.kill(pid, 'SIGSTOP');
  stopped.push(pid);
  return { id, pid };
}

test('a prompt that was accepted before a crash runs when it is sent again', async () => {
  await server.start();
  const page = await Page.open(server);
  const { id, pid } = await createStopped(page);
  const client_id = page.send(id, 'hello');
  await page.wait((m) => m.type === 'ack' && m.client_id === client_id);
  await server.kill();
  signal(pid, 'SIGKILL');
  await server.start();
  const again = await Page.open(server);
  await again.attach(id);
  again.send(id, 'hello', client_id);
  await again.event(id, (e) => isResult(e) && e.message.result === 'hello');
  const prompts = again.heard.filter((m) => m.event?.kind === 'prompt');
  assert.equal(prompts.length, 1);
});

test('what an agent does not read is bounded, and what was accepted runs', async () => {
  await server.start();
  const page = await Page.open(server);
  const { id, pid } = await createStopped(page);
  const sent = Array.from({ length: 6 }, (_, i) => page.send(id, `${i} ${'x'.repeat(7 << 20)}`));
  const answers = await Promise.all(sent.map((client_id) =>
    page.wait((m) => (m.type === 'ack' && m.client_id === client_id) || m.re?.client_id === client_id)));
  const refused = answers.filter((m) => m.type === 'error');
  assert.equal(refused.length, 2);
  assert.match(refused[0].message, /too many prompts wait/);
  process.kill(pid, 'SIGCONT');
  for (let i = 0; i < 4; i += 1) {
    await page.event(id, (e) => isResult(e) && e.message.result.startsWith(`${i} `));
  }
});

test('a name of megabytes does not keep pages out', async () => {
  await server.start();
  const page = await Page.open(server);
  for (let i = 0; i < 2; i += 1) {
    const id = await create({ prompt: `name ${9 << 20}` });
    await page.attach(id);
    await page.event(id, isResult);
    assert.ok((await server.get(`/api/sessions/${id}`)).json.model.length < 300);
  }
  const another = await Page.open(server);
  assert.equal((await another.wait((m) => m.type === 'hello')).sessions.length, 2);
});

test('an agent that does not answer keeps nobody else waiting', async () => {
  await server.start();
  const page = await Page.open(server);
  const { id } = await createStopped(page);
  const other = await create();
  const calls = Array.from({ length: 300 }, () => server.post(`/api/sessions/${id}/interrupt`));
  const tooMany = await Promise.race(calls); // those that wait say nothing
  assert.equal(tooMany.status, 429);
  assert.match(tooMany.json.error.message, /too many requests wait/);
  assert.equal((await server.get('/api/folders')).status, 200);
  assert.equal((await server.post(`/api/sessions/${other}/title`, { title: 'quick' })).status, 200);
  assert.equal((await server.post(`/api/sessions/${other}/interrupt`)).status, 200);
  assert.equal((await server.post(`/api/sessions/${other}/close`)).status, 200);
  // And whoever waits is told when it ends.
  signal(stopped[0], 'SIGKILL');
  for (const { status } of await Promise.all(calls)) assert.ok(status >= 400, `${status}`);
});

test('a session that is being deleted takes nothing, and blocks nobody', async () => {
  await server.start();
  const page = await Page.open(server);
  const { id, pid } = await createStopped(page);
  const deleted = server.request('DELETE', `/api/sessions/${id}`);
  await page.wait((m) => m.type === 'gone' && m.session === id);
  page.send(id, 'too late');
  const refused = await page.wait((m) => m.type === 'error' && m.re.type === 'send');
  assert.equal(refused.code, 'not_found');
  assert.deepEqual(agentsOf(server), [pid]);
  assert.equal((await server.get('/api/info')).status, 200);
  signal(pid, 'SIGKILL');
  assert.equal((await deleted).status, 200);
  assert.deepEqual(await sessions(), []);
});

test('an agent is started when the last one has ended, not beside it', async () => {
  await server.start();
  const page = await Page.open(server);
  const { id, pid } = await createStopped(page);
  const closed = server.post(`/api/sessions/${id}/close`);
  await page.event(id, (e) => e.state === 'ended');
  page.send(id, 'hello again');
  await page.wait((m) => m.type === 'ack');
  assert.equal((await server.post(`/api/sessions/${id}/resume`)).status, 200);
  assert.deepEqual(agentsOf(server), [pid]);
  signal(pid, 'SIGKILL');
  assert.equal((await closed).status, 200);
  await page.event(id, (e) => isResult(e) && e.message.result === 'hello again');
});

test('a request comes after the call that it asks about', async () => {
  await server.start();
  const page = await Page.open(server);
  const id = await create({ prompt: 'ask 1500' });
  await page.attach(id);
  const { event } = await page.event(id, (e) => e.kind === 'request');
  const events = page.heard.filter((m) => m.type === 'event').map((m) => m.event);
  const call = events.findIndex((e) => e.message?.message?.content?.[0]?.id === event.request.tool_use_id);
  assert.ok(call >= 0 && call < events.indexOf(event), `${call}`);
  page.socket.send({ type: 'answer', session: id, request_id: event.request_id, answer: { behavior: 'allow' } });
  await page.event(id, isResult);
});

test('there are no more agents than were allowed', async () => {
  server.options = ['--max-agents', '2'];
  await server.start();
  const ids = [await create(), await create()];
  const refused = await server.post('/api/sessions', { cwd: folder });
  assert.equal(refused.status, 429);
  assert.match(refused.json.error.message, /too many agents/);
  assert.equal((await sessions()).length, 2);
  assert.equal((await server.post(`/api/sessions/${ids[0]}/close`)).status, 200);
  await create();
  assert.equal((await server.post(`/api/sessions/${ids[0]}/resume`)).status, 429);
});

test('a session that is refused leaves nothing behind', async () => {
  await server.start();
  for (const body of [{ prompt: 7 }, { prompt: 'x', client_id: 'no uuid' }, { mode: 'reckless' }]) {
    assert.equal((await server.post('/api/sessions', { cwd: folder, ...body })).status, 400);
  }
  assert.deepEqual(await sessions(), []);
  assert.deepEqual(agentsOf(server), []);
  const client_id = randomUUID();
  const id = await create({ client_id });
  assert.equal(await create({ client_id }), id);
  await server.kill();
  await server.start();
  assert.equal(await create({ client_id }), id);
});

test('model and mode are those that a resumed session is asked for with', async () => {
  await server.start();
  const id = await create();
  await server.post(`/api/sessions/${id}/close`);
  assert.equal(await create({ resume: id, model: 'another', mode: 'plan' }), id);
  const { model, mode } = (await server.get(`/api/sessions/${id}`)).json;
  assert.deepEqual({ model, mode }, { model: 'another', mode: 'plan' });
});

/** A conversation as an agent in a terminal leaves it. */
function leaveTranscript(session, count, text) {
  const project = join(process.env.HOME, '.claude/projects', folder.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(project, { recursive: true });
  const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ type: 'user', uuid: `u-${i}`,
    parentUuid: i > 0 ? `u-${i - 1}` : null, sessionId: session, cwd: folder,
    timestamp: new Date(1.7e12 + i).toISOString(), message: { role: 'user', content: `${i} ${text}` } }));
  writeFileSync(join(project, `${session}.jsonl`), `${lines.join('\n')}\n`);
}

test('a conversation that could not be taken over is taken over later, as a whole', async () => {
  const session = randomUUID();
  leaveTranscript(session, 400, 'x'.repeat(500));
  server.launcher = ['bash', '-c', 'ulimit -S -f 64; trap "" XFSZ; exec "$@"', 'bash'];
  await server.start();
  await until(async () => (await sessions()).some((s) => s.id === session));
  assert.equal((await server.get(`/api/sessions/${session}`)).status, 500);
  assert.deepEqual((await sessions()).map((s) => s.state), ['stored']);
  spawnSync('prlimit', ['--pid', String(server.process.pid), '--fsize=unlimited']);
  assert.equal((await server.get(`/api/sessions/${session}`)).status, 200);
  const { json } = await server.get(`/api/sessions/${session}/events?limit=1000`);
  assert.equal(json.events.filter(({ event }) => event.kind === 'agent').length, 400);
});

test('what was deleted does not come back, unless somebody goes on with it', async () => {
  const [ours, theirs, kept] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [ours, theirs]) leaveTranscript(id, 2, 'x');
  await server.start();
  const ids = async () => (await sessions()).map((s) => s.id).sort();
  await until(async () => (await ids()).length === 2);
  assert.equal((await server.get(`/api/sessions/${ours}`)).status, 200); // it is the hub's now
  for (const id of [ours, theirs]) {
    assert.equal((await server.request('DELETE', `/api/sessions/${id}`)).status, 200);
    assert.equal((await server.request('DELETE', `/api/sessions/${id}`)).status, 404);
  }
  await server.kill();
  leaveTranscript(kept, 2, 'x'); // shows that the folder was looked through
  await server.start();
  await until(async () => (await ids()).includes(kept));
  assert.deepEqual(await ids(), [kept]);
  await server.kill();
  leaveTranscript(theirs, 3, 'x');
  await server.start();
  await until(async () => (await ids()).length === 2);
  assert.deepEqual(await ids(), [theirs, kept].sort());
});

test('of a conversation of many megabytes the end is taken over', async () => {
  const session = randomUUID();
  leaveTranscript(session, 1000, 'x'.repeat(60_000));
  await server.start();
  await until(async () => (await sessions()).some((s) => s.id === session));
  assert.equal((await server.get(`/api/sessions/${session}`)).status, 200);
  const { json } = await server.get(`/api/sessions/${session}/events?before=4`);
  assert.deepEqual(json.events.map(({ event }) => event.reason ?? event.kind), ['settings', 'earlier', 'agent']);
  const last = (await server.get(`/api/sessions/${session}/events?limit=2`)).json.events[0];
  assert.match(last.event.message.message.content, /^999 /);
});
