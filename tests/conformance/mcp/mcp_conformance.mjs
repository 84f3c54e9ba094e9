// Which scenarios of the conformance suite a server of ours has to pass, over stdio.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startBridge } from './bridge.mjs';

const { PARLEY_BUILD_DIR: build, PARLEY_MCP_CONFORMANCE: suite, TMPDIR } = process.env;

const pass = [
  'server-initialize', 'ping', 'logging-set-level', 'completion-complete',
  'tools-list', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio',
  'tools-call-embedded-resource', 'tools-call-mixed-content', 'tools-call-with-logging',
  'tools-call-error', 'tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation',
  'json-schema-2020-12', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums',
  'resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read',
  'resources-subscribe', 'resources-unsubscribe',
  'prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource',
  'prompts-get-with-image',
];
// Of HTTP, which stdio has nothing of: what they would test is the bridge.
const notOfStdio = {
  'server-sse-polling': 'a stream of events is closed and taken up again',
  'server-sse-multiple-streams': 'several streams of events of one session',
  'dns-rebinding-protection': 'the headers Host and Origin',
};

function run(...parameters) {
  const shim = path.join(import.meta.dirname, 'old_node.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', shim, suite, ...parameters], { timeout: 240_000 },
      (error, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
  });
}

// All at once, because the package takes seconds to load. The folder of a scenario is called
// server-<scenario>-<time>.
const folder = mkdtempSync(path.join(TMPDIR, 'scenarios-'));
let output;
let bridge;
before(async () => {
  bridge = await startBridge(path.join(build, 'bin', 'mcp_everything'));
  output = await run('server', '--url', bridge.url, '--suite', 'all', '-o', folder);
});
// In case a test has failed before it.
after(() => bridge?.close().catch(() => {}));

function checksOf(scenario) {
  const name = readdirSync(folder).find(
    (one) => one.startsWith(`server-${scenario}-`) && /^\d/.test(one.slice(scenario.length + 8)));
  assert.ok(name, output);
  return JSON.parse(readFileSync(path.join(folder, name, 'checks.json'), 'utf8'));
}

test('each scenario is either to be passed, or not of stdio', async () => {
  const listed = await run('list', '--server');
  const names = [...listed.matchAll(/^ {2}- ([a-z0-9-]+)/gm)].map((found) => found[1]);
  assert.deepEqual(names.sort(), [...pass, ...Object.keys(notOfStdio)].sort(), listed);
});

for (const scenario of pass) {
  test(scenario, () => {
    const judged = checksOf(scenario).filter(({ status }) => status !== 'INFO');
    assert.ok(judged.length > 0, output);
    for (const check of judged) assert.equal(check.status, 'SUCCESS', JSON.stringify(check));
  });
}

test('every server has written nothing but messages, and ends well', async () => {
  assert.ok((await bridge.close()) >= pass.length);
});
