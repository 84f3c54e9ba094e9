// Subagents and work in the background, as the SDK sees them; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Prompts, Wire, World, call, sdk, text } from './support.mjs';

const checker = { description: 'Checks things', prompt: 'You check.', tools: ['Read', 'Bash'], model: 'haiku' };
const agentCall = (prompt, more = {}) =>
  call('Agent', { subagent_type: 'general-purpose', description: 'Find it', prompt, ...more });
const first = (pattern, turn) => ({ when_first: pattern, ...turn });

/** A file of an agent, in a folder below `.claude`. */
function agentFile(root, name, head, body) {
  mkdirSync(join(root, '.claude/agents'), { recursive: true });
  writeFileSync(join(root, '.claude/agents', `${name}.md`), `---\n${head}\n---\n${body}\n`);
}

test('supportedAgents: built in, of files, of the options', async (t) => {
  const world = await World.make(t, [text('Hello.')]);
  agentFile(world.cwd, 'ours', 'name: ours\ndescription: Of the project\nmodel: haiku', 'P');
  agentFile(world.home, 'mine', 'name: mine\ndescription: "Mine: really"', 'P');
  const prompts = new Prompts();
  const query = world.query(prompts, { agents: { checker }, settingSources: ['user', 'project'] });
  prompts.send('hi');
  const agents = await query.supportedAgents();
  const named = Object.fromEntries(agents.map((a) => [a.name, a]));
  assert.deepEqual(Object.keys(named).filter((n) => ['checker', 'mine', 'ours'].includes(n)), ['checker', 'mine', 'ours']);
  assert.ok(named['general-purpose'] && named.Explore && named.Plan);
  assert.equal(named.mine.description, 'Mine: really');
  assert.equal(named.ours.model, 'haiku');
  for await (const message of query) {
    if (message.subtype === 'init') assert.ok(message.agents.includes('checker') && message.tools.includes('Task'));
    if (message.type === 'result') prompts.end();
  }
});

test('a custom agent: its prompt, its model, its tools', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB check', { subagent_type: 'checker', run_in_background: false })),
    first('SUB', text('All is well.')),
    first('main', text('Done.')),
  ]);
  const run = await world.run('main job', { agents: { checker } });
  assert.equal(run.result.result, 'Done.');
  const [, sub, after] = world.requests();
  assert.match(sub.model, /haiku/);
  assert.match(JSON.stringify(sub.system), /You check\./);
  assert.deepEqual(sub.tools.map((tool) => tool.name).sort(), ['Bash', 'Read']);
  assert.match(JSON.stringify(after.messages.at(-1)), /All is well\./);
  assert.ok(Object.keys(run.result.modelUsage).some((name) => name.includes('haiku')));
  const [started] = run.of('system', 'task_started');
  const [ended] = run.of('system', 'task_notification');
  assert.equal(started.subagent_type, 'checker');
  assert.equal(ended.status, 'completed');
  assert.equal(ended.task_id, started.task_id);
});

test('a subagent with tools and permissions', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB make', { run_in_background: false })),
    first('SUB', call('Bash', { command: 'touch made.txt', description: 'make it' })),
    first('SUB', call('Bash', { command: 'touch refused.txt', description: 'refuse it' })),
    first('SUB', text('Made one.')),
    first('main', text('Done.')),
  ]);
  const asked = [];
  const run = await world.run('main job', {
    canUseTool: async (tool, input, { agentID }) => {
      asked.push([tool, agentID]);
      return input.command.includes('refused')
        ? { behavior: 'deny', message: 'no' }
        : { behavior: 'allow', updatedInput: input };
    },
  });
  assert.equal(run.result.result, 'Done.');
  assert.ok(existsSync(world.file('made.txt')) && !existsSync(world.file('refused.txt')));
  const [{ task_id: id, tool_use_id: parent }] = run.of('system', 'task_started');
  assert.deepEqual(asked, [['Bash', id], ['Bash', id]]);
  const below = run.messages.filter((m) => m.parent_tool_use_id === parent);
  assert.deepEqual(below.map((m) => m.type), ['user', 'assistant', 'user', 'assistant', 'user']);
  assert.equal(run.result.permission_denials.length, 1);
  const kept = await world.withConfig(() =>
    sdk.getSubagentMessages(run.init.session_id, id, { dir: world.cwd }));
  assert.ok(kept.length >= 5, 'its own transcript is where the SDK looks for it');
});

test('the text of subagents is forwarded on request', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB say', { run_in_background: false })),
    first('SUB', text('My words.')),
    first('main', text('Done.')),
  ]);
  const run = await world.run('main job', { forwardSubagentText: true });
  const words = run.of('assistant').filter((m) => m.parent_tool_use_id).map((m) => m.message.content[0].text);
  assert.deepEqual(words, ['My words.']);
});

