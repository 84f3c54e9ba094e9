// What hooks do at the start and the end of a session, as the real CLI 2.1.325 does it; see
// agent_sdk.sh.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Prompts, Wire, World, print, text } from './support.mjs';

const command = (line) => [{ hooks: [{ type: 'command', command: line }] }];
const settings = (hooks) => JSON.stringify({ hooks });
const at_start = (more) =>
  settings({
    SessionStart: command(
      `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', ...more } })}'`,
    ),
  });

test('a hook says the first words of a session', async (t) => {
  const world = await World.make(t, [text('To the hook.'), text('To the user.'), text('Again.')]);
  const heard = [];
  const hooks = { UserPromptSubmit: [{ hooks: [async ({ prompt }) => (heard.push(prompt), {})] }] };
  const words = at_start({ initialUserMessage: 'first words', sessionTitle: 'Mine' });
  const prompts = new Prompts();
  prompts.send('my words');
  const run = await world.run(prompts, { settings: words, hooks }, (message) => {
    if (message.result === 'To the user.') prompts.end();
  });
  assert.deepEqual(run.of('result').map((m) => m.result), ['To the hook.', 'To the user.']);
  assert.equal(run.of('system', 'session_title_changed')[0].title, 'Mine');
  // Here the agent waits for `initialize`; the real CLI does not always, and its hooks then hear less.
  assert.deepEqual(heard, ['first words', 'my words']);
  const none = await world.run('go', { settings: at_start({ initialUserMessage: '' }) });
  assert.deepEqual(none.of('result').map((m) => m.result), ['Again.']);
});

test('the first words of a hook need no prompt, and text shows every answer', async (t) => {
  const world = await World.make(t, [text('One.'), text('Two.'), text('Three.')]);
  const words = at_start({ initialUserMessage: 'first words' });
  assert.equal((await print(world, ['--settings', words])).out, 'One.\n');
  assert.equal((await print(world, ['go', '--settings', words])).out, 'Two.\n\nThree.\n');
  const nothing = await print(world, ['--settings', at_start({})]);
  assert.match(nothing.err, /^Error: Input must be provided/);
});

test('a session without a prompt starts and ends as well', async (t) => {
  const world = await World.make(t, []);
  const events = { SessionStart: command('cat > start'), SessionEnd: command('cat > end') };
  const wire = new Wire(world, ['--settings', settings(events)]);
  await wire.end();
  const [start, end] = ['start', 'end'].map((name) => JSON.parse(world.read(name)));
  assert.equal(start.source, 'startup');
  assert.equal(end.reason, 'other');
  for (const input of [start, end]) assert.ok(!('prompt_id' in input || 'permission_mode' in input));
});
