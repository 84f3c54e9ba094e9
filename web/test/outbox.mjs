import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { load } from './load.mjs';

globalThis.crypto ??= webcrypto; // as in a browser; Node 18 has it behind a flag

const { Outbox } = await load('model/outbox.ts');
const { randomUuid } = await load('net/uuid.ts');

function storage(start = {}) {
  const values = new Map(Object.entries(start));
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
  };
}

test('what was not acknowledged survives a reload', () => {
  const kept = storage();
  const outbox = new Outbox(kept);
  outbox.add('s', 'one', 'c1');
  outbox.add('s', 'two', 'c2');
  outbox.remove('c1');
  assert.deepEqual(
    new Outbox(kept).of('s').map((entry) => entry.content),
    ['two'],
  );
});

test('a refusal is kept with its reason', () => {
  const outbox = new Outbox(storage());
  outbox.add('s', 'one', 'c1');
  outbox.refuse('c1', 'too long');
  assert.equal(outbox.of('s')[0].problem, 'too long');
});

test('broken or full storage costs nothing but the memory of a reload', () => {
  const outbox = new Outbox({
    getItem: () => '{not json',
    setItem: () => {
      throw new Error('full');
    },
  });
  outbox.add('s', 'one', 'c1');
  assert.equal(outbox.of('s').length, 1);
});

test('client ids are random UUIDs of version 4', () => {
  const made = Array.from({ length: 100 }, randomUuid);
  for (const id of made) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  assert.equal(new Set(made).size, 100);
});
