// Breaks everything that can break while 20 sessions stream: sockets are cut, held and reloaded,
// agents and the server are killed with -9. In the end every client must have exactly the events of
// the log, in order, and every prompt that was acknowledged must have run exactly once.
//
// PARLEY_SEED=N repeats a run, as far as timing lets it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { agentsOf, Server } from './hub_client.mjs';

const SESSIONS = 20;
const CLIENTS = 24;
const FAULTS = 210;
const SERVER_KILLS = 6;
const EVENTS = 10_000;
const PATIENCE_MS = 40_000;

const seed = Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000);
let state = seed >>> 0;
/** A small generator (mulberry32): the same seed makes the same decisions. */
function random(below) {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % below;
}
const pick = (list) => list[random(list.length)];

async function until(what, condition) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `waited too long: ${what}`);
    await pause(20);
  }
}

/** What one device knows, and how it behaves. */
class Client {
  constructor(server, sessions, acknowledged) {
    this.server = server;
    this.acknowledged = acknowledged;
    this.unsent = new Map(); // client_id -> message, until it is acknowledged
    this.follow(sessions);
  }
  /** As a reload does: all is forgotten but what the user has typed. */
  follow(sessions) {
    this.seen = new Map(sessions.map((id) => [id, { from: undefined, events: [] }]));
  }

  async connect() {
    let socket;
    try {
      socket = await this.server.socket();
    } catch {
      return; // the server is down; the next fault or the end tries again
    }
    this.socket = socket;
    socket.onmessage = (text) => this.take(socket, JSON.parse(text));
    for (const [id, seen] of this.seen) {
      socket.send({ type: 'attach', session: id, after: seen.events.at(-1)?.seq ?? 0 });
    }
    for (const message of this.unsent.values()) socket.send(message);
  }

  take(socket, message) {
    if (socket !== this.socket) return; // left over of a connection that was given up
    if (message.type === 'ack') {
      this.unsent.delete(message.client_id);
      this.acknowledged.set(message.client_id, message.session);
    }
    const seen = this.seen.get(message.session);
    if (!seen) return;
    if (message.type === 'attached' && seen.events.length === 0) seen.from = message.after;
    if (message.type !== 'event') return;
    const last = seen.events.at(-1)?.seq ?? seen.from;
    assert.ok(message.seq > last, `event ${message.seq} came after ${last}`);
    seen.events.push({ seq: message.seq, event: message.event });
    if (message.event.kind === 'request') this.answer(message);
  }

  answer({ session, event }) {
    // Every device answers; one of them will be the first.
    this.socket.send({
      type: 'answer',
      session,
      request_id: event.request_id,
      answer: random(2) === 0 ? { behavior: 'allow' } : { behavior: 'deny', message: 'no' },
    });
  }

  say(session, content) {
    const message = { type: 'send', session, client_id: randomUUID(), content };
    this.unsent.set(message.client_id, message);
    if (!this.socket?.open) return;
    this.socket.send(message);
    if (random(4) === 0) this.socket.send(message); // once more, by mistake
  }

  cut() {
    this.socket?.cut();
    this.socket = undefined;
  }
}

const isPiece = (event) => event.kind === 'agent' && event.message.type === 'stream_event';

async function wholeLog(server, session) {
  const events = [];
  for (let before = 2 ** 50, more = true; more; before = events[0]?.seq) {
    const page = await server.get(`/api/sessions/${session}/events?limit=700&before=${before}`);
    assert.equal(page.status, 200, page.body);
    events.unshift(...page.json.events.map(({ seq, event }) => ({ seq, event })));
    more = page.json.more;
  }
  return events;
}

