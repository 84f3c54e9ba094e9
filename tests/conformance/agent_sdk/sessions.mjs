// Sessions that did not end as they should; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Wire, World, text } from './support.mjs';

const quick = { type: 'tool_use', id: 'toolu_quick', name: 'Bash', input: { command: 'echo quick' } };
const slow = { type: 'tool_use', id: 'toolu_slow', name: 'Bash', input: { command: 'echo on; tail -f /dev/null' } };

const transcriptOf = (world) => {
  const projects = join(world.home, '.claude/projects');
  const folder = join(projects, readdirSync(projects)[0]);
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')));
};
/** Waits until the file holds the text. */
const written = (path, text) =>
  new Promise((done) => {
    const look = () => {
      if (!readFileSync(path, 'utf8').includes(text)) return;
      watcher.close();
      done();
    };
    // Watched before the first look, so that nothing is written between the two unseen.
    const watcher = watch(path, look);
    look();
  });
const lines = (path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

test('a session that was killed within a tool goes on', async (t) => {
  const world = await World.make(t, [{ content: [quick, slow] }, text('Back.'), text('And again.')]);
  const wire = new Wire(world, ['--permission-mode', 'bypassPermissions'], { IS_SANDBOX: '1' });
  wire.send({ type: 'user', message: { role: 'user', content: 'go' } });
  const { session_id: session } = await wire.until((m) => m.tool_use_result);
  // The client may see a result before it is written down.
  await written(transcriptOf(world), 'toolUseResult');
  await wire.kill();
  const run = await world.run('go on', { resume: session });
  assert.equal(run.result.result, 'Back.');
  const { messages } = world.requests()[1];
  assert.deepEqual(messages.map((m) => m.role), ['user', 'assistant', 'user', 'assistant', 'user']);
  const [done, lost] = messages[2].content;
  assert.equal(done.tool_use_id, 'toolu_quick');
  assert.equal(done.content, 'quick');
  assert.equal(lost.tool_use_id, 'toolu_slow');
  assert.equal(lost.is_error, true);
  assert.match(lost.content, /result was lost/);
  // What was mended is written down: the next run finds a whole session.
  const again = await world.run('and again', { resume: session });
  assert.equal(again.result.result, 'And again.');
  assert.deepEqual(world.requests()[2].messages.slice(0, 4), messages.slice(0, 4));
});

test('a last line that was cut off costs only itself', async (t) => {
  const world = await World.make(t, [text('One.'), text('Two.')]);
  const first = await world.run('one');
  const path = transcriptOf(world);
  appendFileSync(path, '{"type":"user","message":{"role":"us');
  const second = await world.run('two', { resume: first.init.session_id });
  assert.equal(second.result.result, 'Two.');
  assert.deepEqual(world.requests()[1].messages.map((m) => m.role), ['user', 'assistant', 'user']);
  const texts = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  assert.equal(texts.filter((line) => line.startsWith('{"type":"user","message":{"role":"us')).length, 1);
  assert.ok(JSON.parse(texts.at(-1)));
});

test('a prompt that got no answer, and one that got an error', async (t) => {
  const error = { status: 400, error: { type: 'invalid_request_error', message: 'no' } };
  const world = await World.make(t, [error, text('Fine.'), text('Better.')]);
  const failed = await world.run('fails');
  const session = failed.of('system', 'init')[0].session_id;
  const run = await world.run('again', { resume: session });
  assert.equal(run.result.result, 'Fine.');
  const told = JSON.stringify(world.requests().at(-1).messages);
  assert.ok(!told.includes('API Error'), 'the model is not told of errors of its API');
  const last = lines(transcriptOf(world)).filter((line) => line.type === 'assistant').at(-1);
  assert.equal(last.message.content[0].text, 'Fine.');
});
