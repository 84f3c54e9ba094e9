// Tool calls that a hook puts off, each as the real CLI 2.1.325 does it; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { World, Wire, call, print, text } from './support.mjs';

const decision = (permissionDecision, more = {}) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
});
/** Options with a hook that decides by the command of a call, and notes what it was asked. */
function deciding(decide, asked = []) {
  const hook = async ({ tool_input, tool_use_id }) => {
    asked.push(tool_use_id);
    return decide(tool_input.command);
  };
  return { hooks: { PreToolUse: [{ hooks: [hook] }] } };
}
const defer = deciding(() => decision('defer', { updatedInput: { command: 'echo never' } }));
const allow = deciding(() => decision('allow'));
const touch = () => call('Bash', { command: 'touch made; echo made it' });
/** What the model was told last; the real CLI puts notes of its own in between. */
const told = (world) => world.requests().at(-1).messages.filter((m) => m.role !== 'system');

/** A session in which a call waits, and its id. */
async function deferred(t, turns) {
  const world = await World.make(t, [touch(), ...turns]);
  const run = await world.run('begin', defer);
  return { world, resume: run.result.session_id, use: run.result.deferred_tool_use };
}

test('a call that a hook defers ends the turn without a result', async (t) => {
  const world = await World.make(t, [touch(), text('Never said.')]);
  const run = await world.run('go', { ...defer, permissionMode: 'acceptEdits' });
  const [block] = run.of('assistant').at(-1).message.content;
  assert.deepEqual(run.result.deferred_tool_use, { id: block.id, name: 'Bash', input: block.input });
  assert.equal(run.result.stop_reason, 'tool_deferred');
  assert.equal(run.result.terminal_reason, 'tool_deferred');
  assert.equal(run.result.subtype, 'success');
  assert.equal(run.result.is_error, false);
  assert.equal(run.result.result, '');
  assert.equal(run.result.num_turns, 1);
  assert.ok(!('api_error_status' in run.result));
  assert.deepEqual(run.toolResults, []);
  assert.ok(!existsSync(world.file('made')));
  assert.equal(world.requests().length, 1);
});

test('a denial counts more than a deferral, and that more than permission', async (t) => {
  const both = (...words) => ({
    hooks: { PreToolUse: words.map((word) => ({ hooks: [async () => decision(word)] })) },
  });
  const world = await World.make(t, [touch(), text('Denied.'), touch()]);
  assert.equal((await world.run('go', both('defer', 'deny'))).result.result, 'Denied.');
  const run = await world.run('go', both('defer', 'allow'));
  assert.equal(run.result.terminal_reason, 'tool_deferred');
});

test('the other calls of an answer are carried out', async (t) => {
  const [one, two] = [call('Bash', { command: 'echo one' }), call('Bash', { command: 'echo two' })];
  const world = await World.make(t, [
    { content: [...one.content, ...two.content] },
    text('Both.'),
    text('And now.'),
  ]);
  const run = await world.run('go', deciding((c) => decision(c === 'echo one' ? 'defer' : 'allow')));
  assert.equal(run.result.deferred_tool_use.id, one.content[0].id);
  assert.deepEqual(run.toolResults.map((block) => block.content), ['two']);
  assert.equal(run.result.num_turns, 2);
  await world.run('next', { ...allow, resume: run.result.session_id });
  const [, calls, results] = told(world);
  assert.deepEqual(calls.content.map((block) => block.id), [one.content[0].id, two.content[0].id]);
  assert.deepEqual(results.content.map((block) => block.content ?? block.text), [
    'two',
    'one',
    'Continue from where you left off.',
  ]);
});

