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

function eventsOf(file) {
  const events = [];
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const record = JSON.parse(line);
    if (record.dir !== 'out' || !record.line) continue;
    let message;
    try {
      message = JSON.parse(record.line);
    } catch {
      continue; // a recorded bad line never becomes an event
    }
    if (typeof message.type !== 'string') continue;
    const event =
      message.type === 'control_request' && message.request.subtype === 'can_use_tool'
        ? { kind: 'request', request_id: message.request_id, request: message.request }
        : { kind: 'agent', message };
    events.push({ seq: events.length + 1, time: record.t_ms, event });
  }
  return events;
}

const flat = (items) =>
  items.flatMap((item) => [item, ...(item.kind === 'tool' ? flat(item.children) : [])]);

function build(events) {
  const conversation = new Conversation();
  for (const event of events) conversation.apply(event);
  return conversation;
}

/** The items without what depends on how they came: numbers of versions and generated names. */
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

      // Pages that arrive backwards make the same as one that comes in order.
      const half = Math.floor(whole.length / 2);
      const paged = build(whole.slice(half));
      paged.prepend(whole.slice(0, half));
      assert.deepEqual(told(paged), told(build(whole)), `${name}: in two pages`);
    }
  });
}
