// parley serve with a certificate of its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import tls from 'node:tls';
import { Server } from './hub_client.mjs';
import { isResult, Page } from './hub_page.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tls-')));
const file = (name) => join(folder, name);

/** A certificate for 127.0.0.1 that nobody has signed, with its key. */
function makeCertificate(name) {
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
    '-keyout', file(`${name}.key`), '-out', file(`${name}.pem`), '-days', '2', '-subj', `/CN=${name}`,
    '-addext', 'subjectAltName=IP:127.0.0.1'], { stdio: 'pipe' });
  return readFileSync(file(`${name}.pem`));
}
const use = (name) => {
  copyFileSync(file(`${name}.key`), file('key.pem'));
  copyFileSync(file(`${name}.pem`), file('cert.pem'));
};
const options = ['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')];

let server;
let first;
let second;

before(async () => {
  [first, second] = [makeCertificate('first'), makeCertificate('second')];
  use('first');
  server = new Server(folder, options);
  server.tls = { ca: [first, second] };
  await server.start();
});
after(() => server.kill('SIGTERM'));

/** The name in the certificate that a new connection gets. */
async function shownName() {
  const connection = tls.connect({ port: server.port, host: '127.0.0.1', ca: [first, second] });
  await once(connection, 'secureConnect');
  const { CN } = connection.getPeerCertificate().subject;
  connection.destroy();
  return CN;
}

describe('with a certificate', { concurrency: true }, () => {
  test('the link is https, and signs in with a cookie that stays there', async () => {
    assert.match(server.link, /^https:\/\/127\.0\.0\.1:/);
    const { signed, setCookie } = await server.signIn();
    assert.match(setCookie, /; Secure/);
    const headers = { ...signed, origin: new URL(server.link).origin };
    assert.equal((await server.post('/api/links', {}, { headers })).status, 200);
  });

  test('events and large answers pass through', async () => {
    const page = await Page.open(server);
    const { json } = await server.post('/api/sessions', { cwd: folder, prompt: 'stream 3000' });
    await page.attach(json.id);
    await page.event(json.id, isResult);
    page.send(json.id, `long ${4 << 20}`);
    await page.event(json.id, (event) => isResult(event) && event.message.result === 'said much');
    const seqs = page.heard.filter((m) => m.type === 'event').map((m) => m.seq);
    assert.deepEqual(seqs, seqs.map((_, i) => seqs[0] + i));
    assert.ok(page.heard.some((m) => JSON.stringify(m).length > 4 << 20));
    page.socket.close();
  });

  test('without TLS there is no answer', async () => {
    const request = http.get({ port: server.port, host: '127.0.0.1', path: '/healthz' });
    const [error] = await once(request, 'error');
    assert.ok(error);
    assert.equal((await server.get('/healthz', { headers: {} })).status, 200);
  });

  test('old versions of TLS are refused', async () => {
    const connection = tls.connect({ port: server.port, host: '127.0.0.1', ca: [first, second], maxVersion: 'TLSv1.1' });
    await once(connection, 'error');
  });

  test('a client that does not begin is sent away', async () => {
    const connection = net.connect(server.port, '127.0.0.1');
    await once(connection.resume(), 'close');
  });

  test('a renewed certificate is taken up, a broken one is not', async () => {
    assert.equal(await shownName(), 'first');
    use('second');
    assert.equal(await shownName(), 'second');
    writeFileSync(file('cert.pem'), 'nonsense');
    assert.equal(await shownName(), 'second');
    use('first');
    assert.equal(await shownName(), 'first');
  });
});

test('files that do not belong together are refused with the reason', async () => {
  mkdirSync(file('other'));
  for (const [words, reason] of [
    [['--tls-cert', file('first.pem'), '--tls-key', file('second.key')], /second\.key: is no key for the cert/],
    [['--tls-cert', file('first.key'), '--tls-key', file('first.key')], /first\.key: is no certificate/],
    [['--tls-cert', file('first.pem')], /need each other/],
  ]) {
    await assert.rejects(new Server(file('other'), words).start(), reason);
  }
});
