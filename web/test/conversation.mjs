import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { Conversation } = await load('model/conversation.ts');
const { allow, answerQuestions, deny, questionsOf } = await load('model/answers.ts');
const { suggestionLabel } = await load('model/suggestions.ts');

/** A conversation that numbers its events itself. */
function start() {
  const conversation = new Conversation();
  let seq = 0;
  const emit = (event) => conversation.add([{ seq: (seq += 1), time: seq * 1000, event }]);
  return {
    conversation,
    emit,
    agent: (message) => emit({ kind: 'agent', message: { parent_tool_use_id: null, ...message } }),
    prompt: (client_id, content) => emit({ kind: 'prompt', client_id, content, by: 'page' }),
  };
}

const kinds = ({ conversation }) => conversation.items.map((item) => item.kind);
const text = (id, words) => ({
  type: 'assistant',
  message: { id, content: [{ type: 'text', text: words }] },
});
const delta = (words, index = 0) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } },
});
const begin = (id) => ({ type: 'stream_event', event: { type: 'message_start', message: { id } } });
const open = (index = 0) => ({
  type: 'stream_event',
  event: { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
});
const result = (more = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  total_cost_usd: 0.5,
  duration_ms: 10,
  ...more,
});

test('deltas grow one item that the whole message finishes', () => {
  const it = start();
  it.agent(begin('m'));
  it.agent(open());
  it.agent(delta('Hel'));
  it.agent(delta('lo'));
  const [item] = it.conversation.items;
  assert.deepEqual([item.text, item.streaming], ['Hello', true]);
  it.agent(text('m', 'Hello!'));
  assert.equal(it.conversation.items.length, 1);
  assert.deepEqual([item.text, item.streaming], ['Hello!', false]);
});

test('a page that joins in the middle of a block ends with the whole block', () => {
  const it = start();
  it.agent(delta('of a text', 2));
  assert.equal(it.conversation.items[0].text, 'of a text');
  it.agent(text('m', 'The end of a text'));
  assert.deepEqual(
    it.conversation.items.map((item) => item.text),
    ['The end of a text'],
  );
});

test('an event that comes twice counts once', () => {
  const it = start();
  const event = {
    seq: 1,
    time: 0,
    event: { kind: 'agent', message: { ...text('m', 'once'), parent_tool_use_id: null } },
  };
  it.conversation.add([event]);
  it.conversation.add([event, event]);
  assert.equal(it.conversation.items.length, 1);
});

test('what is sent during a turn waits until the agent takes it up', () => {
  const it = start();
  it.prompt('a', 'first');
  it.emit({ kind: 'state', state: 'running' });
  it.prompt('b', 'second');
  it.prompt('c', 'third');
  assert.deepEqual(
    it.conversation.queue.map((entry) => entry.clientId),
    ['b', 'c'],
  );
  it.emit({ kind: 'taken_back', client_id: 'c' });
  it.agent({ type: 'command_lifecycle', command_uuid: 'b', state: 'started' });
  assert.deepEqual(it.conversation.queue, []);
  assert.deepEqual(kinds(it), ['prompt', 'prompt']);
});

test('an agent that has just started takes up what was sent before; the next message waits', () => {
  const it = start();
  it.emit({ kind: 'state', state: 'starting' });
  it.prompt('a', 'first');
  it.emit({ kind: 'state', state: 'idle' });
  it.prompt('b', 'second');
  assert.deepEqual(kinds(it), ['prompt']);
  assert.equal(it.conversation.queue.length, 1);
  it.agent({ type: 'user', uuid: 'b', isReplay: true, message: { content: 'second' } });
  assert.deepEqual(kinds(it), ['prompt', 'prompt']);
});

test('the cost of a resumed session goes on from before', () => {
  const it = start();
  it.agent(result({ total_cost_usd: 0.5 }));
  it.emit({ kind: 'state', state: 'ended', detail: { reason: 'the server stopped' } });
  it.emit({ kind: 'state', state: 'starting' });
  it.emit({ kind: 'state', state: 'idle' });
  it.agent(result({ total_cost_usd: 0.2 }));
  assert.equal(it.conversation.facts.costUsd, 0.7);
  assert.deepEqual(kinds(it), ['turn', 'marker', 'turn']);
  assert.equal(it.conversation.items[2].costUsd.toFixed(2), '0.20');
});

test('an agent without lifecycle messages takes up what waits with its next turn', () => {
  const it = start();
  it.prompt('a', 'first');
  it.emit({ kind: 'state', state: 'running' });
  it.prompt('b', 'second');
  it.agent(result());
  it.agent({ type: 'system', subtype: 'init', model: 'm', permissionMode: 'plan' });
  assert.deepEqual(kinds(it), ['prompt', 'turn', 'prompt']);
  assert.equal(it.conversation.facts.mode, 'plan');
});

