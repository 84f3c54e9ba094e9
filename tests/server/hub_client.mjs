// What the tests of the server use to talk to it: plain HTTP with any headers, and a WebSocket whose
// connection can be cut, held and slowed at will.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import tls from 'node:tls';

export const bin = join(process.env.PARLEY_BUILD_DIR, 'bin');
export const fakeAgent = join(bin, 'parley_fake_agent');
export const TOKEN = 'a-token-for-the-tests-of-the-server';

/** A parley serve. Resolves when it has printed its link. */
export class Server {
  constructor(folder, options = []) {
    this.folder = folder;
    this.options = options;
    this.port = 0;
    /** {ca} if it speaks TLS. */
    this.tls = undefined;
    /** What starts the program, e.g. with limits. */
    this.launcher = [];
    this.agent = fakeAgent;
    /** Of the server and its agents, beside what a suite has. */
    this.env = {};
  }

  async start() {
    const args = ['serve', '--no-open', '--port', String(this.port), '--data', join(this.folder, 'data'),
      '--root', this.folder, '--token', TOKEN, '--agent', this.agent, ...this.options];
    const [program, ...words] = [...this.launcher, join(bin, 'parley'), ...args];
    this.process = spawn(program, words, {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FAKE_AGENT_FOLDER: this.folder, ...this.env },
    });
    this.errors = '';
    this.process.stderr.on('data', (bytes) => (this.errors += bytes));
    this.ended = new Promise((resolve) => this.process.once('exit', (code, signal) => resolve({ code, signal })));
    const lines = createInterface({ input: this.process.stdout });
    this.link = await Promise.race([
      new Promise((resolve) => lines.once('line', resolve)),
      this.ended.then(() => Promise.reject(new Error(`parley serve ended: ${this.errors}`))),
    ]);
    this.port = Number(new URL(this.link).port);
    return this;
  }

  async kill(signal = 'SIGKILL') {
    this.process.kill(signal);
    const end = await this.ended;
    // What a sanitizer has to say must not be overlooked.
    if (/Sanitizer|runtime error/.test(this.errors)) throw new Error(this.errors);
    return end;
  }

  /** {status, headers, body, json}. Signed in with the bearer token unless `headers` say otherwise. */
  request(method, path, { body, headers = { authorization: `Bearer ${TOKEN}` } } = {}) {
    const bytes = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const all = { ...headers };
    if (bytes !== undefined && !('content-type' in all)) all['content-type'] = 'application/json';
    return new Promise((resolve, reject) => {
      const request = (this.tls ? https : http).request(
        { host: '127.0.0.1', port: this.port, method, path, headers: all, agent: false, ...this.tls },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (piece) => (text += piece));
          response.on('end', () => {
            let json;
            try {
              json = JSON.parse(text);
            } catch {
              json = undefined;
            }
            resolve({ status: response.statusCode, headers: response.headers, body: text, json });
          });
        },
      );
      request.on('error', reject);
      request.end(bytes);
    });
  }
  get(path, options) {
    return this.request('GET', path, options);
  }
  post(path, body = {}, options = {}) {
    return this.request('POST', path, { body, ...options });
  }

  /** Opens a link as a browser does. {cookie, key, signed: headers of the page's requests}. */
  async signIn(link = this.link, headers = {}) {
    const answer = await this.get(`/${new URL(link).search}`, { headers });
    if (answer.status !== 303) throw new Error(`${answer.status} ${answer.body}`);
    const [, key] = /^\.\/#key=([0-9a-f]{64})$/.exec(answer.headers.location);
    const setCookie = answer.headers['set-cookie'][0];
    const [cookie] = setCookie.split(';');
    return { cookie, setCookie, key, signed: { ...headers, cookie, 'parley-key': key } };
  }

  socket(path = '/api/socket', headers) {
    return new Socket(this.port, path, headers, this.tls).opened;
  }
}

