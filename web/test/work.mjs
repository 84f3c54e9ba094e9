// What runs, waits, was stopped or lost: the states of calls, of tasks beside the conversation, and of
// turns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { Conversation } = await load('model/conversation.ts');

/** A conversation that numbers its events itself, one second apart. */
function start() {
  const conversation = new Conversation();
  let seq = 0;
  const emit = (event) => conversation.add([{ seq: (seq += 1), time: seq * 1000, event }]);
  const agent = (message) =>
    emit({ kind: 'agent', message: { parent_tool_use_id: null, ...message } });
  return {
    conversation,
    emit,
    agent,
    system: (subtype, more) => agent({ type: 'system', subtype, ...more }),
    call: (messageId, id, name, input = {}, parent = null) =>
      agent({
        type: 'assistant',
        parent_tool_use_id: parent,
        message: { id: messageId, content: [{ type: 'tool_use', id, name, input }] },
      }),
    result: (id, content = 'ok', more = {}, isError = false) =>
      agent({
        type: 'user',
        message: {
          content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }],
        },
        ...more,
      }),
    end: (more = {}) =>
      agent({ type: 'result', subtype: 'success', is_error: false, duration_ms: 10, ...more }),
    tool: (id) => conversation.tool(id),
    markers: () =>
      conversation.items.flatMap((item) => (item.kind === 'marker' ? [item.marker] : [])),
  };
}

test('of calls made together, what changes something waits for those before it', () => {
  const session = start();
  session.call('m', 'a', 'Bash');
  session.call('m', 'b', 'Bash');
  assert.deepEqual([session.tool('a').waits, session.tool('b').waits], [false, true]);
  session.result('a');
  assert.equal(session.tool('b').waits, false);
  // Its time begins when its turn comes.
  assert.equal(session.tool('b').time, 3000);
});

test('what only looks runs side by side', () => {
  const session = start();
  for (const id of ['a', 'b']) session.call('m', id, 'Read');
  session.call('m', 'c', 'Edit');
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => session.tool(id).waits),
    [false, false, true],
  );
  for (const id of ['a', 'b']) session.result(id);
  assert.equal(session.tool('c').waits, false);
});

test('a command in the background runs on after its turn, and its end is told once', () => {
  const session = start();
  session.emit({ kind: 'prompt', client_id: 'p', content: 'go', by: 'page' });
  session.call('m', 'a', 'Bash', { command: 'sleep 9', run_in_background: true });
  session.system('background_tasks_changed', { tasks: [{ task_id: 't' }] });
  session.system('task_started', {
    task_id: 't',
    tool_use_id: 'a',
    description: 'Sleep',
    is_backgrounded: true,
    task_type: 'local_bash',
  });
  session.result('a', 'Command running in background');
  session.end();
  assert.deepEqual(
    session.conversation.tasks.map(({ kind, status }) => [kind, status]),
    [['command', 'running']],
  );
  session.system('task_updated', { task_id: 't', patch: { status: 'completed' } });
  session.system('task_notification', { task_id: 't', tool_use_id: 'a', status: 'completed' });
  session.system('background_tasks_changed', { tasks: [] });
  assert.deepEqual(session.conversation.tasks, []);
  assert.equal(session.tool('a').task.status, 'completed');
  assert.deepEqual(session.markers(), ['task']);
  // The turn that follows is the agent's own, and says why.
  session.system('init', { model: 'm' });
  assert.deepEqual(session.markers(), ['woke']);
});

test('a turn that somebody asked for is not called the agent’s own', () => {
  const session = start();
  session.system('task_started', { task_id: 't', is_backgrounded: true, task_type: 'local_bash' });
  session.system('task_notification', { task_id: 't', status: 'failed' });
  session.emit({ kind: 'prompt', client_id: 'p', content: 'go', by: 'page' });
  session.system('init', { model: 'm' });
  assert.deepEqual(session.markers(), ['task']);
});

