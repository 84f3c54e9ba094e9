// Our JSON reader against Node's JSON.parse: the same verdict on every mutated text, the same value
// for every accepted one, numbers and strings printed alike. Listed differences, and no others:
// - bytes that are not UTF-8 are refused by us (Node's strings cannot hold them);
// - containers may nest 1024 deep;
// - in our tree a lone surrogate becomes U+FFFD.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import path from 'node:path';
import {test} from 'node:test';

const kCount = 400_000;
const kMaxDepth = 1024;
const program = path.join(process.env.PARLEY_BUILD_DIR, 'bin', 'json_mutants');
// ignoreBOM: true keeps the byte order mark, which JSON.parse then refuses.
const utf8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true});

async function* records(seed, count) {
  const child = spawn(program, [String(seed), String(count)], {stdio: ['ignore', 'pipe', 'inherit']});
  const closed = new Promise((resolve) => child.on('close', resolve));
  let rest = Buffer.alloc(0);
  for await (const chunk of child.stdout) {
    rest = Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      let next = at;
      const take = (width) => {
        const size = next + width <= rest.length ? rest.readUIntLE(next, width) : Infinity;
        const from = next + width;
        next = from + size;
        return rest.subarray(from, next);
      };
      const input = take(4);
      const accepted = rest[next++] === 1;
      const dump = take(4);
      const number = take(1);
      if (!(next <= rest.length)) break;
      yield {input, accepted, dump: dump.toString(), number: number.toString()};
      at = next;
    }
    rest = rest.subarray(at);
  }
  assert.equal(await closed, 0, 'json_mutants failed');
  assert.equal(rest.length, 0, 'json_mutants stopped within a record');
}

function depthOf(value) {
  let depth = 0;
  let level = [value];
  while ((level = level.filter((v) => v !== null && typeof v === 'object')).length > 0) {
    ++depth;
    level = level.flatMap((v) => Object.values(v));
  }
  return depth;
}

// With the u flag a pair is one character, so this finds only halves without a partner.
const mended = (text) => text.replace(/\p{Surrogate}/gu, '\ufffd');

// The value with U+FFFD for lone surrogates. Null if two keys of one object became the same: which
// of them counts then depends on an order that JavaScript's objects do not keep.
function wellFormed(value) {
  let clash = false;
  const mend = (v) => {
    if (typeof v === 'string') return mended(v);
    if (Array.isArray(v)) return v.map(mend);
    if (v === null || typeof v !== 'object') return v;
    const entries = Object.entries(v).map(([key, item]) => [mended(key), mend(item)]);
    clash ||= new Set(entries.map(([key]) => key)).size !== entries.length;
    return Object.fromEntries(entries);
  };
  const whole = mend(value);
  return clash ? null : {whole};
}

function judge(input) {
  let text;
  try {
    text = utf8.decode(input);
  } catch {
    return {verdict: 'no utf-8'};
  }
  try {
    return {verdict: 'json', value: JSON.parse(text)};
  } catch {
    return {verdict: 'no json'};
  }
}

// What is wrong with our answer, or null.
function difference({input, accepted, dump, number}, seen) {
  const {verdict, value} = judge(input);
  const deep = verdict === 'json' && depthOf(value) > kMaxDepth;
  seen[deep ? 'too deep' : verdict] = (seen[deep ? 'too deep' : verdict] ?? 0) + 1;
  if (accepted !== (verdict === 'json' && !deep)) return `${verdict}, and we say ${accepted}`;
  if (!accepted) return null;
  const text = JSON.stringify(value);
  if (number !== '' && number !== text) return `prints ${text}, and we print ${number}`;
  let want = text;
  if (text.includes('\\ud')) {
    const clean = wellFormed(value);
    if (clean === null) return null;
    want = JSON.stringify(clean.whole);
  }
  if (typeof value === 'string' && dump !== want) return `prints ${want}, and we print ${dump}`;
  const got = JSON.stringify(JSON.parse(dump));
  return got === want ? null : `is ${want}, and we read ${got}`;
}

for (const seed of [1, 2]) {
  test(`${kCount / 2} mutated texts, seed ${seed}`, async () => {
    const seen = {};
    const wrong = [];
    let count = 0;
    for await (const record of records(seed, kCount / 2)) {
      ++count;
      const what = difference(record, seen);
      if (what !== null) wrong.push(`${JSON.stringify(record.input.toString('latin1'))}: ${what}`);
    }
    assert.deepEqual(wrong.slice(0, 20), []);
    assert.equal(count, kCount / 2);
    // The texts must keep both sides busy, or the agreement says nothing.
    for (const [verdict, least] of [['json', 0.2], ['no json', 0.2], ['no utf-8', 0.01]]) {
      assert.ok(seen[verdict] > least * count, `${verdict}: ${seen[verdict]} of ${count}`);
    }
    assert.ok(seen['too deep'] > 0);
  });
}
