// See sdk_history.sh. Usage: node compare.mjs SDK-MODULE SCRATCH-FOLDER
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const [, , sdkModule, scratch] = process.argv;
const source = process.env.PARLEY_SOURCE_DIR;
const bin = join(process.env.PARLEY_BUILD_DIR, 'bin');
const here = join(source, 'tests/conformance/history');
const most = { maxBuffer: 1 << 30 };

const sdkReads = (roots) =>
  JSON.parse(execFileSync(process.execPath, [join(here, 'sdk_dump.mjs'), sdkModule, ...roots], most));
const weRead = (roots) => JSON.parse(execFileSync(join(bin, 'history_dump'), roots, most));
const parley = (root, ...args) =>
  execFileSync(join(bin, 'parley'), ['sessions', '--root', root, ...args], most).toString().trim();

/** A root of its own for each scenario: copies, so that nobody can touch the recordings. */
function copyOf(version, scenario) {
  const root = join(scratch, version, scenario);
  mkdirSync(root, { recursive: true });
  cpSync(join(source, 'tests/recordings', version, 'sessions', scenario), join(root, 'projects'), {
    recursive: true,
    preserveTimestamps: true,
  });
  return root;
}

const roots = ['2.1.325', '2.1.38'].map((version) => [
  version,
  readdirSync(join(source, 'tests/recordings', version, 'sessions')).map((s) => copyOf(version, s)),
]);
const everything = roots.flatMap(([, list]) => list);

for (const [version, list] of roots) {
  test(`every session folder of ${version} reads the same`, () => {
    const theirs = sdkReads(list);
    const ours = weRead(list);
    let sessions = 0;
    for (const root of list) {
      sessions += theirs[root].list.length;
      assert.deepEqual(ours[root], theirs[root], root);
    }
    assert.ok(sessions > 200, `only ${sessions} sessions compared`);
  });
}

test('the SDK reads what our fork wrote', () => {
  const text = (messages) =>
    messages.map(({ type, message }) => ({ type, content: message?.content }));
  const before = sdkReads(everything);
  const copies = new Map();
  for (const root of everything) {
    for (const { sessionId } of before[root].list) {
      if (before[root].sessions[sessionId].messages.length === 0) continue;
      copies.set(`${root} ${sessionId}`, [root, sessionId, parley(root, 'fork', sessionId)]);
    }
  }
  const after = sdkReads(everything);
  for (const [name, [root, original, copy]] of copies) {
    assert.deepEqual(
      text(after[root].sessions[copy].messages),
      text(before[root].sessions[original].messages),
      name,
    );
    assert.match(after[root].sessions[copy].info.summary, / \(fork\)$/);
  }
  assert.deepEqual(weRead(everything), after);
});

test('changes are seen on the other side', async () => {
  const sdk = await import(sdkModule);
  const root = copyOf('2.1.325', 'text_partial');
  process.env.CLAUDE_CONFIG_DIR = root;
  const id = (await sdk.listSessions()).at(-1).sessionId;

  parley(root, 'rename', id, 'Ours "quoted"');
  parley(root, 'tag', id, 'blue');
  parley(root, 'archive', id);
  let info = await sdk.getSessionInfo(id);
  assert.equal(info.customTitle, 'Ours "quoted"');
  assert.equal(info.tag, 'blue');
  assert.equal(info.archived, true);

  await sdk.renameSession(id, 'Theirs');
  await sdk.tagSession(id, null);
  await sdk.unarchiveSession(id);
  const { sessionId: fork } = await sdk.forkSession(id);
  info = JSON.parse(parley(root, '--json', 'info', id));
  assert.equal(info.customTitle, 'Theirs');
  assert.equal(info.tag, undefined);
  assert.equal(info.archived, false);
  assert.equal(JSON.parse(parley(root, '--json', 'info', fork)).summary, 'Theirs (fork)');
  assert.deepEqual(weRead([root]), sdkReads([root]));

  parley(root, 'delete', '--yes', id);
  assert.equal(await sdk.getSessionInfo(id), undefined);
  await sdk.deleteSession(fork);
  assert.throws(() => parley(root, 'info', fork));
});
