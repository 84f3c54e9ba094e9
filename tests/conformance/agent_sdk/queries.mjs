// What a client asks a session about itself; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { Prompts, Wire, World, call, text } from './support.mjs';

/** A session that is open while `body` asks it things. */
async function asking(world, options, body) {
  const prompts = new Prompts();
  const query = world.query(prompts, options);
  const results = query[Symbol.asyncIterator]();
  const turn = async (words) => {
    prompts.send(words);
    for (;;) {
      const { value, done } = await results.next();
      if (done || value.type === 'result') return value;
    }
  };
  try {
    await body(query, turn);
  } finally {
    prompts.end();
    while (!(await results.next()).done);
  }
}

test('context usage grows with the conversation', async (t) => {
  const world = await World.make(t, (cwd) => [call('Read', { file_path: join(cwd, 'a.txt') }), text('Read it.')]);
  world.file('a.txt', 'some words\n'.repeat(1000));
  world.file('CLAUDE.md', 'Be brief.\n');
  await asking(world, { settingSources: ['project'], systemPrompt: 'You are brief.' }, async (query, turn) => {
    const before = await query.getContextUsage();
    assert.equal(before.apiUsage, null);
    assert.equal(before.memoryFiles[0].path, world.file('CLAUDE.md'));
    assert.equal(before.memoryFiles[0].type, 'Project');
    await turn('go');
    const after = await query.getContextUsage({ detail: 'summary' });
    assert.ok(after.totalTokens > before.totalTokens + 1000);
    assert.deepEqual(after.categories.map((c) => c.id),
      ['system_prompt', 'system_tools', 'memory_files', 'messages', 'free_space']);
    assert.equal(after.categories.reduce((sum, c) => sum + c.tokens, 0), after.maxTokens);
    assert.equal(after.apiUsage.output_tokens, 20);
    assert.equal(after.messageBreakdown.toolCallsByType[0].name, 'Read');
    assert.ok(after.messageBreakdown.toolResultTokens > 1000);
    assert.equal(after.gridRows.length, 10);
    assert.equal(after.gridRows.flat().length, 200);
    assert.match(JSON.stringify(world.requests()[0].system), /Be brief/);
  });
});

test('usage counts money, time and lines', async (t) => {
  const world = await World.make(t, (cwd) => [
    call('Write', { file_path: join(cwd, 'new.txt'), content: 'one\ntwo\nthree\n' }),
    call('Edit', { file_path: join(cwd, 'new.txt'), old_string: 'two', new_string: 'zwei' }),
    text('Written.'),
  ]);
  await asking(world, { permissionMode: 'acceptEdits' }, async (query, turn) => {
    const result = await turn('go');
    const usage = await query.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET();
    assert.equal(usage.session.total_cost_usd, result.total_cost_usd);
    assert.deepEqual(usage.session.model_usage, result.modelUsage);
    assert.equal(usage.session.total_lines_added, 4);
    assert.equal(usage.session.total_lines_removed, 1);
    assert.equal(usage.rate_limits_available, false);
    assert.equal(usage.rate_limits, null);
  });
});