test('tool results find their call, also inside a subagent', () => {
  const it = start();
  it.agent({
    type: 'assistant',
    message: { id: 'm', content: [{ type: 'tool_use', id: 't1', name: 'Task', input: {} }] },
  });
  it.agent({
    type: 'assistant',
    parent_tool_use_id: 't1',
    message: { id: 'n', content: [{ type: 'tool_use', id: 't2', name: 'Read', input: {} }] },
  });
  const [task] = it.conversation.items;
  const { version } = task;
  it.agent({
    type: 'user',
    parent_tool_use_id: 't1',
    message: { content: [{ type: 'tool_result', tool_use_id: 't2', content: 'x' }] },
  });
  assert.equal(task.children[0].result.content, 'x');
  assert.ok(task.version > version, 'a change inside redraws the outer row');
});

test('a turn ends with its cost, its files, and nothing left running', () => {
  const it = start();
  it.agent({
    type: 'assistant',
    message: {
      id: 'm',
      content: [
        { type: 'tool_use', id: 't1', name: 'Edit', input: {} },
        { type: 'tool_use', id: 't2', name: 'Bash', input: {} },
      ],
    },
  });
  it.agent({
    type: 'user',
    tool_use_result: {
      filePath: '/f',
      structuredPatch: [{ oldStart: 1, newStart: 1, lines: ['+a'] }],
    },
    message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
  });
  it.agent(result());
  const [, bash, turn] = it.conversation.items;
  assert.equal(bash.abandoned, true);
  assert.deepEqual(turn.files, [{ path: '/f', toolId: 't1', added: 1, removed: 0 }]);
  assert.equal(turn.costUsd, 0.5);
  it.agent(result({ total_cost_usd: 0.75 }));
  assert.equal(it.conversation.items.at(-1).costUsd, 0.25);
});

test('an API error is shown once, as a failure', () => {
  const it = start();
  it.agent(text('m', 'API Error: 500'));
  it.agent(result({ is_error: true, result: 'API Error: 500' }));
  assert.deepEqual(kinds(it), ['failure', 'turn']);
});

test('an interrupt is a quiet line, not a failure', () => {
  const it = start();
  it.agent({
    type: 'user',
    message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
  });
  it.agent(result({ subtype: 'error_during_execution', is_error: true }));
  assert.deepEqual(kinds(it), ['marker', 'turn']);
});

test('a dead agent says why, and asks nothing any more', () => {
  const it = start();
  it.emit({ kind: 'request', request_id: 'r', request: { tool_name: 'Bash', input: {} } });
  it.emit({
    kind: 'state',
    state: 'failed',
    detail: { exit_code: 1, signal: null, stderr: 'boom' },
  });
  assert.equal(it.conversation.pending.size, 0);
  assert.equal(it.conversation.items[0].detail.stderr, 'boom');
});

test('requests wait until they are resolved', () => {
  const it = start();
  it.emit({ kind: 'request', request_id: 'r1', request: { tool_name: 'Bash', input: {} } });
  it.emit({ kind: 'request', request_id: 'r2', request: { tool_name: 'Edit', input: {} } });
  it.emit({ kind: 'resolved', request_id: 'r1', answer: null, reason: 'withdrawn' });
  assert.deepEqual([...it.conversation.pending.keys()], ['r2']);
});

test('strange messages do no harm', () => {
  const it = start();
  for (const message of [
    { type: 'brand_new' },
    { type: 'assistant' },
    { type: 'assistant', message: { content: [{ type: 'hologram' }, null, 7] } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'nobody' }] } },
    {
      type: 'stream_event',
      event: { type: 'content_block_start', content_block: { type: 'hologram' } },
    },
    { type: 'stream_event' },
    { type: 'system', subtype: 'from_the_future' },
  ]) {
    it.agent(message);
  }
  assert.deepEqual(it.conversation.items, []);
});

test('answers have the shape that the agent wants', () => {
  const request = {
    tool_name: 'AskUserQuestion',
    input: {
      questions: [
        { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }], multiSelect: true },
      ],
    },
  };
  assert.deepEqual(
    answerQuestions(request, new Map([['Which?', ['A', 'B']]])).updatedInput.answers,
    { 'Which?': 'A, B' },
  );
  assert.equal(questionsOf({ questions: [{ question: 5 }, 'x'] }).length, 0);
  assert.deepEqual(allow(), { behavior: 'allow' });
  assert.deepEqual(deny('no', true), { behavior: 'deny', message: 'no', interrupt: true });
  assert.equal(
    suggestionLabel({
      type: 'addRules',
      behavior: 'allow',
      rules: [{ toolName: 'Bash', ruleContent: 'ls *' }],
    }),
    'Always allow Bash(ls *)',
  );
  assert.equal(
    suggestionLabel({ type: 'setMode', mode: 'acceptEdits' }),
    'Allow, and switch to “Accept edits”',
  );
});