test('hooks of subagents', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB work', { run_in_background: false })),
    first('SUB', text('Not yet.')),
    first('SUB', text('Now.')),
    first('main', text('Done.')),
  ]);
  const heard = [];
  const hook = (answer) => [{ hooks: [async (input) => {
    heard.push([input.hook_event_name, input.agent_type, input.last_assistant_message]);
    return answer(input);
  }] }];
  const run = await world.run('main job', {
    hooks: {
      SubagentStart: hook(() => ({ hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'EXTRA' } })),
      SubagentStop: hook((input) => (input.stop_hook_active ? {} : { decision: 'block', reason: 'go on' })),
    },
  });
  assert.equal(run.result.result, 'Done.');
  assert.deepEqual(heard, [
    ['SubagentStart', 'general-purpose', undefined],
    ['SubagentStop', 'general-purpose', 'Not yet.'],
    ['SubagentStop', 'general-purpose', 'Now.'],
  ]);
  const [, sub, again] = world.requests();
  assert.match(JSON.stringify(sub.system), /EXTRA/);
  assert.match(JSON.stringify(again.messages), /go on/);
});

test('two subagents at once, told apart', async (t) => {
  const two = {
    content: [...agentCall('ONE x', { run_in_background: false }).content,
      ...agentCall('TWO x', { run_in_background: false }).content],
  };
  const world = await World.make(t, [
    first('main', two),
    first('ONE', call('Bash', { command: 'echo one', description: 'one' })),
    first('TWO', call('Bash', { command: 'echo two', description: 'two' })),
    first('ONE', text('One.')),
    first('TWO', text('Two.')),
    first('main', text('Done.')),
  ]);
  const run = await world.run('main job');
  assert.equal(run.result.result, 'Done.');
  for (const started of run.of('system', 'task_started')) {
    const own = started.prompt.startsWith('ONE') ? 'one' : 'two';
    const commands = run.of('assistant').filter((m) => m.agent_id === started.task_id)
      .flatMap((m) => m.message.content).filter((b) => b.type === 'tool_use').map((b) => b.input.description);
    assert.deepEqual(commands, [own]);
  }
});

test('a background agent: the turn goes on, its end starts another', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB look')),
    first('SUB', text('Found.')),
    first('main', text('Started.')),
    first('main', text('Noted.')),
  ]);
  const prompts = new Prompts();
  prompts.send('main job');
  const results = [];
  const tasks = [];
  for await (const message of world.query(prompts)) {
    if (message.type === 'result') results.push(message);
    if (message.subtype === 'background_tasks_changed') tasks.push(message.tasks.length);
    if (results.length === 2) prompts.end();
  }
  assert.deepEqual(results.map((r) => r.result), ['Started.', 'Noted.']);
  assert.equal(results[1].origin.kind, 'task-notification');
  assert.deepEqual(tasks, [1, 0]);
  assert.match(JSON.stringify(world.requests().at(-1).messages.at(-1)), /Found\./);
});

test('stopTask ends a background agent', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB look')),
    first('SUB', { ...text('Never whole.'), hang_after: 2 }),
    first('main', text('Started.')),
    first('main', text('Saw it stop.')),
  ]);
  const prompts = new Prompts();
  prompts.send('main job');
  const query = world.query(prompts);
  const results = [];
  let id;
  let ended;
  for await (const message of query) {
    if (message.subtype === 'task_started') id = message.task_id;
    if (message.subtype === 'task_notification') ended = message;
    if (message.type !== 'result') continue;
    results.push(message.result);
    if (results.length === 1) await query.stopTask(id);
    else prompts.end();
  }
  assert.deepEqual(results, ['Started.', 'Saw it stop.']);
  assert.equal(ended.task_id, id);
  assert.equal(ended.status, 'stopped');
});

test('background commands: their end is told, and they can be stopped', async (t) => {
  const world = await World.make(t, [
    call('Bash', { command: 'echo $$ > pid; while :; do sleep 0.1; done', description: 'Job', run_in_background: true }),
    text('Started.'),
    text('After.'),
  ]);
  const prompts = new Prompts();
  prompts.send('go');
  const query = world.query(prompts, {
    canUseTool: async (tool, input) => ({ behavior: 'allow', updatedInput: input }),
  });
  let task;
  const statuses = [];
  for await (const message of query) {
    if (message.subtype === 'task_started') task = message;
    if (message.subtype === 'task_notification') statuses.push(message.status);
    if (message.type !== 'result') continue;
    if (message.result === 'Started.') {
      await query.stopTask(task.task_id);
      prompts.send('and now?');
    } else prompts.end();
  }
  assert.equal(task.task_type, 'local_bash');
  assert.deepEqual(statuses, ['stopped']);
  const pid = Number(world.read('pid'));
  assert.throws(() => process.kill(pid, 0), 'the command is gone');
});

