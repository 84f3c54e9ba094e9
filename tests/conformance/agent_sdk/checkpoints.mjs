// Files are put back to where they were before a message; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Prompts, Wire, World, call, text } from './support.mjs';

const uuids = [1, 2, 3].map((n) => `${n}0000000-0000-4000-8000-000000000000`);
const enabled = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' };

/** Two turns: a new file and a changed one, then the changed one again and a file in a folder. */
const changes = (cwd) => [
  call('Write', { file_path: join(cwd, 'new.txt'), content: 'n1\nn2\n' }),
  call('Edit', { file_path: join(cwd, 'old.txt'), old_string: 'beta', new_string: 'BETA' }),
  text('One.'),
  call('Edit', { file_path: join(cwd, 'old.txt'), old_string: 'BETA', new_string: 'BB\nCC' }),
  call('Write', { file_path: join(cwd, 'sub/deep.txt'), content: 'x\n' }),
  text('Two.'),
  text('Three.'),
];
async function changed(t) {
  const world = await World.make(t, changes);
  world.file('old.txt', 'alpha\nbeta\ngamma\n');
  return world;
}

test('rewindFiles of the SDK', async (t) => {
  const world = await changed(t);
  const prompts = new Prompts();
  const query = world.query(prompts, { enableFileCheckpointing: true, permissionMode: 'acceptEdits',
    extraArgs: { 'replay-user-messages': null } });
  const sent = [];
  let results = 0;
  prompts.send('one');
  for await (const message of query) {
    if (message.type === 'user' && message.isReplay) sent.push(message.uuid);
    if (message.type !== 'result') continue;
    if (++results === 1) {
      prompts.send('two');
      continue;
    }
    const [first, second] = sent;
    const dry = await query.rewindFiles(first, { dryRun: true });
    assert.deepEqual(dry, {
      canRewind: true,
      filesChanged: ['new.txt', 'old.txt', 'sub/deep.txt'].map((name) => join(world.cwd, name)),
      insertions: 1,
      deletions: 5,
    });
    assert.ok(existsSync(world.file('new.txt')), 'a dry run changes nothing');
    assert.equal((await query.rewindFiles(second)).canRewind, true);
    assert.equal(world.read('old.txt'), 'alpha\nBETA\ngamma\n');
    assert.ok(existsSync(world.file('new.txt')));
    assert.ok(!existsSync(world.file('sub/deep.txt')));
    await query.rewindFiles(first);
    assert.equal(world.read('old.txt'), 'alpha\nbeta\ngamma\n');
    assert.ok(!existsSync(world.file('new.txt')));
    const unknown = await query.rewindFiles(uuids[2], { dryRun: true });
    assert.deepEqual(unknown, { canRewind: false, error: 'No file checkpoint found for this message.' });
    await assert.rejects(query.rewindFiles(uuids[2]), /No file checkpoint found/);
    prompts.end();
  }
  assert.equal(results, 2);
});

test('a resumed session and its fork know the files of before', async (t) => {
  const world = await changed(t);
  const wire = new Wire(world, ['--permission-mode', 'acceptEdits'], enabled);
  await wire.turn('one', { uuid: uuids[0] });
  const { session_id: session } = await wire.turn('two', { uuid: uuids[1] });
  assert.equal(await wire.end(), 0);
  const copies = readdirSync(join(world.home, '.claude/file-history', session));
  assert.equal(copies.length, 3, 'old.txt twice, new.txt once');

  world.file('old.txt', 'by hand\n');
  const fork = new Wire(world, ['--resume', session, '--fork-session'], enabled);
  await fork.turn('three');
  await fork.ask('rewind_files', { user_message_id: uuids[1] });
  assert.equal(world.read('old.txt'), 'alpha\nBETA\ngamma\n');
  assert.equal(await fork.end(), 0);

  const resumed = new Wire(world, ['--resume', session], enabled);
  await resumed.ask('rewind_files', { user_message_id: uuids[0] });
  assert.equal(world.read('old.txt'), 'alpha\nbeta\ngamma\n');
  assert.equal(await resumed.end(), 0);

  const without = new Wire(world, ['--resume', session]);
  await assert.rejects(without.ask('rewind_files', { user_message_id: uuids[0] }), /not enabled/);
  assert.equal(await without.end(), 0);
});

test('links that stand in the way are left alone', async (t) => {
  const world = await changed(t);
  const elsewhere = join(world.folder, 'elsewhere');
  mkdirSync(elsewhere);
  const wire = new Wire(world, ['--permission-mode', 'acceptEdits'], enabled);
  await wire.turn('one', { uuid: uuids[0] });
  await wire.turn('two', { uuid: uuids[1] });
  // A file has become a link, and a folder has.
  writeFileSync(join(elsewhere, 'target.txt'), 'precious');
  renameSync(world.file('old.txt'), world.file('moved.txt'));
  symlinkSync(join(elsewhere, 'target.txt'), world.file('old.txt'));
  renameSync(world.file('sub'), world.file('moved'));
  writeFileSync(join(elsewhere, 'deep.txt'), 'precious');
  symlinkSync(elsewhere, world.file('sub'));
  const answer = await wire.ask('rewind_files', { user_message_id: uuids[0] });
  assert.deepEqual(answer, { canRewind: true, skippedLinks: 2 });
  assert.equal(world.read('old.txt'), 'precious');
  assert.equal(world.read('sub/deep.txt'), 'precious');
  assert.ok(!existsSync(world.file('new.txt')));
  assert.equal(await wire.end(), 0);
});
