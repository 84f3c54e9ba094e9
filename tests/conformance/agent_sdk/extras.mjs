// What a client can switch on: suggestions, a store for transcripts; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Prompts, Wire, World, call, text } from './support.mjs';

test('prompt suggestions come after the result', async (t) => {
  const world = await World.make(t, [
    text('Done.'),
    { aux: true, ...text('run the tests') },
    text('Again.'),
    { aux: true, ...text('ok') },
  ]);
  const prompts = new Prompts();
  const seen = [];
  prompts.send('build it');
  for await (const message of world.query(prompts, { promptSuggestions: true })) {
    if (message.type !== 'result' && message.type !== 'prompt_suggestion') continue;
    seen.push(message.suggestion ?? message.result);
    if (message.type === 'prompt_suggestion') prompts.send('and again');
    if (seen.length === 3) prompts.end();
  }
  assert.deepEqual(seen, ['Done.', 'run the tests', 'Again.']);
  const asked = world.requests()[1];
  assert.match(asked.model, /haiku/);
  assert.match(JSON.stringify(asked.messages), /build it.*Done\./s);
});

test('no suggestions unless they are wanted', async (t) => {
  const world = await World.make(t, [text('Done.')]);
  const run = await world.run('build it');
  assert.equal(run.result.result, 'Done.');
  assert.equal(world.requests().length, 1);
});

test('a session store gets every line, and a session is resumed from it', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'echo hi' }), text('One.'), text('Two.')]);
  const kept = [];
  const sessionStore = {
    append: async (key, entries) => void kept.push(...entries),
    load: async () => structuredClone(kept),
  };
  // The SDK tells sessions by their path, and must know the folder of the agent for that.
  const env = { ...world.env, CLAUDE_CONFIG_DIR: join(world.home, '.claude') };
  const first = await world.run('one', { sessionStore, env });
  assert.equal(first.result.result, 'One.');
  assert.deepEqual(kept.filter((line) => line.uuid).map((line) => line.type),
    ['user', 'assistant', 'user', 'assistant']);
  assert.ok(kept.some((line) => line.type === 'cost-state'));
  const count = kept.length;
  const second = await world.run('two', { sessionStore, env, resume: first.init.session_id });
  assert.equal(second.result.result, 'Two.');
  assert.ok(kept.length > count);
  assert.deepEqual(world.requests().at(-1).messages.map((m) => m.role),
    ['user', 'assistant', 'user', 'assistant', 'user']);
});

test('messages name the request that brought them', async (t) => {
  const world = await World.make(t, [text('Hello.')]);
  const run = await world.run('hi');
  assert.match(run.of('assistant')[0].request_id, /^req_/);
});

test('variables are changed while the session runs', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'echo got-$PROBE' }), text('Said.')]);
  const wire = new Wire(world, ['--allowedTools', 'Bash']);
  wire.send({ type: 'update_environment_variables', request_id: 'v1', variables: { PROBE: 'value' } });
  const { response } = await wire.until((m) => m.type === 'control_response');
  assert.deepEqual(response, { subtype: 'success', request_id: 'v1', response: { applied: ['PROBE'] } });
  await wire.turn('say');
  assert.equal((await wire.until((m) => m.tool_use_result)).tool_use_result.stdout, 'got-value');
  assert.equal(await wire.end(), 0);
});
