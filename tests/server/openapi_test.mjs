// docs/openapi.json is what the server does: every operation of the document is there and answers in
// the shape that is written down, and the server has no path and no method that is not written down.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { leaveTranscript, Server } from './hub_client.mjs';

const document = JSON.parse(readFileSync(join(process.env.PARLEY_SOURCE_DIR, 'docs/openapi.json')));
const resolve = (node) =>
  node.$ref ? node.$ref.slice(2).split('/').reduce((at, name) => at[name], document) : node;

/** Where a value differs from its schema; undefined if it does not. Unknown members are differences. */
function difference(value, written, at = '$') {
  const schema = resolve(written);
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const wanted = [schema.type].flat().map((name) => (name === 'integer' ? 'number' : name));
  if (!wanted.includes(type)) return `${at} is ${type}`;
  if (schema.enum && !schema.enum.includes(value)) return `${at} is ${value}`;
  if (type === 'array') {
    return value.map((item, i) => difference(item, schema.items, `${at}[${i}]`)).find(Boolean);
  }
  if (type !== 'object' || schema.additionalProperties === true) return undefined;
  const missing = (schema.required ?? []).find((name) => !(name in value));
  if (missing) return `${at}.${missing} is missing`;
  for (const [name, member] of Object.entries(value)) {
    const described = schema.properties[name];
    if (!described && written.$ref !== '#/components/schemas/Event') return `${at}.${name} is not described`;
    const inner = described && difference(member, described, `${at}.${name}`);
    if (inner) return inner;
  }
  return undefined;
}

let server;
let folder;
let id;
let browser;
/** The address of an operation on what the test has made. */
const place = (path) => path.replace('{id}', path.startsWith('/api/sign-ins') ? browser : id);
before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'openapi-')));
  writeFileSync(join(folder, 'notes.txt'), 'a note\n');
  server = await new Server(folder).start();
  id = (await server.post('/api/sessions', { cwd: folder, prompt: 'hello' })).json.id;
  // The fake agent leaves none.
  leaveTranscript(id, folder);
  await server.signIn();
  browser = (await server.get('/api/sign-ins')).json.sign_ins[0].id;
});
after(() => server.kill());

const bodies = {
  '/api/sessions': () => ({ cwd: folder }),
  '/api/sessions/{id}/model': () => ({ model: 'fake' }),
  '/api/sessions/{id}/mode': () => ({ mode: 'plan' }),
  '/api/sessions/{id}/title': () => ({ title: 'A title' }),
  '/api/sessions/{id}/request': () => ({ request: { subtype: 'get_context_usage' } }),
};
const queries = {
  '/api/search': '?text=hello',
  '/api/sessions/{id}/file': '?path=notes.txt',
  '/api/sessions/{id}/text': '?path=notes.txt',
};
const operations = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    ['get', 'post', 'delete'].filter((method) => item[method]).map((method) => [path, method, item[method]]))
  // The one that ends the session comes last, the one that starts it again after the one that ends it.
  .sort((a, b) => (a[1] === 'delete') - (b[1] === 'delete'));

/** All that the server answers to, as its source says. WebSockets are not for this document. */
function routes() {
  const read = (name) => readFileSync(join(process.env.PARLEY_SOURCE_DIR, 'server/api', name), 'utf8');
  const source = read('api.cpp') + read('session_routes.cpp');
  const all = (pattern) => [...source.matchAll(pattern)].map(([, name]) => name);
  const fixed = all(/"(\/(?:api\/)?[a-z-]+)"/g);
  if (source.includes('DELETE') && fixed.includes('/api/sign-ins')) fixed.push('/api/sign-ins/{id}');
  const actions = [...all(/action == "([a-z]+)"/g), ...all(/\{"([a-z]+)",\s*\[\]\(Hub&/g)];
  const ofSessions = ['', ...actions.map((name) => `/${name}`)].map((end) => `/api/sessions/{id}${end}`);
  return new Set([...fixed, ...ofSessions].filter((path) => path !== '/api/socket' && !path.endsWith('/wire')));
}

test('every path of the server is in the document, and no other', () => {
  assert.deepEqual(Object.keys(document.paths).sort(), [...routes()].sort());
});

test('no path takes a method that is not in the document', async () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter((name) => !item[name])) {
      const body = method === 'get' ? undefined : '{}';
      const { status } = await server.request(method.toUpperCase(), place(path), { body });
      // Without credentials no body is taken at all.
      assert.ok(status === 405 || (status === 413 && path === '/healthz'), `${method} ${path}: ${status}`);
    }
  }
});

for (const [path, method, operation] of operations) {
  test(`${method} ${path}`, async () => {
    const body = method === 'post' ? (bodies[path]?.() ?? {}) : undefined;
    const address = place(path) + (queries[path] ?? '');
    const answer = await server.request(method.toUpperCase(), address, {
      body,
      headers: { authorization: 'Bearer a-token-for-the-tests-of-the-server' },
    });
    assert.equal(answer.status, 200, answer.body);
    const { schema } = Object.values(operation.responses['200'].content)[0];
    if (answer.json !== undefined) assert.equal(difference(answer.json, schema), undefined);
    if (operation.security?.length === 0) return;
    const stranger = await server.request(method.toUpperCase(), place(path), { body, headers: {} });
    assert.equal(stranger.status, 401);
    assert.equal(difference(stranger.json, document.components.responses.Error.content['application/json'].schema), undefined);
  });
}
