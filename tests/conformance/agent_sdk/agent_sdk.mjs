// See agent_sdk.sh.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Prompts, World, call, sdk, text } from './support.mjs';

const allow = async (tool, input) => ({ behavior: 'allow', updatedInput: input });
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a query: init, answer, result', async (t) => {
  const world = await World.make(t, [text('Hello.')]);
  const run = await world.run('Say hello');
  assert.equal(run.error, undefined);
  assert.deepEqual(run.messages.map((m) => m.type).filter((x) => x !== 'rate_limit_event'),
    ['system', 'assistant', 'result']);
  assert.equal(run.init.cwd, world.cwd);
  assert.ok(run.init.tools.includes('Bash'));
  assert.equal(run.result.subtype, 'success');
  assert.equal(run.result.result, 'Hello.');
  assert.equal(run.result.num_turns, 1);
  assert.ok(run.result.total_cost_usd > 0);
  assert.equal(run.result.usage.output_tokens, 20);
});

test('streaming input: several turns in one session', async (t) => {
  const world = await World.make(t, [text('One.'), text('Two.')]);
  const prompts = new Prompts();
  prompts.send('first');
  const results = [];
  const query = world.query(prompts);
  for await (const message of query) {
    if (message.type !== 'result') continue;
    results.push(message);
    if (results.length === 1) prompts.send([{ type: 'text', text: 'second' }]);
    else prompts.end();
  }
  assert.deepEqual(results.map((r) => r.result), ['One.', 'Two.']);
  assert.ok(results[1].total_cost_usd > results[0].total_cost_usd);
  assert.equal(world.requests()[1].messages.length, 3);
});

test('partial messages', async (t) => {
  const world = await World.make(t, [text('Streamed words.')]);
  const run = await world.run('go', { includePartialMessages: true });
  const events = run.of('stream_event').map((m) => m.event);
  assert.equal(events[0].type, 'message_start');
  assert.equal(events.at(-1).type, 'message_stop');
  assert.equal(events.filter((e) => e.delta?.text).map((e) => e.delta.text).join(''), 'Streamed words.');
});

test('thinking', async (t) => {
  const world = await World.make(t, [
    { content: [{ type: 'thinking', thinking: 'Let me see.' }, { type: 'text', text: 'Four.' }] },
  ]);
  const run = await world.run('2+2?', { maxThinkingTokens: 2000 });
  assert.deepEqual(run.of('assistant').map((m) => m.message.content[0].type), ['thinking', 'text']);
  assert.equal(run.of('assistant')[0].message.content[0].thinking, 'Let me see.');
});

test('canUseTool allows, with the input as it is', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch made && echo done' }), text('Ok.')]);
  const asked = [];
  const run = await world.run('go', {
    canUseTool: async (tool, input, extra) => {
      asked.push([tool, input.command, extra.toolUseID, extra.suggestions?.length > 0]);
      return { behavior: 'allow', updatedInput: input };
    },
  });
  assert.equal(asked.length, 1);
  assert.deepEqual(asked[0].slice(0, 2), ['Bash', 'touch made && echo done']);
  assert.ok(asked[0][3], 'there are suggestions');
  assert.equal(run.toolResults[0].content, 'done');
  assert.ok(existsSync(world.file('made')));
});

test('canUseTool changes the input', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch a' }), text('Ok.')]);
  await world.run('go', {
    canUseTool: async () => ({ behavior: 'allow', updatedInput: { command: 'touch b' } }),
  });
  assert.ok(!existsSync(world.file('a')));
  assert.ok(existsSync(world.file('b')));
});

test('canUseTool denies with words', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch a' }), text('Sorry.')]);
  const run = await world.run('go', {
    canUseTool: async () => ({ behavior: 'deny', message: 'Not today' }),
  });
  assert.equal(run.toolResults[0].is_error, true);
  assert.equal(run.toolResults[0].content, 'Not today');
  assert.equal(run.result.permission_denials[0].tool_name, 'Bash');
  assert.ok(!existsSync(world.file('a')));
});

