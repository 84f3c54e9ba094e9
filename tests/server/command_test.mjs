// parley serve as a program: what it takes, refuses and prints, which signals it obeys, and what it
// leaves to its agents.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentsOf, bin, fakeAgent, Server, TOKEN } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

const newFolder = () => realpathSync(mkdtempSync(join(tmpdir(), 'command-')));
const folder = newFolder();

/** Runs it with arguments that it has to refuse. */
function refused(...args) {
  const { status, stderr } = spawnSync(join(bin, 'parley'),
    ['serve', '--no-open', '--port', '0', '--data', join(folder, 'data'), ...args],
    { encoding: 'utf8', timeout: 20_000, cwd: folder, env: { HOME: folder, PATH: process.env.PATH } });
  assert.ok(status === 1 || status === 2, `${args}: ${status}`);
  return stderr;
}
async function withServer(options, task, change = () => {}) {
  const server = new Server(newFolder(), options);
  change(server);
  await server.start();
  try {
    return await task(server);
  } finally {
    await server.kill();
  }
}

async function freePort() {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
function isAlive(pid) {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('a setting of the wrong kind is named, with its file', () => {
  const file = join(folder, 'config.json');
  const cases = [
    ['{"root":5}', 'root', /a text or a list of texts/],
    ['{"root":[5]}', 'root', /a text or a list of texts/],
    ['{"root":[""]}', 'root', /a text or a list of texts/],
    ['{"allow-host":true}', 'allow-host', /a text or a list of texts/],
    ['{"allow-host":{"a":"b"}}', 'allow-host', /a text or a list of texts/],
    ['{"host":["::1"]}', 'host', /a text/],
    ['{"token":null}', 'token', /a text/],
    ['{"public-url":1}', 'public-url', /a text/],
    ['{"port":"8737"}', 'port', /a number from 0 to 65535/],
    ['{"port":65536}', 'port', /a number from 0 to 65535/],
    ['{"port":1.5}', 'port', /a number from 0 to 65535/],
    ['{"max-agents":0}', 'max-agents', /a number from 1/],
    ['{"demo":"yes"}', 'demo', /true or false/],
    ['{"no-open":1}', 'no-open', /true or false/],
    ['{"hots":"::1"}', 'hots', /is no setting/],
  ];
  for (const [text, name, reason] of cases) {
    writeFileSync(file, text);
    const words = refused('--agent', fakeAgent, '--config', file);
    assert.ok(words.includes(`${file}: "${name}" `), words);
    assert.match(words, reason);
  }
  // The command line wins, which is no excuse either.
  writeFileSync(file, '{"port":"8737"}');
  assert.match(refused('--agent', fakeAgent, '--config', file), /"port" must be a number/);
  writeFileSync(file, '[]');
  assert.match(refused('--config', file), /is no JSON object/);
  for (const path of [join(folder, 'nowhere'), folder]) {
    assert.match(refused('--config', path), /cannot be read/);
  }
});

test('every setting can stand in the file', async () => {
  const file = join(folder, 'good.json');
  const root = newFolder();
  writeFileSync(file, JSON.stringify({ host: 'localhost', root: [root], 'allow-host': 'desk.example', demo: true,
    'no-open': true, 'max-agents': 3, 'public-url': 'https://desk.example/parley' }));
  const port = await freePort();
  await withServer(['--config', file], async (server) => {
    assert.match(server.link, /^https:\/\/desk\.example\/parley\/\?token=/);
    server.port = port; // the link does not tell
    const headers = { host: 'desk.example', authorization: `Bearer ${TOKEN}` };
    assert.equal((await server.get('/api/info', { headers })).json.demo, true);
  }, (server) => (server.port = port));
});

test('options that cannot be are refused with the reason', () => {
  const cases = [
    [['--host', 'desk'], /--host: must be an IP address/],
    [['--host', '1.2.3'], /--host: must be an IP address/],
    [['--agent', '/nonexistent/x'], /--agent: \/nonexistent\/x does not exist/],
    [['--agent', 'no-such-program --flag'], /--agent: no-such-program is in no folder of PATH/],
    [['--agent', folder], /--agent: .* is a folder/],
    [['--agent', ' '], /--agent: names no program/],
    [['--max-agents', '0'], /--max-agents/],
    [['--max-agents', '-1'], /--max-agents/],
    [['--max-agents', 'many'], /--max-agents/],
    [['--max-agents', '99999999999999999999'], /--max-agents/],
    [['--port', '65536'], /--port/],
    [['--port', '-1'], /--port/],
    [['--allow-host', 'desk.example:80'], /--allow-host: "desk.example:80" is no name/],
    [['--allow-host', 'https://desk.example'], /--allow-host: .* is no name/],
    [['--public-url', 'desk.example'], /--public-url: must be like/],
    [['--public-url', 'https://desk.example/?x=1'], /--public-url: must be like/],
    [['--root', ''], /root/],
  ];
  for (const [words, reason] of cases) {
    const agent = words[0] === '--agent' ? [] : ['--agent', fakeAgent];
    assert.match(refused(...agent, ...words), reason, words.join(' '));
  }
});

test('the link works, whatever address it listens on', async () => {
  for (const [host, link] of [['localhost', /^http:\/\/127\.0\.0\.1:/], ['0.0.0.0', /^http:\/\/127\.0\.0\.1:/],
    ['::', /^http:\/\/\[::1\]:/], ['::1', /^http:\/\/\[::1\]:/]]) {
    await withServer(['--host', host], async (server) => {
      assert.match(server.link, link);
      const [response] = await once(http.get(server.link), 'response');
      assert.equal(response.resume().statusCode, 303, server.link);
    });
  }
});

const signals = (server) => Object.fromEntries(
  [...readFileSync(`/proc/${server.process.pid}/status`, 'utf8').matchAll(/^(Sig\w+):\s+(\w+)/gm)]
    .map(([, name, mask]) => [name, BigInt(`0x${mask}`)]));
const HUP = 1n;

test('a hang-up ends it, unless whoever started it said otherwise', async () => {
  await withServer([], async (server) => {
    server.process.kill('SIGHUP');
    assert.deepEqual(await server.ended, { code: 0, signal: null });
  });
  await withServer([], async (server) => {
    assert.equal(signals(server).SigIgn & HUP, HUP);
    assert.equal(signals(server).SigBlk & HUP, 0n, 'it waits for a signal that is to be ignored');
    server.process.kill('SIGHUP');
    assert.equal((await server.get('/healthz')).status, 200);
  }, (server) => (server.launcher = ['nohup']));
});

test('a second signal does not wait for agents', async () => {
  const stubborn = join(folder, 'stubborn');
  writeFileSync(stubborn, "#!/bin/sh\ntrap '' TERM\nexec sleep 1000\n");
  chmodSync(stubborn, 0o755);
  await withServer([], async (server) => {
    await server.post('/api/sessions', { cwd: server.folder });
    while (agentsOf(server).length === 0);
    const [agent] = agentsOf(server);
    server.process.kill('SIGTERM');
    // It has begun to stop when it does not listen any more.
    while (await server.get('/healthz').then(() => true, () => false));
    server.process.kill('SIGINT');
    assert.deepEqual(await server.ended, { code: null, signal: 'SIGINT' });
    while (isAlive(agent));
  }, (server) => (server.agent = stubborn));
});

test('agents do not get the token', async () => {
  process.env.PARLEY_TOKEN = TOKEN;
  await withServer([], async (server) => {
    await server.post('/api/sessions', { cwd: server.folder, prompt: 'hello' });
    const { id } = (await server.get('/api/sessions')).json.sessions[0];
    const page = await Page.open(server);
    await page.attach(id);
    await page.event(id, isResult);
    const [agent] = agentsOf(server);
    const environment = readFileSync(`/proc/${agent}/environ`, 'utf8');
    assert.match(environment, /FAKE_AGENT_FOLDER=/);
    assert.doesNotMatch(environment, /PARLEY_TOKEN|a-token-for/);
  });
  delete process.env.PARLEY_TOKEN;
});

const openFiles = (server) =>
  Number(/^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${server.process.pid}/limits`, 'utf8'))[1]);

test('it takes more descriptors if it may', async () => {
  await withServer([], (server) => assert.ok(openFiles(server) > 5000, `${openFiles(server)}`),
    (server) => (server.launcher = ['bash', '-c', 'ulimit -S -n 256; exec "$@"', 'bash']));
});

test('strangers leave descriptors for agents and logs', { timeout: 60_000 }, async () => {
  await withServer([], async (server) => {
    const { json } = await server.post('/api/sessions', { cwd: server.folder, prompt: 'hello' });
    const page = await Page.open(server);
    await page.attach(json.id);
    await page.event(json.id, isResult);
    const start = Date.now();
    const strangers = Array.from({ length: 600 }, () => net.connect(server.port, '127.0.0.1').on('error', () => {}));
    // Some have to go for those that come after them, long before the ten seconds for a header are over.
    await Promise.race(strangers.map((stranger) => new Promise((resolve) => stranger.resume().once('close', resolve))));
    assert.ok(Date.now() - start < 9000, 'strangers could take all descriptors');
    for (const agent of agentsOf(server)) process.kill(agent, 'SIGKILL');
    await page.event(json.id, (event) => event.kind === 'state' && event.state === 'failed');
    page.send(json.id, 'once more');
    await page.event(json.id, (event) => isResult(event) && event.message.result === 'once more');
    assert.ok(!page.heard.some((message) => message.type === 'error'), JSON.stringify(page.heard.at(-1)));
    for (const stranger of strangers) stranger.destroy();
  }, (server) => (server.launcher = ['bash', '-c', 'ulimit -n 300; exec "$@"', 'bash']));
});
