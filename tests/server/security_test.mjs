// Strangers, and pages of elsewhere: each is refused with a plain status, and none grows the server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { bin, Server, Socket, TOKEN } from './hub_client.mjs';

let server;
let folder;
let cookie;
let signed;
let own;
const bearer = { authorization: `Bearer ${TOKEN}` };
before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'security-')));
  server = await new Server(folder).start();
  own = `http://127.0.0.1:${server.port}`;
});
after(() => server.kill());

const create = (headers, body = { cwd: folder }) => server.post('/api/sessions', body, { headers });

test('a link signs in once, with a cookie that scripts and other sites do not get', async () => {
  const { pathname, search } = new URL(server.link);
  // What looks at links before people open them must not use them up.
  assert.equal((await server.request('HEAD', pathname + search, { headers: {} })).status, 401);
  const first = await server.signIn();
  assert.match(first.setCookie, /; Max-Age=604800; HttpOnly; SameSite=Strict/);
  // Under a sub-path it must not go to others on the same host.
  assert.doesNotMatch(first.setCookie, /path=/i);
  ({ cookie, signed } = first);
  assert.equal((await server.get(pathname + search, { headers: {} })).status, 401);
  assert.equal((await server.get('/?token=wrong', { headers: {} })).status, 401);
  assert.equal((await server.get('/', { headers: {} })).status, 401);
  const page = await server.get('/', { headers: { cookie } });
  assert.equal(page.status, 200);
  assert.match(page.headers['content-security-policy'], /default-src 'none'; script-src 'self'/);
  assert.ok(!page.headers['content-security-policy'].includes('unsafe'));
  assert.equal(page.headers['x-content-type-options'], 'nosniff');
});

test('no token, a wrong token, a wrong cookie', async () => {
  for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: TOKEN },
    { cookie: 'parley=1' }, { cookie: `${cookie}0` }, { authorization: 'Bearer ' }]) {
    for (const path of ['/api/sessions', '/api/info', '/metrics', '/api/folders?path=/']) {
      assert.equal((await server.get(path, { headers })).status, 401, `${path} ${JSON.stringify(headers)}`);
    }
    await assert.rejects(server.socket('/api/socket', headers), { status: 401 });
  }
});

test('a foreign Host', async () => {
  for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '[::1].evil.example',
    `127.0.0.1:${server.port}@evil.example`, 'localhost.', 'localhost:http', '127.0.0.1:']) {
    for (const path of ['/', '/healthz', '/api/sessions']) {
      const { status } = await server.get(path, { headers: { ...bearer, host } });
      assert.ok(status === 403 || status === 400, `${host} ${path}: ${status}`);
    }
  }
  await assert.rejects(server.socket('/api/socket', { ...bearer, Host: 'evil.example' }), { status: 403 });
});

test('a foreign or missing Origin', async () => {
  for (const origin of ['http://evil.example', 'null', `https://127.0.0.1.evil.example`, 'http://127.0.0.1:1']) {
    assert.equal((await create({ ...signed, origin })).status, 403, origin);
    assert.equal((await create({ ...bearer, origin })).status, 403, origin);
    await assert.rejects(server.socket('/api/socket', { ...signed, Origin: origin }), { status: 403 });
  }
  assert.equal((await create(signed)).status, 403);
  await assert.rejects(server.socket('/api/socket', signed), { status: 403 });
  assert.equal((await create({ ...signed, origin: own })).status, 200);
  const socket = await server.socket('/api/socket', { ...signed, Origin: own });
  socket.cut();
});