test('canUseTool denies and stops', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch a' }), text('Never said.')]);
  const run = await world.run('go', {
    canUseTool: async () => ({ behavior: 'deny', message: 'Stop', interrupt: true }),
  });
  assert.equal(run.result.subtype, 'error_during_execution');
  assert.equal(world.requests().filter((r) => r.tools?.length).length, 1);
});

test('suggestions make the next call unasked', async (t) => {
  const world = await World.make(t, (cwd) => [
    call('Write', { file_path: join(cwd, 'a.txt'), content: 'a\n' }),
    call('Write', { file_path: join(cwd, 'b.txt'), content: 'b\n' }),
    text('Ok.'),
  ]);
  let asked = 0;
  const run = await world.run('go', {
    canUseTool: async (tool, input, { suggestions }) => {
      ++asked;
      return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions };
    },
  });
  assert.equal(run.result.subtype, 'success');
  assert.equal(asked, 1);
  assert.equal(world.read('b.txt'), 'b\n');
});

test('hooks: PreToolUse denies, PostToolUse sees, UserPromptSubmit adds', async (t) => {
  const world = await World.make(t, [
    call('Bash', { command: 'echo one' }),
    call('Bash', { command: 'rm -rf x' }),
    text('Done.'),
  ]);
  const seen = [];
  const run = await world.run('go', {
    hooks: {
      UserPromptSubmit: [{ hooks: [async (input) => {
        seen.push(['prompt', input.prompt]);
        return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'It is Sunday.' } };
      }] }],
      PreToolUse: [{ matcher: 'Bash', hooks: [async (input) => input.tool_input.command.startsWith('rm')
        ? { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no rm' } }
        : { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }] }],
      PostToolUse: [{ hooks: [async (input) => {
        seen.push(['post', input.tool_response.stdout]);
        return {};
      }] }],
      Stop: [{ hooks: [async () => {
        seen.push(['stop']);
        return {};
      }] }],
    },
  });
  assert.deepEqual(seen, [['prompt', 'go'], ['post', 'one'], ['stop']]);
  assert.match(run.toolResults[1].content, /no rm/);
  assert.match(JSON.stringify(world.requests()[0].messages), /It is Sunday/);
});

test('interrupt in the middle of an answer, and on with the next', async (t) => {
  const world = await World.make(t, [{ ...text('A long answer that hangs.'), hang_after: 3 }, text('Back.')]);
  const prompts = new Prompts();
  prompts.send('first');
  const query = world.query(prompts, { includePartialMessages: true });
  const results = [];
  for await (const message of query) {
    if (message.type === 'stream_event' && message.event.type === 'content_block_delta' && !results.length) {
      await query.interrupt();
    }
    if (message.type !== 'result') continue;
    results.push(message);
    if (results.length === 1) prompts.send('second');
    else prompts.end();
  }
  assert.equal(results[0].subtype, 'error_during_execution');
  assert.equal(results[1].result, 'Back.');
});

test('setModel and setPermissionMode', async (t) => {
  const world = await World.make(t, (cwd) => [
    text('One.'),
    call('Write', { file_path: join(cwd, 'w.txt'), content: 'w\n' }),
    text('Two.'),
  ]);
  const prompts = new Prompts();
  prompts.send('first');
  const query = world.query(prompts, { canUseTool: async () => ({ behavior: 'deny', message: 'asked' }) });
  let results = 0;
  for await (const message of query) {
    if (message.type !== 'result') continue;
    if (++results === 1) {
      await query.setModel('claude-haiku-4-5-20251001');
      await query.setPermissionMode('acceptEdits');
      prompts.send('second');
    } else {
      prompts.end();
    }
  }
  assert.equal(world.requests().at(-1).model, 'claude-haiku-4-5-20251001');
  assert.equal(world.read('w.txt'), 'w\n');
});

