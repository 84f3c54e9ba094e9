// What the hub promises, one by one: see docs/server.md.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { agentsOf, leaveTranscript, Server } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

let server;
let folder;
const elsewhere = '7f000000-0000-4000-8000-00000000e15e';

before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hub-')));
  leaveTranscript(elsewhere, folder);
  server = await new Server(folder).start();
});
after(() => server.kill());

async function create(body = {}) {
  const created = await server.post('/api/sessions', { cwd: folder, ...body });
  assert.equal(created.status, 200, created.body);
  return created.json.id;
}
const summary = async (id) => (await server.get(`/api/sessions/${id}`)).json;

test('a prompt is acknowledged, answered and remembered', async () => {
  const id = await create({ model: 'fake', title: 'A title' });
  const page = await Page.open(server);
  const { sessions } = await page.wait((m) => m.type === 'hello');
  assert.equal(sessions.filter((s) => !s.stored)[0].id, id);
  await page.attach(id);
  const client_id = page.send(id, 'stream 3');
  const ack = await page.wait((m) => m.type === 'ack');
  assert.equal(ack.client_id, client_id);
  await page.event(id, isResult);
  const events = page.heard.filter((m) => m.type === 'event');
  assert.deepEqual(events.map((e) => e.seq), events.map((_, i) => i + 1));
  const prompt = events.find((e) => e.event.kind === 'prompt');
  assert.deepEqual(prompt.event, { kind: 'prompt', client_id, content: 'stream 3', by: 'page' });
  assert.equal(prompt.seq, ack.seq);
  assert.equal(events.filter((e) => e.event.message?.type === 'stream_event').length, 3);
  const { state, title, model, cost_usd, cwd } = await summary(id);
  assert.deepEqual({ state, title, model, cost_usd, cwd },
    { state: 'idle', title: 'A title', model: 'fake', cost_usd: 0.25, cwd: folder });
});

test('a repeated prompt runs once', async () => {
  const id = await create();
  const page = await Page.open(server);
  await page.attach(id);
  const client_id = randomUUID();
  page.send(id, 'twice', client_id);
  page.send(id, 'twice', client_id);
  page.send(id, 'last');
  await page.event(id, (e) => isResult(e) && e.message.result === 'last');
  assert.equal(page.heard.filter((m) => m.type === 'ack' && m.client_id === client_id).length, 2);
  assert.equal(page.heard.filter((m) => m.event?.message?.result === 'twice').length, 1);
});

test('the creation of a session can be repeated too', async () => {
  const client_id = randomUUID();
  const first = await create({ prompt: 'hello', client_id });
  assert.equal(await create({ prompt: 'hello', client_id }), first);
});

test('two devices answer the same request: one counts, the other learns it', async () => {
  const id = await create();
  const [one, two] = [await Page.open(server), await Page.open(server)];
  await Promise.all([one.attach(id), two.attach(id)]);
  one.send(id, 'ask');
  const asked = await one.event(id, (e) => e.kind === 'request');
  assert.equal(asked.event.request.tool_name, 'Bash');
  await two.event(id, (e) => e.kind === 'request');
  assert.equal((await summary(id)).state, 'waiting');
  const { request_id } = asked.event;
  const answers = [{ behavior: 'allow' }, { behavior: 'deny', message: 'no' }];
  [one, two].forEach((page, i) => page.socket.send({ type: 'answer', session: id, request_id, answer: answers[i] }));
  const loser = await Promise.race([one, two].map((page) => page.wait((m) => m.type === 'error')));
  assert.equal(loser.re.request_id, request_id);
  for (const page of [one, two]) {
    const { event } = await page.event(id, (e) => e.kind === 'resolved');
    assert.equal(event.reason, 'answered');
    const result = await page.event(id, isResult);
    assert.equal(result.event.message.result, `the answer was ${event.answer.behavior}`);
  }
  assert.equal(one.heard.filter((m) => m.event?.kind === 'resolved').length, 1);
});

