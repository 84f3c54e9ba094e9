// Browsers that are signed in: each by itself, with a cookie and a key, for a week after its last use.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Server } from './hub_client.mjs';

let server;
let own;
before(async () => {
  server = await new Server(realpathSync(mkdtempSync(join(tmpdir(), 'sign-in-')))).start();
  own = `http://127.0.0.1:${server.port}`;
});
after(() => server.kill());

const newLink = async () => `${own}/${(await server.post('/api/links')).json.path}`;
const signIns = async (headers) => (await server.get('/api/sign-ins', { headers })).json?.sign_ins;
const protocols = ({ cookie, key }) =>
  ({ Cookie: cookie, Origin: own, 'Sec-WebSocket-Protocol': `parley, parley-key.${key}` });

test('a cookie alone, as other ports of the host get it, opens nothing but the files of the page', async () => {
  const { cookie, key, signed } = await server.signIn();
  const { json } = await server.post('/api/sessions', { cwd: server.folder }, { headers: { ...signed, origin: own } });
  const stolen = { cookie, origin: own };
  for (const headers of [stolen, { ...stolen, 'parley-key': '' }, { ...stolen, 'parley-key': '0'.repeat(64) },
    { 'parley-key': key, origin: own }]) {
    for (const path of ['/api/sessions', '/api/info', '/api/sign-ins', '/metrics']) {
      assert.equal((await server.get(path, { headers })).status, 401, path);
    }
    assert.equal((await server.post('/api/sessions', { cwd: server.folder }, { headers })).status, 401);
    assert.equal((await server.post('/api/links', {}, { headers })).status, 401);
    for (const path of ['/api/socket', `/api/sessions/${json.id}/wire`]) {
      await assert.rejects(server.socket(path, headers), { status: 401 }, path);
    }
  }
  assert.equal((await server.get('/', { headers: { cookie } })).status, 200);
  assert.equal((await server.get('/api/info', { headers: signed })).status, 200);
});

test('a WebSocket brings the key as a subprotocol, which is not said back', async () => {
  const browser = await server.signIn(await newLink());
  const socket = await server.socket('/api/socket', protocols(browser));
  assert.match(socket.head, /\r\nSec-WebSocket-Protocol: parley(\r\n|$)/);
  assert.ok(!socket.head.includes(browser.key));
  socket.cut();
});

test('every browser has its own, is listed, and is ended with its sockets', async () => {
  const desk = await server.signIn(await newLink(), { 'user-agent': 'Desk' });
  const phone = await server.signIn(await newLink(), { 'user-agent': 'Phone' });
  assert.notEqual(desk.cookie, phone.cookie);
  const mixed = { cookie: desk.cookie, 'parley-key': phone.key };
  assert.equal((await server.get('/api/info', { headers: mixed })).status, 401);
  const list = await signIns(desk.signed);
  assert.deepEqual(list.slice(0, 2).map(({ browser, current }) => [browser, current]).sort(),
    [['Desk', true], ['Phone', false]]);
  const [entry] = list.filter(({ browser }) => browser === 'Phone');
  assert.equal(entry.ends - entry.used, 7 * 24 * 3600 * 1000);
  const text = JSON.stringify(list);
  for (const secret of [desk.key, phone.key, desk.cookie.split('=')[1], phone.cookie.split('=')[1]]) {
    assert.ok(!text.includes(secret), 'a list has no secrets');
  }
  const [kept, lost] = await Promise.all([desk, phone].map((each) => server.socket('/api/socket', protocols(each))));
  const closed = new Promise((resolve) => (lost.onclose = resolve));
  const end = (headers) => server.request('DELETE', `/api/sign-ins/${entry.id}`, { headers });
  assert.equal((await end({ ...desk.signed })).status, 403, 'not without an Origin');
  assert.equal((await end({ ...desk.signed, origin: own })).status, 200);
  assert.equal((await end({ ...desk.signed, origin: own })).status, 404);
  assert.equal(await closed, 1008);
  assert.equal((await server.get('/api/info', { headers: phone.signed })).status, 401);
  assert.equal((await server.get('/', { headers: phone.signed })).status, 401);
  assert.equal((await server.get('/api/info', { headers: desk.signed })).status, 200);
  assert.ok(kept.open);
  kept.cut();
});

test('a second link in the same browser takes the place of the first', async () => {
  const first = await server.signIn(await newLink());
  const count = (await signIns()).length;
  const second = await server.signIn(await newLink(), { cookie: first.cookie });
  assert.equal((await signIns()).length, count);
  assert.equal((await server.get('/api/info', { headers: first.signed })).status, 401);
  assert.equal((await server.get('/api/info', { headers: second.signed })).status, 200);
});

test('the page renews its cookie, a cookie alone does not', async () => {
  const { cookie, signed } = await server.signIn(await newLink());
  const renewed = await server.request('HEAD', '/', { headers: signed });
  assert.equal(renewed.status, 200);
  assert.ok(renewed.headers['set-cookie'][0].startsWith(`${cookie}; Max-Age=604800; `));
  assert.equal((await server.request('HEAD', '/', { headers: { cookie } })).headers['set-cookie'], undefined);
});

test('it outlives the server; what is ended stays ended', async () => {
  const kept = await server.signIn(await newLink(), { 'user-agent': 'kept' });
  const ended = await server.signIn(await newLink(), { 'user-agent': 'ended' });
  const [entry] = (await signIns()).filter(({ browser }) => browser === 'ended');
  assert.equal((await server.request('DELETE', `/api/sign-ins/${entry.id}`)).status, 200);
  await server.kill();
  await server.start();
  assert.equal((await server.get('/api/info', { headers: kept.signed })).status, 200);
  assert.equal((await server.get('/api/info', { headers: ended.signed })).status, 401);
  const file = join(server.folder, 'data', 'sign_ins.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(!readFileSync(file, 'utf8').includes(ended.key));
});