test('resume, fork and continue; the SDK reads the transcripts', async (t) => {
  const world = await World.make(t, [text('First.'), text('Second.'), text('Forked.'), text('Latest.')]);
  const first = await world.run('remember 7');
  const id = first.init.session_id;
  const second = await world.run('and now?', { resume: id });
  assert.equal(second.init.session_id, id);
  assert.ok(second.result.total_cost_usd > first.result.total_cost_usd);
  assert.match(JSON.stringify(world.requests()[1].messages), /remember 7/);
  const forked = await world.run('elsewhere', { resume: id, forkSession: true });
  assert.notEqual(forked.init.session_id, id);
  const latest = await world.run('on', { continue: true });
  assert.equal(latest.init.session_id, forked.init.session_id);
  await world.withConfig(async () => {
    const sessions = await sdk.listSessions({ dir: world.cwd });
    assert.deepEqual(sessions.map((s) => s.sessionId).sort(), [id, forked.init.session_id].sort());
    const messages = await sdk.getSessionMessages(id, { dir: world.cwd });
    assert.deepEqual(messages.map((m) => m.type), ['user', 'assistant', 'user', 'assistant']);
    const info = await sdk.getSessionInfo(id, { dir: world.cwd });
    assert.equal(info.firstPrompt, 'remember 7');
  });
});

test('a session that is not kept, and one with a fixed id', async (t) => {
  const world = await World.make(t, [text('One.'), text('Two.')]);
  const kept = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
  const run = await world.run('a', { sessionId: kept });
  assert.equal(run.init.session_id, kept);
  const lost = await world.run('b', { persistSession: false });
  await world.withConfig(async () => {
    const ids = (await sdk.listSessions({ dir: world.cwd })).map((s) => s.sessionId);
    assert.deepEqual(ids, [kept]);
    assert.ok(!ids.includes(lost.init.session_id));
  });
});

test('resuming what is not there is an error', async (t) => {
  const world = await World.make(t, []);
  const run = await world.run('a', { resume: 'aaaaaaaa-bbbb-4ccc-8ddd-000000000000' });
  assert.match(`${run.result?.errors} ${run.error?.message}`, /No conversation found/);
});

test('structured output', async (t) => {
  const world = await World.make(t, [call('StructuredOutput', { name: 'Ann', age: 3 })]);
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
  };
  const run = await world.run('who?', { outputFormat: { type: 'json_schema', schema } });
  assert.deepEqual(run.result.structured_output, { name: 'Ann', age: 3 });
});

test('max turns', async (t) => {
  const world = await World.make(t, [
    { ...call('Bash', { command: 'ls' }), repeat: true },
  ]);
  const run = await world.run('go', { maxTurns: 2 });
  assert.equal(run.result.subtype, 'error_max_turns');
  assert.equal(world.requests().length, 2);
});

test('questions', async (t) => {
  const question = {
    question: 'Which colour?', header: 'Colour', multiSelect: false,
    options: [{ label: 'Red', description: 'r' }, { label: 'Blue', description: 'b' }],
  };
  const world = await World.make(t, [call('AskUserQuestion', { questions: [question] }), text('Blue it is.')]);
  const run = await world.run('go', {
    canUseTool: async (tool, input) => ({
      behavior: 'allow',
      updatedInput: { ...input, answers: { 'Which colour?': 'Blue' } },
    }),
  });
  assert.match(JSON.stringify(run.toolResults[0].content), /Which colour\?.*Blue/);
});

test('plan mode: a plan is approved, then edits go on', async (t) => {
  const world = await World.make(t, (cwd) => [
    call('ExitPlanMode', { plan: '1. Write the file' }),
    call('Write', { file_path: join(cwd, 'w.txt'), content: 'planned\n' }),
    text('Done.'),
  ]);
  const asked = [];
  await world.run('go', {
    permissionMode: 'plan',
    canUseTool: async (tool, input) => {
      asked.push(tool);
      return tool === 'ExitPlanMode'
        ? { behavior: 'allow', updatedInput: input,
            updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] }
        : { behavior: 'allow', updatedInput: input };
    },
  });
  assert.deepEqual(asked, ['ExitPlanMode']);
  assert.equal(world.read('w.txt'), 'planned\n');
});