test('the calls of a subagent in the background outlive the turn; those of others do not', () => {
  const session = start();
  session.call('m', 'a', 'Agent', { prompt: 'x' });
  session.system('task_started', {
    task_id: 't',
    tool_use_id: 'a',
    is_backgrounded: true,
    task_type: 'local_agent',
  });
  session.result('a', 'Async agent launched');
  session.call('n', 'inner', 'Read', {}, 'a');
  session.call('o', 'other', 'Bash');
  session.end();
  assert.equal(session.tool('inner').abandoned, false);
  assert.equal(session.tool('other').abandoned, true);
  // With the process everything ends.
  session.emit({ kind: 'state', state: 'ended' });
  assert.equal(session.tool('a').task.status, 'stopped');
  assert.equal(session.tool('inner').abandoned, true);
});

test('an interrupted call was stopped, a denied one was denied, and neither failed', () => {
  const session = start();
  const refusal = "The user doesn't want to proceed with this tool use. STOP what you are doing.";
  session.call('m', 'a', 'Bash');
  session.result('a', refusal, {}, true);
  assert.equal(session.tool('a').stopped, true);
  session.call('n', 'b', 'Bash');
  session.emit({
    kind: 'request',
    request_id: 'r',
    request: { tool_name: 'Bash', tool_use_id: 'b' },
  });
  const answer = { behavior: 'deny', message: 'Use make.' };
  session.emit({ kind: 'resolved', request_id: 'r', answer, reason: 'answered' });
  session.result('b', refusal, {}, true);
  assert.equal(session.tool('b').stopped, false);
  assert.equal(session.tool('b').denial, 'Use make.');
});

test('the time that a person took is not part of the turn', () => {
  const session = start();
  session.emit({ kind: 'request', request_id: 'r', request: { tool_name: 'Bash' } });
  session.emit({ kind: 'request', request_id: 's', request: { tool_name: 'Bash' } });
  for (const request_id of ['r', 's'])
    session.emit({
      kind: 'resolved',
      request_id,
      answer: { behavior: 'allow' },
      reason: 'answered',
    });
  session.end({ duration_ms: 5000 });
  assert.equal(session.conversation.items.at(-1).durationMs, 2000);
});

test('a request that was lost leaves a sign', () => {
  const session = start();
  session.emit({ kind: 'request', request_id: 'r', request: { tool_name: 'Bash' } });
  session.emit({ kind: 'resolved', request_id: 'r', answer: null, reason: 'lost' });
  assert.match(session.conversation.items[0].text, /Bash/);
});

test('the list of what is to do follows from whichever tools keep it', () => {
  const session = start();
  session.call('m', 'a', 'TodoWrite', { todos: [{ content: 'One', status: 'in_progress' }] });
  session.result('a');
  assert.deepEqual(
    session.conversation.todos.map(({ text, status }) => [text, status]),
    [['One', 'in_progress']],
  );
  const other = start();
  other.call('m', 'a', 'TaskCreate', { subject: 'Build' });
  other.result('a', 'Task #1 created', {
    tool_use_result: { task: { id: '1', subject: 'Build' } },
  });
  other.call('m', 'b', 'TaskUpdate', { taskId: '1', status: 'completed' });
  other.result('b');
  assert.deepEqual(
    other.conversation.todos.map(({ id, text, status }) => [id, text, status]),
    [['1', 'Build', 'completed']],
  );
  // A call that failed has changed nothing.
  other.call('m', 'c', 'TaskUpdate', { taskId: '1', status: 'deleted' });
  other.result('c', 'no', {}, true);
  assert.equal(other.conversation.todos.length, 1);
});

test('what a command of the agent prints keeps its lines, unless it is markdown', () => {
  const session = start();
  const say = (id, text) =>
    session.agent({
      type: 'assistant',
      message: { id, model: '<synthetic>', content: [{ type: 'text', text }] },
    });
  session.emit({ kind: 'prompt', client_id: 'p', content: '/cost', by: 'page' });
  say('m', 'Total cost: $1\nTotal duration: 2s');
  session.end();
  session.emit({ kind: 'prompt', client_id: 'q', content: '/context', by: 'page' });
  say('n', '## Context\n\n| a | b |');
  const texts = session.conversation.items.filter(({ kind }) => kind === 'text');
  assert.deepEqual(
    texts.map(({ plain }) => plain),
    [true, false],
  );
});
