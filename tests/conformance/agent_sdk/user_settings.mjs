// Settings of the user that need a file or a command of their own, and files that only the client
// knows to be read. As the real CLI 2.1.325 does it; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Wire, World, call, text } from './support.mjs';

function user(world, settings, files = {}) {
  for (const [name, content] of Object.entries({ 'settings.json': JSON.stringify(settings), ...files })) {
    mkdirSync(join(world.home, '.claude', name, '..'), { recursive: true });
    writeFileSync(join(world.home, '.claude', name), content);
  }
}

test('apiKeyHelper finds the key', async (t) => {
  const world = await World.make(t, [text('Hello.'), text('Again.'), text('Set.')]);
  user(world, { apiKeyHelper: 'echo x >> runs; echo " sk-found "' });
  const wire = new Wire(world, [], { ANTHROPIC_API_KEY: '' });
  const { account } = await wire.ask('initialize');
  assert.equal(account.apiKeySource, 'apiKeyHelper');
  assert.equal((await wire.turn('go')).result, 'Hello.');
  assert.equal((await wire.turn('go on')).result, 'Again.');
  assert.equal(world.read('runs'), 'x\n');
  await wire.end();
  const own = new Wire(world);
  assert.equal((await own.turn('go')).result, 'Set.');
  assert.equal(world.read('runs'), 'x\n');
  await own.end();
});

test('an output style is told to the model', async (t) => {
  const world = await World.make(t, [text('Arrr.'), text('Hello.')]);
  user(world, { outputStyle: 'pirate' }, {
    'output-styles/p.md': '---\nname: pirate\ndescription: as on the sea\n---\nTalk like a pirate.\n',
    'output-styles/plain.md': 'Talk plainly.\n',
  });
  const wire = new Wire(world);
  const reply = await wire.ask('initialize');
  assert.equal(reply.output_style, 'pirate');
  assert.deepEqual(reply.available_output_styles, ['default', 'pirate', 'plain']);
  await wire.turn('go');
  assert.match(JSON.stringify(world.requests()[0].system), /Talk like a pirate\./);
  assert.doesNotMatch(JSON.stringify(world.requests()[0].system), /as on the sea|Talk plainly/);
  await wire.end();
  const none = new Wire(world, ['--settings', '{"outputStyle":"unheard of"}']);
  await none.turn('go');
  assert.equal(none.messages.find((m) => m.subtype === 'init').output_style, 'default');
  await none.end();
});

test('a file that the client says was read counts as read, unless it has changed', async (t) => {
  const notebook = JSON.stringify({ cells: [{ cell_type: 'code', id: 'c', metadata: {}, source: ['x=1'], outputs: [] }], nbformat: 4, nbformat_minor: 5 });
  const edit = (cwd, name) => call('NotebookEdit', { notebook_path: join(cwd, name), cell_id: 'c', new_source: 'y=1' });
  const world = await World.make(t, (cwd) => [edit(cwd, 'a.ipynb'), edit(cwd, 'b.ipynb'), edit(cwd, 'c.ipynb'), text('Done.')]);
  for (const name of ['a', 'b', 'c']) world.file(`${name}.ipynb`, notebook);
  const wire = new Wire(world, ['--permission-mode', 'acceptEdits', '--tools', 'NotebookEdit']);
  await wire.ask('seed_read_state', { path: 'a.ipynb', mtime: Date.now() + 1000 });
  await wire.ask('seed_read_state', { path: 'b.ipynb', mtime: 1000 });
  await wire.ask('seed_read_state', { path: 'nowhere', mtime: 1000 });
  await wire.turn('go');
  const results = wire.messages.filter((m) => m.type === 'user').map((m) => m.message.content[0]);
  assert.deepEqual(results.map((r) => r.is_error ?? false), [false, true, true]);
  assert.match(results[1].content, /File has not been read yet/);
  await wire.end();
});