test('models and the account', async (t) => {
  const world = await World.make(t, []);
  await asking(world, {}, async (query) => {
    const models = await query.supportedModels();
    assert.ok(models.every((model) => model.value && model.displayName && model.resolvedModel));
    assert.deepEqual(await query.accountInfo(),
      { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' });
    assert.ok((await query.supportedAgents()).some((agent) => agent.name === 'general-purpose'));
    assert.deepEqual((await query.reloadOutputStyles()).available_output_styles, ['default']);
  });
});

test('files are read as the Read tool would, and no others', async (t) => {
  const world = await World.make(t, []);
  world.file('text.txt', 'grün\n');
  world.file('secret.txt', 'x');
  writeFileSync(world.file('binary'), Buffer.from([0xff, 0xfe, 0, 65]));
  execFileSync('mkfifo', [world.file('pipe')]);
  await asking(world, { disallowedTools: ['Read(secret.txt)'] }, async (query) => {
    const whole = await query.readFile('text.txt');
    assert.equal(whole.contents, 'grün\n');
    assert.equal(whole.absPath, world.file('text.txt'));
    assert.equal(whole.truncated, undefined);
    // Half a character is none.
    const part = await query.readFile('text.txt', { maxBytes: 3 });
    assert.equal(part.contents, 'gr');
    assert.equal(part.truncated, true);
    const bytes = await query.readFile('binary', { encoding: 'base64' });
    assert.deepEqual([...Buffer.from(bytes.contents, 'base64')], [0xff, 0xfe, 0, 65]);
    assert.equal((await query.readFile('binary')).lossy, true);
    for (const path of ['nowhere', 'secret.txt', '/etc/passwd', '../home', 'pipe', '/dev/zero', '.']) {
      assert.equal(await query.readFile(path), null, path);
    }
  });
});

test('settings change while the session runs', async (t) => {
  const world = await World.make(t, [text('One.'), text('Two.')]);
  await asking(world, { model: 'sonnet' }, async (query, turn) => {
    await turn('one');
    await query.applyFlagSettings({ model: 'haiku' });
    await turn('two');
    const [first, second] = world.requests().map((request) => request.model);
    assert.match(first, /sonnet/);
    assert.match(second, /haiku/);
  });
});

test('settings, hooks and rules are listed with where they are from', async (t) => {
  const world = await World.make(t, []);
  mkdirSync(join(world.cwd, '.claude'));
  const hook = { type: 'command', command: 'true', timeout: 5 };
  world.file('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } }));
  const wire = new Wire(world, ['--allowedTools', 'Bash(ls:*)', '--disallowedTools', 'WebFetch', '--model', 'sonnet']);
  await wire.ask('apply_flag_settings', { settings: { model: 'haiku' } });
  await wire.ask('update_settings', { source: 'localSettings', settings: { outputStyle: 'default' } });
  const settings = await wire.ask('get_settings');
  assert.equal(settings.effective.model, 'haiku');
  assert.deepEqual(settings.sources.map((s) => s.source), ['projectSettings', 'localSettings', 'flagSettings']);
  assert.match(settings.applied.model, /haiku/);
  const hooks = await wire.ask('get_hooks_listing');
  assert.deepEqual(hooks.events.map((e) => [e.name, e.hookCount]), [['PreToolUse', 1]]);
  assert.deepEqual(hooks.hooks[0].editable, { matcher: 'Bash', config: hook });
  // No event is listed that never happens.
  assert.deepEqual(hooks.eventCatalog.map((e) => e.name), [
    'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart', 'Stop', 'SubagentStart', 'SubagentStop',
    'TaskCreated', 'TaskCompleted', 'SessionEnd',
    'PermissionRequest',
  ]);
  await wire.ask('register_repo_root', { directory: world.home });
  await assert.rejects(wire.ask('register_repo_root', { directory: 'nowhere' }), /no folder/);
  const { state } = await wire.ask('list_permission_rules');
  assert.deepEqual(state.rules.map((r) => [r.behavior, r.rule, r.source]),
    [['allow', 'Bash(ls:*)', 'cliArg'], ['deny', 'WebFetch', 'cliArg']]);
  assert.deepEqual(state.workspaceDirectories.map((d) => d.path), [world.home]);
  assert.match((await wire.ask('get_session_cost')).text, /^Total cost: +\$0\.0000$/m);
  assert.equal(await wire.end(), 0);
});

test('files are suggested for what was typed', async (t) => {
  const world = await World.make(t, []);
  mkdirSync(join(world.cwd, 'sub'));
  world.file('sub/notes_of_mine.txt', '');
  world.file('other.txt', '');
  const wire = new Wire(world);
  const suggest = async (query) =>
    (await wire.ask('file_suggestions', { query })).suggestions.map((s) => s.path);
  assert.deepEqual(await suggest('ntsmine'), ['sub/notes_of_mine.txt']);
  assert.deepEqual(await suggest(''), ['other.txt', 'sub/']);
  assert.deepEqual(await suggest('sub/'), ['sub/notes_of_mine.txt']);
  assert.deepEqual(await suggest('zzz'), []);
  assert.equal(await wire.end(), 0);
});
