import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { visible, visibleInside } = await load('text/visible.ts');
const { foldBlankLines } = await load('text/folding.ts');

test('what is not seen is made visible, and nothing else is touched', () => {
  const plain = 'ls -l\n\techo "äß 漢字 🙂" > a_b';
  assert.equal(visible(plain), plain);
  for (const code of [
    0x00, 0x0b, 0x0d, 0x1b, 0x7f, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1680, 0x180e, 0x2003,
    0x200b, 0x200d, 0x2028, 0x2029, 0x202e, 0x2063, 0x2066, 0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff,
    0xffa0, 0xe000, 0xe0041, 0xe0100,
  ]) {
    const name = `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
    assert.equal(visible(`a${String.fromCodePoint(code)}b`), `a${name}b`);
  }
  assert.deepEqual(visibleInside({ a: ['\u202e', 7], b: null }), { a: ['⟨U+202E⟩', 7], b: null });
});

test('long runs of blank lines are folded, and every line is accounted for', () => {
  assert.deepEqual(foldBlankLines('a\n\n\nb'), ['a\n\n\nb']);
  assert.deepEqual(foldBlankLines('a\n\n \t\n\nb\nc'), ['a', 3, 'b\nc']);
  assert.deepEqual(foldBlankLines('\n\n\nx\n\n\n\n'), [3, 'x', 4]);
  for (let seed = 0; seed < 200; seed += 1) {
    const lines = Array.from({ length: seed % 23 }, (_, at) =>
      (seed * 7 + at * at) % 3 ? '' : `line ${at}`,
    );
    const text = lines.join('\n');
    const counted = foldBlankLines(text).reduce(
      (sum, piece) => sum + (typeof piece === 'number' ? piece : piece.split('\n').length),
      0,
    );
    assert.equal(counted, text.split('\n').length);
  }
});
