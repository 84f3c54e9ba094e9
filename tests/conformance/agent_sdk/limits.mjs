// Where a session has to stop: at the end of its budget, with a model that cannot keep to a schema,
// and for root. As the real CLI 2.1.325 does it; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Wire, World, call, print, text } from './support.mjs';

const expensive = (turn) => ({ ...turn, usage_start: { input_tokens: 1_000_000 } });
const over = { subtype: 'error_max_budget_usd', is_error: true, terminal_reason: 'budget_exhausted' };
const part = (result, like) => Object.fromEntries(Object.keys(like).map((key) => [key, result[key]]));

test('a budget that is used up ends a turn, and the next one before it asks', async (t) => {
  const world = await World.make(t, [expensive(text('One.')), text('Two.')]);
  const wire = new Wire(world, ['--max-budget-usd', '0.5']);
  const first = await wire.turn('go');
  assert.deepEqual(part(first, over), over);
  assert.deepEqual(first.errors, ['Reached maximum budget ($0.5)']);
  assert.equal(first.stop_reason, 'end_turn');
  assert.ok(!('result' in first));
  const second = await wire.turn('again');
  assert.deepEqual(part(second, over), over);
  assert.equal(second.stop_reason, null);
  assert.equal(second.num_turns, 1);
  assert.equal(world.requests().length, 1);
  await wire.end();
});

test('a call that the budget cut off is answered when the session goes on', async (t) => {
  const world = await World.make(t, [expensive(call('Bash', { command: 'touch x' })), text('Two.'), text('Three.')]);
  const wire = new Wire(world, ['--max-budget-usd', '0.5', '--allowedTools', 'Bash']);
  const first = await wire.turn('go');
  assert.deepEqual(part(first, over), over);
  assert.deepEqual(wire.messages.filter((m) => m.type === 'user'), []);
  await wire.end();
  const more = new Wire(world, ['--max-budget-usd', '100', '--resume', first.session_id]);
  assert.equal((await more.turn('again')).result, 'Two.');
  await more.end();
  const blocks = world.requests().at(-1).messages.flatMap((m) => (Array.isArray(m.content) ? m.content : []));
  const ids = (type, key) => blocks.filter((b) => b.type === type).map((b) => b[key]);
  assert.equal(ids('tool_use', 'id').length, 1);
  assert.deepEqual(ids('tool_result', 'tool_use_id'), ids('tool_use', 'id'));
});

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const failed = {
  subtype: 'error_max_structured_output_retries',
  is_error: true,
  stop_reason: 'tool_use',
  terminal_reason: 'structured_output_retry_exhausted',
};

test('a model that does not keep to the schema is stopped', async (t) => {
  const world = await World.make(t, [{ ...call('StructuredOutput', { age: 1 }), repeat: true }]);
  const flags = ['--json-schema', JSON.stringify(schema)];
  for (const [env, tries] of [[{}, 5], [{ MAX_STRUCTURED_OUTPUT_RETRIES: '2' }, 2]]) {
    const wire = new Wire(world, flags, env);
    for (const turn of ['go', 'again']) {
      const before = world.requests().length;
      const result = await wire.turn(turn);
      assert.deepEqual(part(result, failed), failed);
      assert.equal(result.num_turns, tries + 1);
      assert.deepEqual(result.errors, [
        `Failed to provide valid structured output after ${tries} attempts — last StructuredOutput error: ` +
          "Output does not match required schema: root: must have required property 'name'",
      ]);
      assert.equal(world.requests().length - before, tries);
    }
    assert.equal(await wire.end(), 1);
  }
});

test('a second schema while the first is in use', async (t) => {
  const world = await World.make(t, [call('StructuredOutput', { name: 'Ann' }), call('StructuredOutput', { age: 7 })]);
  const wire = new Wire(world);
  const hooks = { PreToolUse: [{ hookCallbackIds: ['before'] }] };
  await wire.ask('initialize', { jsonSchema: schema, hooks });
  const turn = wire.turn('go');
  const asked = await wire.until((m) => m.request?.subtype === 'hook_callback');
  const other = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
  for (let i = 0; i < 20; ++i) await wire.ask('initialize', { jsonSchema: other, hooks: {} });
  wire.send({ type: 'control_response', response: { subtype: 'success', request_id: asked.request_id, response: {} } });
  assert.deepEqual((await turn).structured_output, { name: 'Ann' });
  assert.deepEqual((await wire.turn('again')).structured_output, { age: 7 });
  await wire.end();
});

// ---- root -----------------------------------------------------------------------------------------

const bypass = { permissions: { defaultMode: 'bypassPermissions' } };
const refusal = /^--dangerously-skip-permissions cannot be used with root\/sudo privileges/;
const root = { skip: process.getuid() !== 0 && 'not root' };

test('nothing switches all questions off for root outside a sandbox', root, async (t) => {
  const world = await World.make(t, []);
  const doors = [
    ['--dangerously-skip-permissions'],
    ['--allow-dangerously-skip-permissions'],
    ['--permission-mode', 'bypassPermissions'],
    ['--settings', JSON.stringify(bypass)],
  ];
  for (const door of doors) {
    const said = await print(world, ['go', ...door]);
    assert.match(said.err, refusal, `${door}`);
    assert.equal(said.code, 1);
  }
  mkdirSync(join(world.home, '.claude'));
  writeFileSync(join(world.home, '.claude/settings.json'), JSON.stringify(bypass));
  assert.match((await print(world, ['go'])).err, refusal);
});

test('nor does a client later', root, async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch x' }), call('Bash', { command: 'touch y' }), text('Done.')]);
  mkdirSync(join(world.cwd, '.claude'));
  world.file('.claude/settings.json', JSON.stringify(bypass)); // of a folder that nobody trusts
  const wire = new Wire(world, ['--permission-prompt-tool', 'stdio']);
  await assert.rejects(wire.ask('set_permission_mode', { mode: 'bypassPermissions' }), /not launched with/);
  const turn = wire.turn('go');
  const mode = { type: 'setMode', mode: 'bypassPermissions', destination: 'session' };
  const seen = new Set();
  for (const command of ['touch x', 'touch y']) {
    const asked = await wire.until((m) => m.request?.subtype === 'can_use_tool' && !seen.has(m.request_id));
    seen.add(asked.request_id);
    const response = { behavior: 'allow', updatedInput: { command }, updatedPermissions: [mode] };
    wire.send({ type: 'control_response', response: { subtype: 'success', request_id: asked.request_id, response } });
  }
  assert.equal((await turn).result, 'Done.');
  assert.ok(wire.messages.filter((m) => m.subtype === 'init').every((m) => m.permissionMode === 'default'));
  await wire.end();
});