test('a resumed session carries the call out before the prompt', async (t) => {
  const { world, resume, use } = await deferred(t, [text('After it.'), text('The prompt.')]);
  const asked = [];
  const run = await world.run('next', { ...deciding(() => decision('allow'), asked), resume });
  assert.deepEqual(asked, [use.id]);
  assert.deepEqual(run.toolResults.map((block) => block.content), ['made it']);
  assert.ok(existsSync(world.file('made')));
  assert.deepEqual(
    // The real CLI lets a line meant for its transcript slip out.
    run.messages.filter((m) => m.type !== 'attachment').map((m) => m.subtype ?? m.state ?? m.type),
    ['started', 'user', 'init', 'assistant', 'success', 'completed', 'init', 'assistant', 'success'],
  );
  assert.deepEqual(run.of('result').map((m) => [m.result, m.num_turns]), [
    ['After it.', 1],
    ['The prompt.', 1],
  ]);
  const again = await world.run('once more', { ...allow, resume });
  assert.equal(again.of('result').length, 1);
});

test('a resumed session may ask about the call, change it or deny it', async (t) => {
  const asking = await deferred(t, [text('Changed.'), text('The prompt.')]);
  const canUseTool = async () => ({ behavior: 'allow', updatedInput: { command: 'echo changed' } });
  const changed = await asking.world.run('next', { canUseTool, resume: asking.resume });
  assert.equal(changed.toolResults[0].content, 'changed');
  const denying = await deferred(t, [text('Denied.'), text('The prompt.')]);
  const denied = await denying.world.run('next', {
    ...deciding(() => decision('deny', { permissionDecisionReason: 'No.' })),
    resume: denying.resume,
  });
  assert.equal(denied.toolResults[0].content, 'PreToolUse:Bash hook error: No.');
  assert.deepEqual(denied.of('result').map((m) => m.permission_denials.length), [1, 0]);
});

test('a call can be deferred again, and is left behind by the next prompt', async (t) => {
  const { world, resume, use } = await deferred(t, [text('The prompt.'), text('Later.')]);
  const again = await world.run('next', { ...defer, resume });
  const [first, second] = again.of('result');
  assert.deepEqual(first.deferred_tool_use, use);
  assert.equal(first.stop_reason, 'tool_deferred');
  assert.equal(second.result, 'The prompt.');
  const later = await world.run('later', { ...allow, resume });
  assert.deepEqual(later.toolResults, []);
  assert.ok(!existsSync(world.file('made')));
});

test('a deferred call whose tool has gone stays, unless it is to be dropped', async (t) => {
  const { world, resume, use } = await deferred(t, [text('Went on.')]);
  const gone = await world.run('next', { tools: ['Read'], resume });
  for (const result of gone.of('result')) {
    assert.equal(result.is_error, true);
    assert.equal(result.terminal_reason, 'tool_deferred_unavailable');
    assert.deepEqual(result.deferred_tool_use, use);
    assert.match(result.result, /^Bash isn't available, so its deferred call didn't run\./);
  }
  assert.equal(gone.of('result').length, 2);
  assert.equal(world.requests().length, 1);
  const env = { ...world.env, CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL: '1' };
  const dropped = await world.run('next', { tools: ['Read'], resume, env });
  assert.equal(dropped.toolResults[0].is_error, true);
  assert.deepEqual(dropped.of('result').map((m) => m.result), ['', 'Went on.']);
});

test('without a prompt a resumed session only carries the call out', async (t) => {
  const { world, resume } = await deferred(t, [text('After it.')]);
  const flags = ['--resume', resume, '--allowedTools', 'Bash'];
  assert.deepEqual(await print(world, flags), { code: 0, out: 'After it.\n', err: '' });
  const nothing = await print(world, flags);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /no deferred tool/i);
});

test('a prompt in the same session leaves the call behind', async (t) => {
  const world = await World.make(t, [touch(), text('Something else.')]);
  const word = JSON.stringify(decision('defer'));
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: `echo '${word}'` }] }] };
  const wire = new Wire(world, ['--settings', JSON.stringify({ hooks })]);
  assert.equal((await wire.turn('one')).terminal_reason, 'tool_deferred');
  assert.equal((await wire.turn('two')).result, 'Something else.');
  await wire.end();
  const [, , results] = told(world);
  assert.deepEqual(results.content.map((block) => block.type), ['tool_result', 'text']);
  assert.equal(results.content[0].is_error, true);
});