test('forms and fetches of other sites', async () => {
  const form = { ...signed, origin: own, 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await create(form, 'cwd=/')).status, 415);
  assert.equal((await create({ ...form, 'content-type': 'text/plain' }, '{"cwd":"/"}')).status, 415);
  const crossSite = { ...signed, 'sec-fetch-site': 'cross-site' };
  assert.equal((await server.get('/api/sessions', { headers: crossSite })).status, 403);
  const preflight = await server.request('OPTIONS', '/api/sessions',
    { headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' } });
  assert.ok(preflight.status >= 400);
  assert.equal(preflight.headers['access-control-allow-origin'], undefined);
});

test('path traversal', async () => {
  for (const path of ['/../etc/passwd', '/..%2f..%2fetc/passwd', '/assets/../../etc/passwd', '/%2e%2e/x',
    '/api/sessions/../../etc', '/api/sessions/..%2f..%2fcredentials.json/events', '/index.html%00.js']) {
    const { status, body } = await server.get(path);
    assert.ok(status >= 400 && status < 500, `${path}: ${status}`);
    assert.ok(!body.includes('root:'));
  }
  mkdirSync(join(folder, 'inside'));
  symlinkSync('/etc', join(folder, 'inside', 'out'));
  for (const path of [`${folder}/../..`, `${folder}/inside/out`, `${folder}/inside/../../..`, 'inside', '']) {
    const { status } = await server.get(`/api/folders?path=${encodeURIComponent(path)}`);
    assert.ok(status === 403 || status === 400, `${path}: ${status}`);
    assert.ok((await create(bearer, { cwd: path })).status >= 400);
  }
});

test('oversized bodies, headers and messages', async () => {
  const big = 'x'.repeat(9 * 1024 * 1024);
  const body = await create(bearer, JSON.stringify({ cwd: big }));
  assert.equal(body.status, 413);
  assert.equal(body.json.error.code, 'too_large');
  const header = await server.get('/', { headers: { cookie: 'x'.repeat(20_000) } });
  assert.equal(header.status, 431);
  assert.equal(header.json.error.code, 'too_large');
  const socket = await server.socket();
  const closed = new Promise((resolve) => (socket.onclose = resolve));
  socket.send(big);
  assert.ok([1009, 1006].includes(await closed));
});

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`))[1]);
// ThreadSanitizer keeps several times as much about each byte.
const allowed = (process.env.PARLEY_BUILD_DIR.endsWith('/tsan') ? 512 : 64) * 1024;

/** Sends the bytes and resolves with what was answered when the server has ended the connection. */
function say(bytes) {
  const connection = net.connect(server.port, '127.0.0.1');
  let heard = '';
  connection.on('data', (data) => (heard += data));
  connection.on('error', () => {}); // it may be closed while it still talks
  connection.write(bytes);
  const connected = new Promise((resolve) => connection.once('connect', resolve).once('close', resolve));
  const end = new Promise((resolve) => connection.once('close', () => resolve(heard)));
  return { connection, connected, end };
}

test('bodies of strangers are not read, and do not grow the server', { timeout: 60_000 }, async () => {
  const start = memory();
  const size = (8 << 20) - 10;
  const body = Buffer.alloc(size, 'x');
  const head = (path, ...fields) => [`POST ${path} HTTP/1.1`, 'Content-Type: application/json',
    `Content-Length: ${size}`, ...fields, '\r\n'].join('\r\n');
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, memory())), 10);
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => {
    const fields = i % 2 ? 'Host: evil.example' : 'Host: 127.0.0.1';
    return say(Buffer.concat([Buffer.from(head(i % 3 ? '/api/sessions' : '/healthz', fields)), body])).end;
  }));
  clearInterval(watch);
  answers.forEach((answer, i) =>
    assert.match(answer, i % 2 ? /^HTTP\/1.1 403/ : i % 3 ? /^HTTP\/1.1 401/ : /^HTTP\/1.1 413/));
  assert.ok(most - start < allowed, `grew by ${most - start} KB`);
  const waiting = await say(head('/api/sessions', 'Host: 127.0.0.1', 'Expect: 100-continue')).end;
  assert.match(waiting, /^HTTP\/1.1 401/);
  assert.match(waiting, /\{"error":\{"code":"permission"/);
});

test('slow and many connections do not keep others out, nor grow the server', { timeout: 60_000 }, async () => {
  const start = memory();
  const strangers = Array.from({ length: 1500 }, () => say('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '));
  await Promise.all(strangers.map((stranger) => stranger.connected));
  // Each of these is a connection of its own.
  for (let i = 0; i < 20; i += 1) assert.equal((await server.get('/healthz')).status, 200);
  assert.ok(memory() - start < allowed, `grew by ${memory() - start} KB`);
  // A byte now and then is no excuse.
  const drip = setInterval(() => strangers.forEach((s) => s.connection.writable && s.connection.write('x')), 500);
  const ends = await Promise.all(strangers.map((stranger) => stranger.end));
  clearInterval(drip);
  const late = ends.filter((answer) => answer.startsWith('HTTP/1.1 408'));
  assert.ok(late.length > 100, `${late.length} were told that they are slow`);
  assert.match(late[0], /\{"error":\{"code":"timeout"/);
});

test('slow bodies keep no others out', { timeout: 60_000 }, async () => {
  const slow = Array.from({ length: 9 }, () => say(['POST /api/sessions HTTP/1.1', 'Host: 127.0.0.1',
    `Authorization: Bearer ${TOKEN}`, 'Content-Type: application/json', `Content-Length: ${8 << 20}`, '\r\n{']
    .join('\r\n')));
  await Promise.all(slow.map((each) => each.connected));
  // All nine have been asked for more by now, or will be: the server takes connections in order.
  for (let i = 0; i < 5; i += 1) assert.equal((await create(bearer)).status, 200);
  slow.forEach((each) => each.connection.destroy());
});

test('few open files: agents leave enough to say so', { timeout: 60_000 }, async () => {
  const narrow = new Server(realpathSync(mkdtempSync(join(tmpdir(), 'narrow-'))));
  narrow.launcher = ['bash', '-c', 'ulimit -n 96; exec "$@"', 'bash'];
  await narrow.start();
  try {
    let refused;
    for (let i = 0; i < 40 && !refused; i += 1) {
      const made = await narrow.post('/api/sessions', { cwd: narrow.folder });
      if (made.status !== 200) refused = made;
    }
    assert.equal(refused.status, 429, refused.body);
    assert.match(refused.json.error.message, /too few files may be open/);
    assert.equal((await narrow.get('/healthz')).status, 200);
  } finally {
    await narrow.kill();
  }
});

test('files of the page: caching, compression, no listing', async () => {
  const index = await server.get('/', { headers: { cookie, 'accept-encoding': 'gzip' } });
  assert.equal(index.headers['content-encoding'], 'gzip');
  assert.equal(index.headers['cache-control'], 'no-cache');
  const again = await server.get('/', { headers: { cookie, 'if-none-match': index.headers.etag } });
  assert.equal(again.status, 304);
  assert.equal((await server.get('/assets/')).status, 404);
});

test('a sub-path behind a proxy needs nothing but its Host', async () => {
  const other = await new Server(realpathSync(mkdtempSync(join(tmpdir(), 'proxy-'))),
    ['--allow-host', 'proxy.example']).start();
  try {
    const headers = { host: 'proxy.example', 'x-forwarded-proto': 'https' };
    const browser = await other.signIn(other.link, headers);
    assert.match(browser.setCookie, /; Secure/);
    const made = await other.post('/api/sessions', { cwd: other.folder },
      { headers: { ...browser.signed, origin: 'https://proxy.example' } });
    assert.equal(made.status, 200, made.body);
  } finally {
    await other.kill();
  }
});

test('nothing listens beyond loopback without a token', () => {
  const run = (data, ...args) => spawnSync(join(bin, 'parley'),
    ['serve', '--no-open', '--port', '0', '--agent', '/bin/true', '--data', join(folder, data), ...args],
    { encoding: 'utf8', timeout: 20_000 });
  for (const args of [['--host', '0.0.0.0'], ['--host', '0.0.0.0', '--token', 'short']]) {
    const { status, stderr } = run('other', ...args);
    assert.equal(status, 1);
    assert.match(stderr, /needs --token/);
  }
  assert.match(run('data').stderr, /another parley serve uses this data folder/);
  const { status, stderr } = run('other', '--token', 'a');
  assert.equal(status, 1);
  assert.match(stderr, /--token: must have at least 16 characters/);
});

test('a closed socket leaves nothing behind', async () => {
  for (let i = 0; i < 50; i += 1) (await new Socket(server.port, '/api/socket').opened).cut();
  const connections = async () => Number(/^parley_connections (\d+)/m.exec((await server.get('/metrics')).body)[1]);
  while ((await connections()) > 1);
});
