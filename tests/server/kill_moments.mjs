// Kills the server with -9 under a real agent: at every kind of moment of a turn, and at moments of
// chance. Every prompt that was acknowledged must be in the conversation that the model is sent in the
// end, once and in order, and what a client was told must stay true.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bin, Server } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

const PATIENCE = { timeout: 120_000 };
const isAgent = (event, type) => event.kind === 'agent' && event.message.type === type;
const isLife = (state) => (event, id) =>
  isAgent(event, 'command_lifecycle') && event.message.state === state && event.message.command_uuid === id;

/** What a turn shows of itself, in its order. The later ones belong to a turn that calls a tool. */
const MOMENTS = {
  sent: undefined, // not even acknowledged
  recorded: (event, id) => event.kind === 'prompt' && event.client_id === id,
  queued: isLife('queued'),
  started: isLife('started'),
  init: (event) => isAgent(event, 'system') && event.message.subtype === 'init',
  echoed: (event, id) => isAgent(event, 'user') && event.message.isReplay && event.message.uuid === id,
  'piece of the answer': (event) => isAgent(event, 'stream_event'),
  answer: (event) => isAgent(event, 'assistant'),
  result: isResult,
  completed: isLife('completed'),
  'tool: request': (event) => event.kind === 'request',
  'tool: answered': (event) => event.kind === 'resolved',
  'tool: its result': (event) => isAgent(event, 'user') && !event.message.isReplay,
};

/** The second call is for a turn that was lost and begins again. */
const SCRIPT = [
  ...['toolu_first', 'toolu_second'].map((id) => ({ when_any: '-tool-',
    content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'touch touched' } }] })),
  { repeat: true, content: [{ type: 'text', text: 'Understood.' }] },
];

/** A scripted model; `requests()` are those of conversations. */
class Model {
  static async start(folder, context) {
    const model = new Model();
    writeFileSync(join(folder, 'script.json'), JSON.stringify(SCRIPT));
    model.process = spawn(join(bin, 'parley'), ['model', join(folder, 'script.json'), '--until-eof'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    context.after(() => model.process.stdin.end());
    model.url = await new Promise((resolve) => createInterface({ input: model.process.stdout }).once('line', resolve));
    return model;
  }
  requests() {
    return new Promise((resolve, reject) => {
      http.get(`${this.url}/_parley/requests`, { agent: false }, (response) => {
        let text = '';
        response.on('data', (piece) => (text += piece));
        response.on('end', () => resolve(text.trim().split('\n').map((line) => JSON.parse(line))));
      }).on('error', reject);
    });
  }
}

/** One conversation, followed by a client that sends again what nobody has acknowledged. */
class Talk {
  constructor(server, model) {
    Object.assign(this, { server, model, said: [], told: new Map() });
  }
  async begin() {
    const created = await this.server.post('/api/sessions', { cwd: this.server.folder });
    assert.equal(created.status, 200, created.body);
    this.id = created.json.id;
    await this.follow();
  }
  async follow() {
    this.page = await Page.open(this.server);
    await this.page.attach(this.id, Math.max(0, ...this.told.keys()));
    for (const prompt of this.said) {
      if (!prompt.acknowledged) this.page.send(this.id, prompt.text, prompt.id);
    }
  }
  allow({ request_id }) {
    this.page.socket.send({ type: 'answer', session: this.id, request_id, answer: { behavior: 'allow' } });
  }
  say(text) {
    const prompt = { id: randomUUID(), text, acknowledged: false };
    this.said.push(prompt);
    this.page.send(this.id, text, prompt.id);
    return prompt;
  }
  /** Notes what was heard, ends the server at once, and starts another one. */
  async kill() {
    await this.server.kill();
    for (const message of this.page.heard) {
      if (message.type === 'ack') this.said.find(({ id }) => id === message.client_id).acknowledged = true;
      if (message.type === 'event') this.told.set(message.seq, message.event);
    }
    await this.server.start();
    await this.follow();
  }
  async result(prompt) {
    await this.page.event(this.id, (event) => MOMENTS.started(event, prompt.id) || MOMENTS.echoed(event, prompt.id));
    const begun = this.page.heard.findLastIndex(
      ({ event }) => event && (MOMENTS.started(event, prompt.id) || MOMENTS.echoed(event, prompt.id)));
    return this.page.wait((m) => this.page.heard.indexOf(m) > begun && m.type === 'event' && isResult(m.event));
  }

  async check() {
    const last = this.say(`the-end-of-${this.id}`);
    // A turn that was lost before it was on record begins again, and asks again.
    const allowed = new Set();
    void this.page.wait(({ event }) => {
      if (event?.kind === 'request' && !allowed.has(event.request_id)) {
        allowed.add(event.request_id);
        this.allow(event);
      }
      return false;
    });
    const { event } = await this.result(last);
    assert.equal(event.message.is_error, false, JSON.stringify(event.message));
    const asked = (await this.model.requests()).filter(({ body }) => JSON.stringify(body ?? '').includes(last.text));
    const messages = JSON.stringify(asked.at(-1).body.messages);
    const places = this.said.map(({ text }) => {
      const parts = messages.split(text);
      assert.equal(parts.length - 1, 1, `"${text}" is in the conversation ${parts.length - 1} times: ${messages}`);
      return parts[0].length;
    });
    assert.deepEqual(places, [...places].sort((a, b) => a - b), 'the prompts are in order');
    const { json } = await this.server.get(`/api/sessions/${this.id}/events?limit=1000`);
    const log = new Map(json.events.map((record) => [record.seq, record.event]));
    for (const [seq, told] of this.told) {
      // Pieces of an answer may be compacted away once it is whole.
      if (!isAgent(told, 'stream_event')) assert.deepEqual(log.get(seq), told, `event ${seq}`);
    }
  }
}

async function setUp(context, agent) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kills-')));
  const model = await Model.start(folder, context);
  const server = new Server(folder);
  server.agent = agent;
  server.env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-dummy', CLAUDE_CONFIG_DIR: join(folder, 'config'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', IS_SANDBOX: '1' };
  await server.start();
  context.after(() => server.kill());
  return new Talk(server, model);
}

