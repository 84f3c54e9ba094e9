// Small things that clients rely on, each as the real CLI 2.1.325 does it; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { World, call, text } from './support.mjs';

test('an answer above the budget runs no tools', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch a' }), text('Too late.')]);
  const run = await world.run('go', { maxBudgetUsd: 0.00001, allowedTools: ['Bash'] });
  assert.equal(run.result.subtype, 'error_max_budget_usd');
  assert.equal(run.result.num_turns, 1);
  assert.deepEqual(run.toolResults, []);
  assert.ok(!existsSync(world.file('a')));
});

test('an answer within the budget runs them', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch a' }), text('Done.')]);
  const run = await world.run('go', { maxBudgetUsd: 10, allowedTools: ['Bash'] });
  assert.equal(run.result.result, 'Done.');
  assert.ok(existsSync(world.file('a')));
});

test('a call is shown as it is understood', async (t) => {
  const world = await World.make(t, (cwd) => [
    call('Write', { file_path: `${cwd}/a.txt`, content: 'one' }),
    call('Edit', { file_path: `${cwd}/a.txt`, old_string: 'one', new_string: 'two' }),
    call('Edit', { file_path: 5 }),
    text('Done.'),
  ]);
  const run = await world.run('go', { permissionMode: 'acceptEdits' });
  const inputs = run
    .of('assistant')
    .flatMap((m) => m.message.content)
    .filter((block) => block.name === 'Edit')
    .map((block) => block.input);
  assert.equal(inputs[0].replace_all, false);
  assert.deepEqual(inputs[1], { file_path: 5 });
  assert.equal(world.read('a.txt'), 'two');
});

test('output that does not fit the schema is refused with the place', async (t) => {
  const world = await World.make(t, [
    call('StructuredOutput', { n: 'three' }),
    call('StructuredOutput', { n: 3 }),
    text('Done.'),
  ]);
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const run = await world.run('go', { outputFormat: { type: 'json_schema', schema } });
  assert.equal(run.toolResults[0].content, 'Output does not match required schema: /n: must be number');
  assert.deepEqual(run.result.structured_output, { n: 3 });
});

test('what a hook wants asked comes without suggestions', async (t) => {
  const world = await World.make(t, [call('Read', { file_path: '/etc/hostname' }), text('Refused.')]);
  let asked;
  await world.run('go', {
    canUseTool: async (_name, _input, options) => {
      asked = options;
      return { behavior: 'deny', message: 'No.' };
    },
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async () => ({
              systemMessage: 'A word.',
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                permissionDecision: 'ask',
                permissionDecisionReason: 'I want to know.',
              },
            }),
          ],
        },
      ],
    },
  });
  assert.equal(asked.decisionReason, 'I want to know.');
  assert.equal(asked.decisionReasonType, 'hook');
  assert.equal(asked.suggestions, undefined);
});

test('what a hook adds to a call is told to the model', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'ls' }), text('Done.')]);
  const added = { hookEventName: 'PreToolUse', additionalContext: 'It is Sunday.' };
  await world.run('go', { hooks: { PreToolUse: [{ hooks: [async () => ({ hookSpecificOutput: added })] }] } });
  assert.match(JSON.stringify(world.requests().at(-1).messages), /It is Sunday\./);
});

test('words of hooks, and a Stop hook that goes on, are told', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'ls' }), text('One.'), text('Two.')]);
  let stops = 0;
  const run = await world.run('go', {
    hooks: {
      PreToolUse: [{ hooks: [async () => ({ systemMessage: 'A word.' })] }],
      Stop: [{ hooks: [async () => (stops++ ? {} : { decision: 'block', reason: 'Go on.' })] }],
    },
  });
  const [word] = run.of('system', 'informational');
  assert.equal(word.content, 'PreToolUse:Bash says: A word.');
  assert.ok(!('tool_use_id' in word));
  const [note] = run.of('system', 'notification');
  assert.equal(note.key, 'stop-hook-error');
  assert.equal(note.priority, 'immediate');
  assert.equal(run.result.result, 'Two.');
});

test('denials are told, but for files that a rule hides', async (t) => {
  const world = await World.make(t, (cwd) => [
    call('Write', { file_path: `${cwd}/a.txt`, content: 'x' }),
    call('Read', { file_path: '/etc/hostname' }),
    call('Read', { file_path: `${cwd}/secret.txt` }),
    text('Done.'),
  ]);
  world.file('secret.txt', 'x');
  const run = await world.run('go', {
    settings: JSON.stringify({ permissions: { deny: ['Read(./secret.txt)'] } }),
  });
  const told = run.of('system', 'permission_denied');
  assert.deepEqual(
    told.map((m) => [m.tool_name, m.decision_reason_type, m.decision_reason]),
    [
      ['Write', undefined, undefined],
      ['Read', 'workingDir', 'Path is outside allowed working directories'],
    ],
  );
  assert.match(run.toolResults[2].content, /^<tool_use_error>File is in a directory that is denied/);
  const kinds = run.of('user').map((m) => m.tool_result_meta?.[0].non_execution_kind);
  assert.deepEqual(kinds, ['user-rejected', 'user-rejected', undefined]);
  assert.equal(run.result.permission_denials.length, 3);
});

/** A run in which a hook says this of the prompt. */
async function submitted(t, said) {
  const world = await World.make(t, [text('Answered.')]);
  const run = await world.run('my words', {
    hooks: { UserPromptSubmit: [{ hooks: [async () => said] }] },
  });
  return { run, asked: world.requests().length };
}
const of_prompt = (more) => ({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', ...more } });

test('a prompt that a hook blocks is shown again, unless the hook hides it', async (t) => {
  const { run, asked } = await submitted(t, { decision: 'block', reason: 'Not now.' });
  assert.equal(asked, 0);
  const [told] = run.of('system', 'informational');
  assert.match(told.content, /^UserPromptSubmit operation blocked by hook:\nNot now\.\n\nOriginal prompt: my words$/);
  assert.deepEqual(told.prompt_submit_outcome, {
    kind: 'blocked_by_hook',
    prompt_kept: false,
    reason: 'Not now.',
  });
  assert.equal(run.result.result, told.content);
  const hidden = await submitted(t, {
    decision: 'block',
    reason: 'Not now.',
    ...of_prompt({ suppressOriginalPrompt: true }),
  });
  assert.equal(hidden.run.result.result, 'UserPromptSubmit operation blocked by hook:\nNot now.');
});

test('a hook stops before the first answer', async (t) => {
  const { run, asked } = await submitted(t, { continue: false, stopReason: 'Enough.' });
  assert.equal(asked, 0);
  assert.equal(run.result.result, 'Operation stopped by hook: Enough.');
  assert.equal(run.of('system', 'informational')[0].prompt_submit_outcome.kind, 'stopped_by_hook');
});

test('a hook gives the session a title and says a word', async (t) => {
  const { run } = await submitted(t, { systemMessage: 'A word.', ...of_prompt({ sessionTitle: 'Mine' }) });
  assert.equal(run.of('system', 'session_title_changed')[0].title, 'Mine');
  assert.equal(run.of('system', 'informational')[0].content, 'UserPromptSubmit says: A word.');
  assert.equal(run.result.result, 'Answered.');
});