test('how much the context holds is not guessed before a turn has said so', () => {
  const it = start();
  it.agent({ type: 'assistant', message: { id: 'm', content: [], usage: { input_tokens: 3000 } } });
  const facts = it.conversation.facts;
  assert.deepEqual([facts.contextTokens, facts.contextWindow], [3000, 0]);
  it.agent(result({ modelUsage: { opus: { contextWindow: 1_000_000 } } }));
  assert.equal(facts.contextWindow, 1_000_000);
});

test('a denied call is told from a failed one', () => {
  const it = start();
  const content = [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'make' } }];
  it.agent({ type: 'assistant', message: { id: 'm', content } });
  it.emit({
    kind: 'request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
  });
  const tool = it.conversation.tool('t');
  assert.deepEqual([tool.asked, tool.denied], [true, false]);
  const answer = { behavior: 'deny', message: 'No.' };
  it.emit({ kind: 'resolved', request_id: 'r', answer, reason: 'answered' });
  assert.deepEqual([tool.asked, tool.denied], [false, true]);
});

test('earlier pages leave an answer that streams as it is, however many there are', () => {
  const events = [];
  const push = (event) => events.push({ seq: events.length + 1, time: 0, event });
  for (let turn = 0; turn < 4; turn += 1) {
    push({ kind: 'prompt', client_id: `p${turn}`, content: `question ${turn}`, by: 'page' });
    push({ kind: 'agent', message: text(`m${turn}`, `answer ${turn}`) });
    push({ kind: 'agent', message: result() });
  }
  for (const message of [begin('last'), open(), delta('The first half, ')])
    push({ kind: 'agent', message });
  const conversation = new Conversation();
  conversation.add(events.slice(12));
  conversation.add(events.slice(6, 12));
  conversation.add(events.slice(3, 6));
  conversation.add(events.slice(0, 3));
  const message = delta('the second half.');
  conversation.add([{ seq: events.length + 1, time: 0, event: { kind: 'agent', message } }]);
  assert.equal(conversation.items.at(-1).text, 'The first half, the second half.');
  assert.equal(conversation.items.filter(({ kind }) => kind === 'prompt').length, 4);
});

test('a request that uses the id of an earlier one is another request', () => {
  const it = start();
  const ask = () =>
    it.emit({ kind: 'request', request_id: 'r1', request: { tool_name: 'Bash', input: {} } });
  ask();
  const before = it.conversation.pending.get('r1').seq;
  it.emit({ kind: 'resolved', request_id: 'r1', answer: null, reason: 'lost' });
  ask();
  assert.notEqual(it.conversation.pending.get('r1').seq, before);
});

test('a page may overlap with what is known on either side', () => {
  const events = [1, 2, 3, 4, 5].map((seq) => ({
    seq,
    time: 0,
    event: { kind: 'prompt', client_id: `p${seq}`, content: `${seq}`, by: 'page' },
  }));
  const conversation = new Conversation();
  conversation.add(events.slice(2, 4));
  conversation.add(events);
  assert.deepEqual([conversation.firstSeq, conversation.lastSeq], [1, 5]);
  assert.equal(conversation.items.length + conversation.queue.length, 5);
});

test('what waited for the hub is known by its events, whichever way they came', () => {
  const events = [
    { kind: 'prompt', client_id: 'a', content: 'first', by: 'page' },
    { kind: 'prompt', client_id: 'b', content: 'second', by: 'page' },
    { kind: 'taken_back', client_id: 'b' },
    { kind: 'state', state: 'idle' },
  ].map((event, index) => ({ seq: index + 1, time: 0, event }));
  const conversation = new Conversation();
  conversation.add(events.slice(3));
  assert.equal(conversation.hasPrompt('a'), false);
  conversation.add(events.slice(0, 3));
  assert.deepEqual([conversation.hasPrompt('a'), conversation.isWithdrawn('a')], [true, false]);
  assert.deepEqual([conversation.hasPrompt('b'), conversation.isWithdrawn('b')], [true, true]);
});

test('a long conversation is derived in a time that grows with its length only', () => {
  const events = [];
  const push = (event) => events.push({ seq: events.length + 1, time: 0, event });
  const turn = (index) => {
    const content = [{ type: 'tool_use', id: `t${index}`, name: 'Bash', input: {} }];
    push({ kind: 'agent', message: { type: 'assistant', message: { id: `m${index}`, content } } });
    push({ kind: 'agent', message: result() });
  };
  const seconds = (turns) => {
    const conversation = new Conversation();
    const start = process.cpuUsage();
    conversation.add(events.slice(0, 2 * turns));
    const { user, system } = process.cpuUsage(start);
    assert.equal(conversation.items.length, 2 * turns);
    return (user + system) / 1e6;
  };
  for (let index = 0; index < 40_000; index += 1) turn(index);
  seconds(5_000);
  const best = (turns) => Math.min(...[1, 2, 3].map(() => seconds(turns)));
  const [short, long] = [best(5_000), best(40_000)];
  // Eight times as much; with the square it would be sixty-four times.
  assert.ok(long < 30 * short, `${short} s for 5,000 turns, ${long} s for 40,000`);
});