test('dontAsk refuses without asking', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch a' }), text('Refused.')]);
  const run = await world.run('go', { permissionMode: 'dontAsk', canUseTool: allow });
  assert.equal(run.toolResults[0].is_error, true);
  assert.equal(run.result.permission_denials.length, 1);
});

test('allowed and disallowed tools', async (t) => {
  const world = await World.make(t, [
    call('Bash', { command: 'touch a' }),
    call('WebFetch', { url: 'https://example.com', prompt: 'x' }),
    text('Ok.'),
  ]);
  const run = await world.run('go', { allowedTools: ['Bash(touch:*)'], disallowedTools: ['WebFetch'] });
  assert.ok(existsSync(world.file('a')));
  assert.ok(!run.init.tools.includes('WebFetch'));
  assert.match(run.toolResults[1].content, /No such tool available/);
});

test('bypassPermissions', async (t) => {
  const world = await World.make(t, [call('Bash', { command: 'touch a' }), text('Ok.')]);
  await world.run('go', {
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    env: { ...world.env, IS_SANDBOX: '1' },
  });
  assert.ok(existsSync(world.file('a')));
});

test('files: read, edit, and the structured results', async (t) => {
  const world = await World.make(t, (cwd) => [
    call('Read', { file_path: join(cwd, 'a.txt') }),
    call('Edit', { file_path: join(cwd, 'a.txt'), old_string: 'old', new_string: 'new' }),
    text('Ok.'),
  ]);
  world.file('a.txt', 'an old line\n');
  const run = await world.run('go', { permissionMode: 'acceptEdits' });
  assert.equal(world.read('a.txt'), 'an new line\n');
  const results = run.of('user').map((m) => m.tool_use_result);
  assert.equal(results[0].file.content, 'an old line\n');
  assert.deepEqual(results[1].structuredPatch[0].lines, ['-an old line', '+an new line']);
});

test('images in a prompt reach the model', async (t) => {
  const world = await World.make(t, [text('A dot.')]);
  const prompts = new Prompts();
  prompts.send([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: onePixel } },
    { type: 'text', text: 'What is it?' },
  ]);
  prompts.end();
  const run = await world.run(prompts);
  assert.equal(run.result.result, 'A dot.');
  assert.equal(world.requests()[0].messages[0].content[0].source.data, onePixel);
});

test('an API error is a result with is_error', async (t) => {
  const world = await World.make(t, [
    { status: 401, error: { type: 'error', error: { type: 'authentication_error', message: 'bad key' } } },
  ]);
  const run = await world.run('go');
  assert.equal(run.result.is_error, true);
  assert.equal(run.of('assistant')[0].error, 'authentication_failed');
});

test('system prompts: none, own, and appended', async (t) => {
  const world = await World.make(t, [text('1'), text('2'), text('3')]);
  await world.run('a');
  await world.run('b', { systemPrompt: 'You are a pirate.' });
  await world.run('c', { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Speak softly.' } });
  const systems = world.requests().map((r) => JSON.stringify(r.system ?? []));
  assert.doesNotMatch(systems[0], /coding agent/);
  assert.match(systems[1], /You are a pirate/);
  assert.match(systems[2], /coding agent.*Speak softly/s);
});

test('what the session is asked about itself', async (t) => {
  const world = await World.make(t, [text('One.')]);
  const prompts = new Prompts();
  const query = world.query(prompts);
  const init = await query.initializationResult();
  assert.ok(init.models.length > 0);
  assert.ok(Array.isArray(await query.supportedCommands()));
  assert.ok((await query.supportedModels()).length > 0);
  assert.deepEqual(await query.mcpServerStatus(), []);
  prompts.send('go');
  for await (const message of query) if (message.type === 'result') prompts.end();
});