test('an answer may change the input and the rules', async () => {
  const id = await create({ prompt: 'ask' });
  const page = await Page.open(server);
  await page.attach(id);
  const { event } = await page.event(id, (e) => e.kind === 'request');
  const rules = [{ type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' }];
  const answer = { behavior: 'allow', updatedInput: { command: 'true' }, updatedPermissions: rules };
  page.socket.send({ type: 'answer', session: id, request_id: event.request_id, answer });
  const result = await page.event(id, isResult);
  const { behavior, updatedInput, updatedPermissions } = JSON.parse(result.event.message.structured_output);
  assert.deepEqual({ behavior, updatedInput, updatedPermissions }, answer);
});

test('an interrupt withdraws what is asked', async () => {
  const id = await create({ prompt: 'ask' });
  const page = await Page.open(server);
  await page.attach(id);
  await page.event(id, (e) => e.kind === 'request');
  assert.equal((await server.post(`/api/sessions/${id}/interrupt`)).status, 200);
  const { event } = await page.event(id, (e) => e.kind === 'resolved');
  assert.deepEqual([event.reason, event.answer], ['withdrawn', null]);
});

test('an agent that dies says why, and is resumed by the next prompt', async () => {
  const id = await create({ prompt: 'die 3' });
  const page = await Page.open(server);
  await page.attach(id);
  const { event } = await page.event(id, (e) => e.kind === 'state' && e.state === 'failed');
  assert.equal(event.detail.exit_code, 3);
  assert.match(event.detail.stderr, /told to die/);
  page.send(id, 'again');
  await page.event(id, (e) => isResult(e) && e.message.result === 'again');
});

test('events are paged backwards', async () => {
  const id = await create({ prompt: 'stream 50' });
  const page = await Page.open(server);
  await page.attach(id);
  await page.event(id, isResult);
  const { last_seq } = await summary(id);
  const got = [];
  let before = last_seq + 1;
  for (let more = true; more; ) {
    const { json } = await server.get(`/api/sessions/${id}/events?before=${before}&limit=20`);
    got.unshift(...json.events.map((e) => e.seq));
    before = got[0];
    more = json.more;
  }
  assert.deepEqual(got, Array.from({ length: last_seq }, (_, i) => i + 1));
});

test('a second attach gets exactly the rest', async () => {
  const id = await create({ prompt: 'stream 10' });
  const first = await Page.open(server);
  await first.attach(id);
  await first.event(id, isResult);
  const second = await Page.open(server);
  const attached = await second.attach(id, 5);
  assert.equal(attached.after, 5);
  await second.event(id, isResult);
  assert.equal(second.heard.filter((m) => m.type === 'event')[0].seq, 6);
});

test('model, mode and title can be changed, and are told to everybody', async () => {
  const id = await create();
  const page = await Page.open(server);
  for (const [name, value] of [['model', 'other'], ['mode', 'acceptEdits'], ['title', 'New title']]) {
    assert.equal((await server.post(`/api/sessions/${id}/${name}`, { [name]: value })).status, 200);
    await page.wait((m) => m.type === 'sessions' && m.sessions.some((s) => s.id === id && s[name] === value));
  }
  assert.equal((await server.post(`/api/sessions/${id}/mode`, { mode: 'nonsense' })).status, 400);
});

test('a deleted session is gone', async () => {
  const id = await create();
  const page = await Page.open(server);
  assert.equal((await server.request('DELETE', `/api/sessions/${id}`)).status, 200);
  await page.wait((m) => m.type === 'gone' && m.session === id);
  assert.equal((await server.get(`/api/sessions/${id}`)).status, 404);
});

test('what was said in any session is found, with the words around it', async () => {
  const found = (await server.get('/api/search?text=ASKED%20in')).json;
  const own = found.hits.filter(({ session }) => session === elsewhere);
  assert.deepEqual(
    own.map(({ kind, before, match, after }) => [kind, before, match, after]),
    [['user', '', 'asked in', ' a terminal']],
  );
  assert.deepEqual((await server.get('/api/search?text=nobody%20said%20this')).json, { hits: [], count: 0 });
  assert.equal((await server.get('/api/search')).status, 400);
});

test('a session is forked up to a message, and the fork goes on by itself', async () => {
  const { json } = await server.post(`/api/sessions/${elsewhere}/fork`, { up_to: 'u-1' });
  const page = await Page.open(server);
  await page.attach(json.id);
  await page.event(json.id, (e) => e.message?.type === 'user');
  const { events } = (await server.get(`/api/sessions/${json.id}/events`)).json;
  assert.ok(!events.some(({ event }) => event.message?.type === 'assistant'), 'what came after is left out');
  const missing = await server.post(`/api/sessions/${elsewhere}/fork`, { up_to: 'u-9' });
  assert.equal(missing.status, 404, missing.body);
  assert.equal((await server.post(`/api/sessions/${elsewhere}/fork`, { up_to: 1 })).status, 400);
});

test('a session is written down for other eyes', async () => {
  const write = (format) => server.get(`/api/sessions/${elsewhere}/export?format=${format}`);
  for (const [format, wanted] of [['markdown', /asked in a terminal/], ['html', /<html/], ['jsonl', /"uuid":"a-1"/]]) {
    const { status, body, headers } = await write(format);
    assert.equal(status, 200, body);
    assert.match(body, wanted);
    assert.match(headers['content-type'], /^text\/plain/, 'never as a page of this origin');
    assert.equal(headers['content-disposition'], 'attachment');
  }
  assert.equal((await write('pdf')).status, 400);
});

test('a session of a terminal is listed, shown and resumed', async () => {
  const page = await Page.open(server);
  const isElsewhere = (s) => s.id === elsewhere;
  const found = await page.wait((m) => m.sessions?.some(isElsewhere));
  const { state, title } = found.sessions.find(isElsewhere);
  assert.deepEqual([state, title], ['stored', 'asked in a terminal']);
  await page.attach(elsewhere);
  await page.event(elsewhere, (e) => e.message?.type === 'assistant' && e.message.uuid === 'a-1');
  page.send(elsewhere, 'go on');
  await page.event(elsewhere, (e) => isResult(e) && e.message.result === 'go on');
  assert.match(readFileSync(join(folder, `${elsewhere}.ran`), 'utf8'), /-/);
});

test('folders are listed within the roots only', async () => {
  const { json } = await server.get(`/api/folders?path=${encodeURIComponent(folder)}`);
  assert.deepEqual(json, { path: folder, parent: null, folders: ['data'] });
  assert.equal((await server.get('/api/folders?path=/etc')).status, 403);
  assert.equal((await server.post('/api/sessions', { cwd: '/etc' })).status, 403);
});

test('metrics, health and info', async () => {
  assert.equal((await server.get('/healthz', { headers: {} })).json.status, 'ok');
  assert.match((await server.get('/metrics')).body, /^parley_prompts_total [1-9]/m);
  const { json } = await server.get('/api/info');
  assert.deepEqual([json.demo, json.roots, json.agent.version], [false, [folder], '0.0.1']);
  assert.deepEqual(json.models, [{ value: 'fake', resolvedModel: 'fake', displayName: 'Fake', description: '' }]);
});

test('bad messages get errors, and nothing breaks', async () => {
  const page = await Page.open(server);
  const id = await create();
  for (const [message, text] of [
    ['no json', /no JSON/],
    [{ type: 'dance' }, /no message of this type/],
    [{ type: 'attach', session: randomUUID() }, /no such session/],
    [{ type: 'send', session: id, client_id: 'x', content: 'hi' }, /UUID/],
    [{ type: 'send', session: id, client_id: randomUUID(), content: 7 }, /text or a list/],
    [{ type: 'answer', session: id, request_id: 'x', answer: {} }, /does not wait/],
    [{ type: 'take_back', session: id, client_id: randomUUID() }, /no such prompt/],
  ]) {
    page.socket.send(message);
    await page.wait((m) => m.type === 'error' && text.test(m.message));
  }
});

test('agents are nicer than the server, so that a busy one does not make pages slow', async () => {
  const id = await create({ prompt: 'ask' });
  const page = await Page.open(server);
  await page.attach(id);
  await page.event(id, (e) => e.kind === 'request');
  const agents = agentsOf(server);
  assert.ok(agents.length > 0);
  const own = getPriority(server.process.pid);
  for (const agent of agents) assert.equal(getPriority(agent), Math.min(own + 5, 19));
});

test('killed with -9 while it asks: the request is lost cleanly, and the session goes on', async () => {
  const id = await create({ prompt: 'ask' });
  const page = await Page.open(server);
  await page.attach(id);
  await page.event(id, (e) => e.kind === 'request');
  await server.kill();
  await server.start();
  const { state, pending } = await summary(id);
  assert.deepEqual([state, pending], ['ended', 0]);
  const again = await Page.open(server);
  await again.attach(id);
  const { event } = await again.event(id, (e) => e.kind === 'resolved');
  assert.equal(event.reason, 'lost');
  again.send(id, 'still here');
  await again.event(id, (e) => isResult(e) && e.message.result === 'still here');
});

test('SIGTERM ends it cleanly, and all is there again', async () => {
  const id = await create({ prompt: 'hello' });
  const page = await Page.open(server);
  await page.attach(id);
  await page.event(id, isResult);
  const { key } = await server.signIn();
  assert.deepEqual(await server.kill('SIGTERM'), { code: 0, signal: null });
  assert.ok(!server.errors.includes(key));
  await server.start();
  assert.equal((await summary(id)).state, 'ended');
});
