// What the tests share: a world with a home, a working folder and a scripted model of its own.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const sdk = await import(process.env.PARLEY_SDK_MODULE);
export const agent = join(process.env.PARLEY_BUILD_DIR, 'bin/parley-agent');
const model = join(process.env.PARLEY_SOURCE_DIR, 'tests/support/model_server.mjs');

export const text = (words) => ({ content: [{ type: 'text', text: words }] });
let calls = 0;
export const call = (name, input) => ({
  content: [{ type: 'tool_use', id: `toolu_${String(++calls).padStart(24, '0')}`, name, input }],
});

export class World {
  /** The agents that were started without an SDK. */
  wires = [];
  /** `turns` is the script of the model, or makes it for the working folder. */
  static async make(t, turns) {
    const world = new World();
    world.folder = mkdtempSync(join(tmpdir(), 'agent-sdk-'));
    world.home = join(world.folder, 'home');
    world.cwd = join(world.folder, 'work');
    mkdirSync(world.home);
    mkdirSync(world.cwd);
    const script = join(world.folder, 'script.json');
    world.log = join(world.folder, 'requests.jsonl');
    writeFileSync(script, JSON.stringify(typeof turns === 'function' ? turns(world.cwd) : turns));
    writeFileSync(world.log, '');
    world.server = spawn(process.execPath, [model, script, world.log], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.after(() => {
      world.server.stdin.end();
      for (const wire of world.wires) wire.child.kill('SIGKILL');
    });
    world.port = await new Promise((done) => world.server.stdout.once('data', (d) => done(`${d}`.trim())));
    return world;
  }

  get env() {
    return {
      HOME: this.home,
      PATH: '/usr/bin:/bin',
      ANTHROPIC_API_KEY: 'sk-dummy',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${this.port}`,
      CLAUDE_CODE_MAX_RETRIES: '1',
    };
  }

  query(prompt, options = {}) {
    return sdk.query({
      prompt,
      options: { pathToClaudeCodeExecutable: agent, cwd: this.cwd, env: this.env, ...options },
    });
  }

  /**
   * All messages of a run. An error result makes the SDK throw at the end; that is `error`. With a text as
   * its prompt the SDK hangs up at the first result: hooks of a further turn may not be heard any more.
   */
  async run(prompt, options, on_message = () => {}) {
    const messages = [];
    let error;
    try {
      for await (const message of this.query(prompt, options)) {
        messages.push(message);
        on_message(message);
      }
    } catch (thrown) {
      error = thrown;
    }
    return new Run(messages, error);
  }

  requests() {
    return readFileSync(this.log, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }
  file(name, content) {
    const path = join(this.cwd, name);
    if (content !== undefined) writeFileSync(path, content);
    return path;
  }
  read(name) {
    return readFileSync(join(this.cwd, name), 'utf8');
  }
  /** The SDK's readers of transcripts look at their own environment. */
  async withConfig(body) {
    const before = process.env.CLAUDE_CONFIG_DIR;
    process.env.CLAUDE_CONFIG_DIR = join(this.home, '.claude');
    try {
      return await body();
    } finally {
      if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR;
      else process.env.CLAUDE_CONFIG_DIR = before;
    }
  }
}

/** The agent with `-p` and nothing on stdin, to its end. */
export function print(world, flags) {
  const child = spawn(agent, ['-p', ...flags], { cwd: world.cwd, env: world.env });
  const said = { code: null, out: '', err: '' };
  child.stdin.end();
  child.stdout.on('data', (bytes) => (said.out += bytes));
  child.stderr.on('data', (bytes) => (said.err += bytes));
  return new Promise((done) => child.once('close', (code) => done({ ...said, code })));
}

/** The agent without an SDK, for what the SDK has no method for. */
export class Wire {
  messages = [];
  #waiting = new Set();
  constructor(world, flags = [], env = {}) {
    const all = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', ...flags];
    this.child = spawn(agent, all, {
      cwd: world.cwd, env: { ...world.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'], detached: true,
    });
    world.wires.push(this);
    this.gone = new Promise((done) => this.child.once('exit', done));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.messages.push(JSON.parse(line));
      for (const check of this.#waiting) check();
    });
  }
  send(message) {
    this.child.stdin.write(JSON.stringify(message) + '\n');
  }
  /** The first message, from now or earlier, that `fits`. */
  until(fits) {
    return new Promise((done) => {
      const check = () => {
        const found = this.messages.find(fits);
        if (!found) return;
        this.#waiting.delete(check);
        done(found);
      };
      this.#waiting.add(check);
      check();
    });
  }
  async ask(subtype, request = {}) {
    const id = `ask-${subtype}-${this.messages.length}-${Math.random()}`;
    this.send({ type: 'control_request', request_id: id, request: { subtype, ...request } });
    const { response } = await this.until((m) => m.response?.request_id === id);
    if (response.subtype === 'error') throw new Error(response.error);
    return response.response;
  }
  async turn(content, more = {}) {
    const before = this.messages.filter((m) => m.type === 'result').length;
    this.send({ type: 'user', message: { role: 'user', content }, ...more });
    await this.until(() => this.messages.filter((m) => m.type === 'result').length > before);
    return this.messages.filter((m) => m.type === 'result').at(-1);
  }
  async kill() {
    process.kill(-this.child.pid, 'SIGKILL');
    await this.gone;
  }
  async end() {
    this.child.stdin.end();
    return this.gone;
  }
}

export class Run {
  constructor(messages, error) {
    this.messages = messages;
    this.error = error;
  }
  of(type, subtype) {
    return this.messages.filter((m) => m.type === type && (!subtype || m.subtype === subtype));
  }
  get init() {
    return this.of('system', 'init')[0];
  }
  get result() {
    return this.of('result').at(-1);
  }
  get toolResults() {
    return this.of('user')
      .flatMap((m) => (Array.isArray(m.message.content) ? m.message.content : []))
      .filter((block) => block.type === 'tool_result');
  }
}

/** Prompts that are sent when the test says so. */
export class Prompts {
  #queue = [];
  #wake;
  #ended = false;
  send(content) {
    this.#queue.push({
      type: 'user',
      session_id: '',
      parent_tool_use_id: null,
      message: { role: 'user', content },
    });
    this.#wake?.();
  }
  end() {
    this.#ended = true;
    this.#wake?.();
  }
  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#queue.length) yield this.#queue.shift();
      if (this.#ended) return;
      await new Promise((wake) => (this.#wake = wake));
    }
  }
}