/** Whether there was still somebody to kill. */
function killed(agent) {
  try {
    return process.kill(agent, 'SIGKILL');
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

test(`nothing is lost, doubled or reordered (seed ${seed})`, async (context) => {
  console.log(`# PARLEY_SEED=${seed}`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'faults-')));
  const server = await new Server(folder).start();
  context.after(() => server.kill());
  const sessions = [];
  for (let i = 0; i < SESSIONS; i += 1) {
    const created = await server.post('/api/sessions', { cwd: folder });
    assert.equal(created.status, 200, created.body);
    sessions.push(created.json.id);
  }
  const acknowledged = new Map();
  const clients = Array.from({ length: CLIENTS }, (_, i) => {
    const followed = new Set([sessions[i % SESSIONS], pick(sessions), pick(sessions)]);
    return new Client(server, [...followed], acknowledged);
  });
  await Promise.all(clients.map((client) => client.connect()));

  const counts = { cut: 0, held: 0, reloaded: 0, agents: 0, server: 0 };
  const held = new Set();
  const release = (client) => {
    client.socket?.release();
    held.delete(client);
  };
  let prompts = 0;
  const faults = () => Object.values(counts).reduce((sum, count) => sum + count);
  while (faults() < FAULTS || prompts < EVENTS / 30) {
    for (let i = random(4); i >= 0; i -= 1) {
      const client = pick(clients);
      prompts += 1;
      client.say(pick([...client.seen.keys()]), random(12) === 0 ? 'ask' : `stream ${20 + random(30)}`);
    }
    const client = pick(clients);
    const kind = random(100);
    if (counts.server < SERVER_KILLS && faults() >= ((counts.server + 1) * FAULTS) / (SERVER_KILLS + 1)) {
      counts.server += 1;
      await server.kill();
      for (const each of clients) each.socket = undefined;
      held.clear();
      await server.start();
      await Promise.all(clients.map((each) => each.connect()));
    } else if (kind < 45) {
      counts.cut += 1;
      release(client);
      client.cut();
      await client.connect();
    } else if (kind < 65) {
      counts.held += 1;
      client.socket?.hold();
      held.add(client);
    } else if (kind < 80) {
      counts.reloaded += 1;
      release(client);
      client.cut();
      client.follow([...client.seen.keys()]);
      await client.connect();
    } else {
      const agents = agentsOf(server);
      if (agents.length > 0 && killed(pick(agents))) counts.agents += 1;
    }
    if (random(3) === 0 && held.size > 0) release(pick([...held]));
    await pause(random(25));
  }

  // Calm: everybody comes back, everything that was accepted is done.
  for (const client of [...held]) release(client);
  await until('every prompt to be acknowledged', async () => {
    for (const client of clients) {
      if (!client.socket?.open) await client.connect();
    }
    return clients.every((client) => client.unsent.size === 0);
  });
  let summaries = [];
  await until('every session to be idle', async () => {
    summaries = (await server.get('/api/sessions')).json.sessions.filter(({ id }) => sessions.includes(id));
    for (const { id, state: name } of summaries) {
      if (name === 'failed' || name === 'ended') await server.post(`/api/sessions/${id}/resume`);
    }
    return summaries.every(({ state: name }) => name === 'idle');
  });

  const logs = new Map();
  let total = 0;
  for (const session of sessions) {
    logs.set(session, await wholeLog(server, session));
    total += logs.get(session).length;
  }
  await until('every client to have caught up', () =>
    clients.every((client) =>
      [...client.seen].every(([id, seen]) => (seen.events.at(-1)?.seq ?? seen.from) >= logs.get(id).at(-1).seq)),
  );
  for (const client of clients) {
    for (const [id, seen] of client.seen) {
      const expected = logs.get(id).filter(({ seq }) => seq > seen.from);
      // Pieces of an answer may be compacted away once it is whole; who saw them live has them.
      const kept = new Set(expected.map(({ seq }) => seq));
      const seenToo = seen.events.filter(({ seq, event }) => kept.has(seq) || !isPiece(event));
      assert.deepEqual(seenToo, expected, `session ${id}`);
    }
  }
  for (const [id, log] of logs) {
    const requests = log.filter(({ event }) => event.kind === 'request').map(({ event }) => event.request_id);
    const resolved = log.filter(({ event }) => event.kind === 'resolved').map(({ event }) => event.request_id);
    assert.deepEqual(resolved.sort(), requests.sort(), 'each request is resolved once');
    const ran = readFileSync(join(folder, `${id}.ran`), 'utf8').trim().split('\n');
    const accepted = [...acknowledged].filter(([, session]) => session === id).map(([uuid]) => uuid);
    assert.deepEqual(ran.sort(), accepted.sort(), 'each acknowledged prompt ran once');
  }
  console.log(`# ${total} events, ${prompts} prompts, faults: ${JSON.stringify(counts)}`);
  assert.ok(total >= EVENTS, `only ${total} events`);
  assert.ok(faults() >= 200);
});