/** Waits for a moment of the turn of `prompt`, and allows what is asked for on the way. */
async function reach(talk, prompt, name) {
  const fits = MOMENTS[name];
  if (!fits) return;
  const from = talk.page.heard.length;
  const isNew = (m) => m.type === 'event' && talk.page.heard.indexOf(m) >= from;
  if (name.startsWith('tool: ') && name !== 'tool: request') {
    const { event } = await talk.page.wait((m) => isNew(m) && m.event.kind === 'request');
    talk.allow(event);
  }
  await talk.page.wait((m) => isNew(m) && fits(m.event, prompt.id));
}

export function killTests(agent, { kills, longest }) {
  for (const name of Object.keys(MOMENTS)) {
    for (const turn of ['first', 'second']) {
      test(`a server that is killed at the moment "${name}" of the ${turn} turn`, PATIENCE, async (context) => {
        const talk = await setUp(context, agent);
        await talk.begin();
        if (turn === 'second') await talk.result(talk.say('something-before-it'));
        const prompt = talk.say(name.startsWith('tool: ') ? 'one-tool-please' : 'one-thing-please');
        await reach(talk, prompt, name);
        await talk.kill();
        await talk.check();
      });
    }
  }

  const seed = Number(process.env.PARLEY_SEED ?? 1);
  test(`a server that is killed ${kills} times at moments of chance (PARLEY_SEED=${seed})`, PATIENCE, async (context) => {
    const talk = await setUp(context, agent);
    await talk.begin();
    let state = seed >>> 0;
    const random = (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let i = 0; i < kills; i += 1) {
      for (let j = random(3); j >= 0; j -= 1) talk.say(`number-${i}-${j}-please`);
      await pause(random(longest)); // the length is the fault, nothing is waited for
      await talk.kill();
    }
    await talk.check();
  });
}
