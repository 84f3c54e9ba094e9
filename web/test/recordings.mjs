// Every recorded session of the real CLI goes through the page's model: nothing may throw, and what
// the agent said, ran and ended must be there.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from './load.mjs';

const { Conversation } = await load('model/conversation.ts');
const folder = fileURLToPath(new URL('../../tests/recordings', import.meta.url));

/** The event that the hub would record for a line to the agent or from it; null if it is none. */
function eventOf(dir, message) {
  if (dir === 'in') {
    const { uuid, response } = message;
    const content = message.message?.content;
    // Some recordings try lines that the hub would not send.
    if (message.type === 'user' && typeof content === 'string') {
      return { kind: 'prompt', client_id: uuid ?? `of ${content}`, content, by: 'page' };
    }
    if (message.type !== 'control_response' || response?.subtype !== 'success') return null;
    const answer = response.response ?? null;
    return { kind: 'resolved', request_id: response.request_id, answer, reason: 'answered' };
  }
  if (message.type === 'control_request') {
    const { request_id, request } = message;
    return request.subtype === 'can_use_tool' ? { kind: 'request', request_id, request } : null;
  }
  if (message.type === 'control_cancel_request') {
    const { request_id } = message;
    return { kind: 'resolved', request_id, answer: null, reason: 'withdrawn' };
  }
  return { kind: 'agent', message };
}

function eventsOf(file) {
  const events = [];
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const record = JSON.parse(line);
    if (!record.line || !['in', 'out'].includes(record.dir)) continue;
    let message;
    try {
      message = JSON.parse(record.line);
    } catch {
      continue; // a recorded bad line never becomes an event
    }
    const event = typeof message?.type === 'string' ? eventOf(record.dir, message) : null;
    if (event) events.push({ seq: events.length + 1, time: record.t_ms, event });
  }
  return events;
}

const flat = (items) =>
  items.flatMap((item) => [item, ...(item.kind === 'tool' ? flat(item.children) : [])]);

function build(events) {
  const conversation = new Conversation();
  conversation.add(events);
  return conversation;
}

/** The events as they come to a page that is open all the time. */
function live(events) {
  const conversation = new Conversation();
  for (const event of events) conversation.add([event]);
  return conversation;
}

/** The end first, then pages before it, of sizes that differ but are the same in every run. */
function paged(events, seed) {
  const conversation = new Conversation();
  let random = seed;
  for (let end = events.length; end > 0;) {
    random = (random * 1103515245 + 12345) % 2 ** 31;
    const begin = Math.max(0, end - 1 - (random % Math.max(1, events.length >> 2)));
    conversation.add(events.slice(begin, end));
    end = begin;
  }
  return conversation;
}

/** All that is known, but for how often a row has changed: pieces are counted as they come. */
const known = ({ items, facts, pending, queue, askedSeq, firstSeq, lastSeq }) =>
  JSON.parse(
    JSON.stringify(
      { items, facts, pending: [...pending], queue, askedSeq, firstSeq, lastSeq },
      (key, value) => (key === 'version' ? undefined : value),
    ),
  );

/** The items without what depends on whether they have streamed: times and generated names. */
const told = (conversation) =>
  JSON.parse(
    JSON.stringify(conversation.items, (key, value) =>
      ['id', 'version', 'time', 'messageId', 'finishedAt'].includes(key) ? undefined : value,
    ),
  );

for (const version of readdirSync(folder, { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
)) {
  test(`recordings of ${version.name}`, () => {
    const names = readdirSync(join(folder, version.name)).filter((name) => name.endsWith('.jsonl'));
    assert.ok(names.length > 50);
    for (const name of names) {
      const events = eventsOf(join(folder, version.name, name));
      const conversation = build(events);
      const items = flat(conversation.items);
      for (const { event } of events) {
        if (event.kind !== 'agent' || event.message.type !== 'assistant') continue;
        for (const block of event.message.message.content) {
          if (block.type !== 'tool_use') continue;
          const shown = items.filter((item) => item.kind === 'tool' && item.toolId === block.id);
          assert.equal(shown.length, 1, `${name}: ${block.id} is shown once`);
        }
      }
      const results = events.filter(
        ({ event }) => event.kind === 'agent' && event.message.type === 'result',
      );
      assert.equal(items.filter((item) => item.kind === 'turn').length, results.length, name);
      if (results.length > 0 && results.at(-1).seq === events.length) {
        assert.ok(!items.some((item) => item.streaming), `${name}: nothing streams after the end`);
      }

      // Streamed or not, the story is the same; so it is after a reload, when the log was compacted.
      const whole = events.filter(
        ({ event }) => event.kind !== 'agent' || event.message.type !== 'stream_event',
      );
      const ended =
        results.length > 0 &&
        !events.some(({ event }) => event.message?.subtype === 'error_during_execution');
      if (ended)
        assert.deepEqual(told(build(whole)), told(conversation), `${name}: without stream events`);

      // As it happened, read at once, or page by page from its end: the same events, the same state.
      const expected = known(conversation);
      assert.deepEqual(known(live(events)), expected, `${name}: one by one`);
      for (const seed of [1, 2, 3]) {
        assert.deepEqual(known(paged(events, seed)), expected, `${name}: in pages (${seed})`);
      }
    }
  });
}