test('a call that waits for an agent is sent to the background', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB look', { run_in_background: false })),
    first('SUB', { ...text('Never whole.'), hang_after: 2 }),
    first('main', text('Moved.')),
    first('main', text('Saw it stop.')),
  ]);
  const wire = new Wire(world);
  const turn = wire.turn('main job');
  const started = await wire.until((m) => m.subtype === 'task_started');
  assert.equal(started.is_backgrounded, false);
  await wire.until((m) => m.type === 'user' && m.agent_id === started.task_id);
  assert.deepEqual(await wire.ask('background_tasks', { tool_use_id: 'nobody' }), { backgrounded: false });
  assert.deepEqual(await wire.ask('background_tasks', { tool_use_id: started.tool_use_id }), { backgrounded: true });
  assert.equal((await turn).result, 'Moved.');
  const moved = wire.messages.find((m) => m.subtype === 'task_updated');
  assert.deepEqual(moved.patch, { is_backgrounded: true });
  await wire.ask('stop_task', { task_id: started.task_id });
  await wire.until((m) => m.type === 'result' && m.result === 'Saw it stop.');
  await wire.end();
});

test('an interrupt takes the subagent along', async (t) => {
  const world = await World.make(t, [
    first('main', agentCall('SUB look', { run_in_background: false })),
    first('SUB', { ...text('Never whole.'), hang_after: 2 }),
    first('main', text('Next.')),
  ]);
  const prompts = new Prompts();
  prompts.send('main job');
  const query = world.query(prompts);
  const seen = [];
  for await (const message of query) {
    if (message.type === 'user' && message.parent_tool_use_id) await query.interrupt();
    if (message.subtype === 'task_notification') seen.push(message.status);
    if (message.type !== 'result') continue;
    seen.push(message.subtype);
    if (message.subtype === 'success') prompts.end();
    else prompts.send('next');
  }
  assert.deepEqual(seen, ['stopped', 'error_during_execution', 'success']);
});

test('an agent is sent on, also by a resumed session', async (t) => {
  const send = { type: 'tool_use', id: 'toolu_send', name: 'SendMessage' };
  const world = await World.make(t, [
    first('main', agentCall('SUB look', { run_in_background: false })),
    first('SUB', text('First.')),
    first('main', text('Done.')),
  ]);
  const run = await world.run('main job');
  const [{ task_id: id }] = run.of('system', 'task_started');
  assert.ok(readdirSync(join(world.home, '.claude/projects'), { recursive: true })
    .some((file) => file.endsWith(`agent-${id}.meta.json`)));
  const later = await World.make(t, [
    { when_last: 'again', content: [{ ...send, input: { to: id, message: 'and more?' } }] },
    { when_first: 'SUB', ...text('Second.') },
    { when_any: 'again', ...text('Sent.') },
    { when_any: 'again', ...text('Noted.') },
  ]);
  later.home = world.home;
  later.cwd = world.cwd;
  const prompts = new Prompts();
  prompts.send('again');
  const results = [];
  for await (const message of later.query(prompts, { resume: run.init.session_id })) {
    if (message.type === 'result') results.push(message.result);
    if (results.length === 2) prompts.end();
  }
  assert.deepEqual(results, ['Sent.', 'Noted.']);
  const sub = later.requests().find((r) => JSON.stringify(r.messages[0]).includes('SUB'));
  assert.deepEqual(sub.messages.map((m) => m.role), ['user', 'assistant', 'user']);
});

test('twenty subagents, each in the middle of a command, end with an interrupt and leave nothing', async (t) => {
  const many = Array.from({ length: 20 }, (_, i) => `SUB-${i}-`);
  const world = await World.make(t, [
    first('main', { content: many.flatMap((name) => agentCall(name, { run_in_background: false }).content) }),
    ...many.map((name) => first(name, call('Bash', {
      command: `echo $$ > ${name}pid; while :; do sleep 0.1; done`, description: name,
    }))),
    first('main', text('Next.')),
  ]);
  const pids = () => readdirSync(world.cwd).filter((file) => file.endsWith('pid'));
  const prompts = new Prompts();
  prompts.send('main job');
  const asked = new Map();
  const query = world.query(prompts, {
    canUseTool: async (tool, input, { agentID }) => {
      asked.set(agentID, input.description);
      return { behavior: 'allow', updatedInput: input };
    },
  });
  const results = [];
  const watch = setInterval(() => {
    if (pids().length < 10) return;
    clearInterval(watch);
    query.interrupt();
  }, 20);
  for await (const message of query) {
    if (message.agent_id && message.type === 'assistant') {
      // Nobody speaks for another.
      const [block] = message.message.content;
      assert.equal(asked.get(message.agent_id) ?? block.input.description, block.input.description);
    }
    if (message.type !== 'result') continue;
    results.push(message.subtype);
    if (results.length === 1) prompts.send('main again');
    else prompts.end();
  }
  assert.deepEqual(results, ['error_during_execution', 'success']);
  for (const file of pids()) {
    const pid = Number(world.read(file));
    assert.throws(() => process.kill(pid, 0), `${file} is gone`);
  }
});
