// See sdk_history.sh. Usage: node compare.mjs SDK-MODULE SCRATCH-FOLDER
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
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
const append = (lines, ...args) =>
  execFileSync(join(bin, 'history_append'), args, {
    input: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
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

const id = (n) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`;

/** A line of a conversation as an agent writes it; the chain is the caller's. */
const line = (type, uuid, parentUuid, content, sessionId, cwd, more = {}) => ({
  parentUuid,
  isSidechain: false,
  type,
  message: { role: type, content, ...(type === 'assistant' && { id: `msg_${uuid}`, model: 'm' }) },
  uuid,
  timestamp: '2026-11-15T10:00:00.000Z',
  cwd,
  sessionId,
  version: '2.1.325',
  gitBranch: 'main',
  ...more,
});

test('the SDK reads what our appender wrote', async () => {
  const sdk = await import(sdkModule);
  const root = join(scratch, 'appended');
  mkdirSync(root);
  const session = id(1);
  const uuids = [1, 2, 3, 4, 5].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
  const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls "a b"' } };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a b\nü\u2028😀' };
  const lines = [
    line('user', uuids[0], null, 'list it', session, '/work'),
    line('assistant', uuids[1], uuids[0], [call], session, '/work'),
    line('user', uuids[2], uuids[1], [result], session, '/work', {
      sourceToolAssistantUUID: uuids[1],
    }),
  ];
  append(lines, root, '-work', session);
  append([line('assistant', uuids[3], uuids[2], 'done', session, '/work')], root, '-work', session);
  append([{ type: 'custom-title', customTitle: 'A title', sessionId: session }], root, '-work', session);
  const task = [line('user', uuids[4], null, 'task', session, '/work', { isSidechain: true })];
  append(task, root, '-work', session, 'a1', JSON.stringify({ toolUseId: 'toolu_1', agentType: 'x' }));

  process.env.CLAUDE_CONFIG_DIR = root;
  const info = await sdk.getSessionInfo(session);
  assert.deepEqual(await sdk.listSessions(), [info]);
  assert.equal(info.summary, 'A title');
  assert.equal(info.firstPrompt, 'list it');
  assert.equal(info.cwd, '/work');
  assert.equal(info.gitBranch, 'main');
  const messages = await sdk.getSessionMessages(session);
  assert.deepEqual(messages.map(({ uuid }) => uuid), uuids.slice(0, 4));
  assert.deepEqual(messages.map(({ message }) => message.content), ['list it', [call], [result], 'done']);
  assert.deepEqual(await sdk.listSubagents(session), ['a1']);
  const [said] = await sdk.getSubagentMessages(session, 'a1');
  assert.equal(said.message.content, 'task');
  assert.equal(said.parent_tool_use_id, 'toolu_1');
  assert.deepEqual(weRead([root]), sdkReads([root]));
});

test('a working folder, its worktrees and its namesakes', async () => {
  const sdk = await import(sdkModule);
  const base = join(realpathSync(scratch), 'worktrees');
  const root = join(base, 'root');
  mkdirSync(root, { recursive: true });
  const git = (...args) => execFileSync('git', ['-C', join(base, 'main'), ...args], { stdio: 'pipe' });
  const folders = ['main', 'linked', 'gone', 'lin.ked', `long-${'x'.repeat(120)}/${'y'.repeat(120)}`];
  const [main, linked, gone, namesake, long] = folders.map((name) => join(base, name));
  for (const folder of [main, namesake]) mkdirSync(folder, { recursive: true });
  git('init', '-q');
  git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '--allow-empty', '-m', 'x');
  for (const tree of [linked, gone, long]) git('worktree', 'add', '-q', '--detach', tree);
  mkdirSync(join(linked, 'below'));
  rmSync(gone, { recursive: true });

  const name = (folder) => folder.replace(/[^a-zA-Z0-9]/g, '-');
  const said = (n, cwd) => [line('user', id(n), null, `prompt ${n}`, id(n), cwd)];
  append(said(1, main), root, name(main), id(1));
  append(said(2, linked), root, name(linked), id(2));
  append(said(3, gone), root, name(gone), id(3));
  append(said(4, join(base, 'lin-ked')), root, name(namesake), id(4));
  append(said(5, namesake), root, name(namesake), id(5));
  append(said(6, long), root, `${name(long).slice(0, 200)}-other`, id(6));
  append(said(7, '/elsewhere'), root, '-elsewhere', id(7));
  append([{ ...said(8, main)[0], cwd: undefined }], root, name(main), id(8));

  process.env.CLAUDE_CONFIG_DIR = root;
  const ours = (...args) =>
    JSON.parse(parley(root, '--json', ...args, 'list', '--all')).map((session) => {
      for (const key of ['root', 'project', 'costUSD', 'messages', 'programmatic']) delete session[key];
      return session;
    });
  const theirs = async (options) => JSON.parse(JSON.stringify(await sdk.listSessions(options)));
  for (const dir of [main, linked, join(linked, 'below'), namesake, long, base, '/elsewhere']) {
    assert.deepEqual(ours('-p', dir), await theirs({ dir }), dir);
    assert.deepEqual(
      ours('-p', dir, '--no-worktrees'),
      await theirs({ dir, includeWorktrees: false }),
      dir,
    );
  }
  assert.equal(ours('-p', linked).length, 5);
});
