// A hub that says what a test wants it to say: rare, hostile and badly timed events that a real agent
// does not produce on demand. It keeps the contract of docs/server.md: numbered events, catch-up,
// acknowledgements, sends that are idempotent by client id, answers that count once.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { DIST, WebSocketServer } from './packages.mjs';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export class StubHub {
  sessions = new Map();
  info = {
    version: '0.1.0',
    demo: false,
    agent: { command: 'stub', version: '1' },
    roots: ['/work/demo'],
    models: [
      { value: 'claude-opus-5-5', displayName: 'Opus 5.5' },
      { value: 'claude-haiku-4-5', displayName: 'Haiku 4.5' },
    ],
    bypass: false,
  };
  /** What lies at the paths that tools write to; nothing where nothing is said. */
  files = {};
  /** The texts of files, by their path. */
  texts = {};
  /** What the agent has said that it can do. */
  agentInfo = {
    commands: [
      { name: 'compact', description: 'Free up context', argumentHint: '[instructions]' },
      { name: 'cost', description: 'Show what this session has cost' },
      { name: 'context', description: 'Show what fills the context' },
    ],
  };
  /** What the agent answers to requests, by their subtype: (request, session) => response. */
  answers = { stop_task: () => ({}) };
  /** What a search finds. */
  found = { hits: [], count: 0 };
  /** Modes that the agent does not want to be in. */
  refusedModes = [];
  folders = { '/work/demo': ['docs', 'src'], '/work/demo/src': [], '/work/demo/docs': [] };
  /** Every API call that changes something, as [method, path, body]. */
  calls = [];
  /** Runs when a prompt is accepted: (id, text) => void. */
  onPrompt = () => {};
  /** True: frames of clients are lost, as on a connection that is about to die. */
  deaf = false;
  /** True: no socket is let in, though everything else answers. */
  closed = false;
  /** Bytes of a message of a client; more end its connection. */
  largest = 8 * 1024 * 1024;
  /** How often a page has connected. */
  connections = 0;
  /** What the making of a session waits for. */
  createWaits = null;
  /** What the answer to /api/info waits for. */
  infoWaits = null;
  pageSize = 200;
  /** What a client that attaches waits for between the hub's word on it and the events. */
  gate = null;
  port = 0;
  #clients = new Set();

  async start() {
    this.server = createServer((request, response) => this.#serve(request, response));
    this.websockets = new WebSocketServer({
      server: this.server,
      path: '/api/socket',
      maxPayload: this.largest,
      verifyClient: () => !this.closed,
    });
    this.websockets.on('connection', (socket) => this.#connected(socket));
    await new Promise((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = this.server.address().port;
    return this;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Ends every connection without a goodbye; the port is free afterwards. */
  async stop() {
    this.dropSockets();
    this.websockets.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  dropSockets() {
    for (const client of this.#clients) client.socket.terminate();
  }

  // Sessions and their logs

  addSession({ id = randomUUID(), title = '', cwd = '/work/demo', state = 'idle', ...rest } = {}) {
    const now = Date.now();
    const summary = {
      id,
      title,
      cwd,
      state,
      created: now,
      updated: now,
      prompted: rest.updated ?? now,
      model: 'claude-opus-5-5',
      mode: 'default',
      cost_usd: 0,
      pending: 0,
      background: 0,
      last_seq: 0,
      stored: false,
      ...rest,
    };
    this.sessions.set(id, { summary, log: [], prompts: new Set(), waiting: new Map() });
    this.#tellAll({ type: 'sessions', sessions: [summary] });
    return id;
  }

  emit(id, event) {
    const session = this.sessions.get(id);
    const numbered = { seq: session.summary.last_seq + 1, time: Date.now(), event };
    session.log.push(numbered);
    session.summary.last_seq = numbered.seq;
    session.summary.updated = numbered.time;
    if (event.kind === 'state') session.summary.state = event.state;
    if (event.kind === 'prompt') session.summary.prompted = numbered.time;
    if (event.kind === 'agent' && event.message.subtype === 'background_tasks_changed')
      session.summary.background = event.message.tasks.length;
    if (event.kind === 'settings') {
      const { kind, ...settings } = event;
      Object.assign(session.summary, settings);
    }
    if (event.kind === 'agent' && event.message.type === 'result') {
      session.summary.cost_usd = event.message.total_cost_usd ?? session.summary.cost_usd;
    }
    for (const client of this.#clients) {
      if (client.attached.has(id)) client.tell({ type: 'event', session: id, ...numbered });
    }
    if (event.kind !== 'agent' || event.message.subtype === 'background_tasks_changed')
      this.#tellAll({ type: 'sessions', sessions: [session.summary] });
    return numbered.seq;
  }

  agent(id, message) {
    return this.emit(id, { kind: 'agent', message: { parent_tool_use_id: null, ...message } });
  }

  /** Asks the person; the promise has the answer, or null if the request was withdrawn. */
  request(id, request, requestId = randomUUID()) {
    const session = this.sessions.get(id);
    session.summary.pending += 1;
    this.emit(id, { kind: 'state', state: 'waiting' });
    this.emit(id, {
      kind: 'request',
      request_id: requestId,
      request: { subtype: 'can_use_tool', ...request },
    });
    return new Promise((resolve) => session.waiting.set(requestId, resolve));
  }

  resolve(id, requestId, answer, reason) {
    const session = this.sessions.get(id);
    const waiting = session.waiting.get(requestId);
    if (!waiting) return false;
    session.waiting.delete(requestId);
    session.summary.pending -= 1;
    this.emit(id, { kind: 'resolved', request_id: requestId, answer, reason });
    this.emit(id, { kind: 'state', state: session.waiting.size ? 'waiting' : 'running' });
    waiting(answer);
    return true;
  }

  // Clients

  #tellAll(message) {
    for (const client of this.#clients) client.tell(message);
  }

  #connected(socket) {
    const client = {
      socket,
      attached: new Set(),
      tell: (message) => socket.send(JSON.stringify(message)),
    };
    this.#clients.add(client);
    this.connections += 1;
    socket.on('close', () => this.#clients.delete(client));
    socket.on('error', () => this.#clients.delete(client));
    socket.on('message', (data) => {
      if (!this.deaf) this.#received(client, JSON.parse(data.toString()));
    });
    client.tell({
      type: 'hello',
      sessions: [...this.sessions.values()].map(({ summary }) => summary),
    });
  }

  #received(client, message) {
    const session = this.sessions.get(message.session);
    if (!session)
      return client.tell({ type: 'error', re: message, message: 'There is no such session.' });
    switch (message.type) {
      case 'attach': {
        const known = message.after > 0;
        const rest = session.log.filter(({ seq }) => seq > message.after);
        const page = known ? rest : rest.slice(-this.pageSize);
        const after = known ? message.after : (page[0]?.seq ?? 1) - 1;
        client.attached.add(message.session);
        client.tell({
          type: 'attached',
          session: message.session,
          after,
          last: session.summary.last_seq,
          more: !known && page.length < rest.length,
        });
        const show = () => {
          for (const numbered of page)
            client.tell({ type: 'event', session: message.session, ...numbered });
        };
        if (this.gate) void this.gate.then(show);
        else show();
        return;
      }
      case 'detach':
        client.attached.delete(message.session);
        return;
      case 'send': {
        const fresh = !session.prompts.has(message.client_id);
        if (fresh) this.#prompt(message.session, message.client_id, message.content);
        client.tell({
          type: 'ack',
          client_id: message.client_id,
          session: message.session,
          seq: session.summary.last_seq,
        });
        return;
      }
      case 'answer':
        if (message.answer.updatedPermissions?.some(({ mode }) => this.refusedModes.includes(mode)))
          return client.tell({ type: 'error', re: message, message: 'Not this mode.' });
        if (!this.resolve(message.session, message.request_id, message.answer, 'answered')) {
          client.tell({ type: 'error', re: message, message: 'This request has been answered.' });
        }
        return;
      case 'take_back':
        this.emit(message.session, { kind: 'taken_back', client_id: message.client_id });
    }
  }

  #prompt(id, clientId, content) {
    this.sessions.get(id).prompts.add(clientId);
    this.emit(id, { kind: 'prompt', client_id: clientId, content, by: 'page' });
    const text =
      typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('');
    this.onPrompt(id, text, clientId);
  }

  // HTTP

  async #serve(request, response) {
    const url = new URL(request.url, this.url);
    const path = normalize(url.pathname);
    if (path.startsWith('/api/')) return this.#api(request, response, url, path);
    const file = path === '/' ? 'index.html' : path.slice(1);
    try {
      const content = readFileSync(join(DIST, file));
      response.writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  }

  async #api(request, response, url, path) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = text ? JSON.parse(text) : {};
    const reply = (status, value) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.method !== 'GET') this.calls.push([request.method, path, body]);

    if (path === '/api/info') {
      await this.infoWaits;
      return reply(200, this.info);
    }
    if (path === '/api/search') return reply(200, this.found);
    if (path === '/api/folders') {
      const at = url.searchParams.get('path');
      if (!this.folders[at]) return reply(403, { message: 'That folder is outside the roots.' });
      const parent = at === '/work/demo' ? null : at.slice(0, at.lastIndexOf('/'));
      return reply(200, { path: at, parent, folders: this.folders[at] });
    }
    if (path === '/api/sessions' && request.method === 'POST') {
      await this.createWaits;
      const id = this.addSession({
        cwd: body.cwd,
        mode: body.mode ?? 'default',
        title: typeof body.prompt === 'string' ? body.prompt : 'A picture',
      });
      reply(200, { id });
      if (body.prompt) this.#prompt(id, body.client_id, body.prompt);
      return;
    }
    const [, id, action] = /^\/api\/sessions\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const session = this.sessions.get(id);
    if (!session) return reply(404, { message: 'There is no such session.' });
    switch (action ?? request.method) {
      case 'events': {
        const before = Number(url.searchParams.get('before'));
        const limit = Number(url.searchParams.get('limit'));
        const older = session.log.filter(({ seq }) => seq < before);
        return reply(200, { events: older.slice(-limit), more: older.length > limit });
      }
      case 'file':
        return reply(
          200,
          this.files[url.searchParams.get('path')] ?? { kind: 'none', bytes: 0, lines: null },
        );
      case 'text': {
        const content = this.texts[url.searchParams.get('path')];
        return content === undefined
          ? reply(404, { error: { code: 'not_found', message: 'There is no such file.' } })
          : reply(200, { text: content });
      }
      case 'fork':
        return reply(200, { id: this.addSession({ title: 'A fork', state: 'stored' }) });
      case 'export':
        return response.writeHead(200, { 'content-type': 'text/plain' }).end('# The session');
      case 'agent':
        return reply(200, this.agentInfo);
      case 'request': {
        const answer = this.answers[body.request.subtype];
        return answer
          ? reply(200, { response: answer(body.request, id) })
          : reply(502, { error: { code: 'agent', message: 'The agent does not know that.' } });
      }
      case 'model':
      case 'mode':
      case 'title':
        if (this.refusedModes.includes(body.mode))
          return reply(502, { error: { code: 'agent', message: 'The agent does not want to.' } });
        this.emit(id, { kind: 'settings', [action]: body[action] });
        return reply(200, {});
      case 'resume':
        this.emit(id, { kind: 'state', state: 'idle' });
        return reply(200, {});
      case 'close':
        this.emit(id, { kind: 'state', state: 'ended' });
        return reply(200, {});
      case 'DELETE':
        this.sessions.delete(id);
        this.#tellAll({ type: 'gone', session: id });
        return reply(200, {});
      default:
        return reply(200, {});
    }
  }
}