/** A WebSocket client. `onmessage(text)` and `onclose(code)` are called by it. */
export class Socket {
  constructor(port, path, headers = { Authorization: `Bearer ${TOKEN}` }, secure = undefined) {
    this.onmessage = () => {};
    this.onclose = () => {};
    this.open = false;
    this.input = Buffer.alloc(0);
    this.parts = [];
    this.code = 1006;
    const key = randomBytes(16).toString('base64');
    this.accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    this.connection = (secure ? tls : net).connect({ port, host: '127.0.0.1', ...secure });
    const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(([k, v]) => `${k}: ${v}\r\n`);
    this.connection.on(secure ? 'secureConnect' : 'connect', () =>
      this.connection.write(
        `GET ${path} HTTP/1.1\r\n${lines.join('')}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
      ),
    );
    this.connection.on('error', () => {});
    this.opened = new Promise((resolve, reject) => {
      this.connection.on('data', (bytes) => this.#take(bytes, resolve, reject));
      this.connection.on('close', () => {
        const was = this.open;
        this.open = false;
        if (was) this.onclose(this.code);
        reject(new Error('the connection was closed'));
      });
    });
  }

  #take(bytes, resolve, reject) {
    this.input = this.input.length === 0 ? bytes : Buffer.concat([this.input, bytes]);
    if (!this.open) {
      const end = this.input.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.input.subarray(0, end).toString();
      if (!head.startsWith('HTTP/1.1 101') || !head.includes(this.accept)) {
        const error = new Error(head.split('\r\n')[0]);
        error.status = Number(head.split(' ')[1]);
        reject(error);
        return this.connection.destroy();
      }
      this.open = true;
      this.head = head;
      this.input = this.input.subarray(end + 4);
      resolve(this);
      // Whoever waited for the opening sets its handlers before the first message is shown.
      setImmediate(() => this.#frames());
      return;
    }
    this.#frames();
  }

  #frames() {
    while (this.open && this.input.length >= 2) {
      let at = 2;
      let size = this.input[1] & 127;
      if (size >= 126) {
        at = size === 126 ? 4 : 10;
        if (this.input.length < at) return;
        size = size === 126 ? this.input.readUInt16BE(2) : Number(this.input.readBigUInt64BE(2));
      }
      if (this.input.length < at + size) return;
      const opcode = this.input[0] & 15;
      const final = (this.input[0] & 128) !== 0;
      const payload = this.input.subarray(at, at + size);
      this.input = this.input.subarray(at + size);
      if (opcode === 9) this.frame(10, payload);
      if (opcode === 8) {
        this.code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
        this.frame(8, payload);
        this.connection.end();
      }
      if (opcode <= 2) {
        this.parts.push(Buffer.from(payload));
        if (final) this.onmessage(Buffer.concat(this.parts.splice(0)).toString());
      }
    }
  }

  frame(opcode, payload) {
    const size = payload.length;
    const head =
      size < 126
        ? Buffer.from([128 | opcode, 128 | size])
        : size < 65536
          ? Buffer.from([128 | opcode, 254, size >> 8, size & 255])
          : Buffer.concat([Buffer.from([128 | opcode, 255, 0, 0, 0, 0]), Buffer.alloc(4)]);
    if (size >= 65536) head.writeUInt32BE(size, 6);
    const mask = randomBytes(4);
    const masked = Buffer.from(payload);
    for (let i = 0; i < masked.length; i += 1) masked[i] ^= mask[i & 3];
    this.connection.write(Buffer.concat([head, mask, masked]));
  }
  send(message) {
    this.frame(1, Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  }
  /** Stops reading, as a phone in a tunnel does. */
  hold() {
    this.connection.pause();
  }
  release() {
    this.connection.resume();
  }
  /** Gone without a word. */
  cut() {
    this.open = false;
    this.connection.resetAndDestroy();
  }
  close() {
    this.frame(8, Buffer.from([3, 232]));
  }
}

/** The processes that a server has started. */
export function agentsOf(server) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === server.process.pid;
      } catch {
        return false; // it has ended meanwhile
      }
    })
    .map(Number);
}

/** A session as an agent in a terminal leaves it. */
export function leaveTranscript(sessionId, cwd) {
  const project = join(process.env.HOME, '.claude/projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(project, { recursive: true });
  const common = { sessionId, cwd, version: '2.1.325', isSidechain: false, userType: 'external' };
  const lines = [
    { ...common, type: 'user', uuid: 'u-1', parentUuid: null, timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'user', content: 'asked in a terminal' } },
    { ...common, type: 'assistant', uuid: 'a-1', parentUuid: 'u-1', timestamp: '2026-01-01T00:00:01.000Z',
      message: { id: 'm-1', type: 'message', role: 'assistant', model: 'fake', content: [{ type: 'text', text: 'answered' }] } },
  ];
  writeFileSync(join(project, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
