import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Marked } from 'marked';
import { load } from './load.mjs';

const { splitBlocks, hasReferences } = await load('text/blocks.ts');
const marked = new Marked({ gfm: true });

const TEXT = `# Title

A paragraph with **bold**
on two lines.

- one
- two

  with a second paragraph
- three

1. a
2. b

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const x = 1;

// an empty line above
\`\`\`

> quoted

Setext
------

last words`;

/** Streams the text in pieces of a given size and gives back the finished blocks and the tail. */
function streamed(size) {
  let frozen = 0;
  const blocks = [];
  for (let end = size; frozen < TEXT.length; end += size) {
    const { finished, tail } = splitBlocks(marked.lexer(TEXT.slice(frozen, end)));
    blocks.push(...finished);
    frozen += finished.join('').length;
    if (end >= TEXT.length) {
      blocks.push(tail);
      break;
    }
  }
  return blocks;
}

test('the blocks of a streamed text, joined, are the text, whatever the pieces', () => {
  for (const size of [1, 2, 3, 7, 20, 1000])
    assert.equal(streamed(size).join(''), TEXT, `pieces of ${size}`);
});

test('block by block gives the same HTML as the whole', () => {
  for (const size of [1, 5, 64]) {
    const parts = streamed(size)
      .map((block) => marked.parse(block))
      .join('');
    assert.equal(parts, marked.parse(TEXT), `pieces of ${size}`);
  }
});

test('only the last block is open', () => {
  const { finished, tail } = splitBlocks(marked.lexer('one\n\ntwo\n\nthr'));
  assert.deepEqual(finished, ['one\n\n', 'two\n\n']);
  assert.equal(tail, 'thr');
  assert.deepEqual(splitBlocks([]), { finished: [], tail: '' });
});

test('references to a link elsewhere are noticed', () => {
  assert.equal(hasReferences('see [a][b]\n\n[b]: https://example.com'), true);
  assert.equal(hasReferences('a list [x]: no\n- [ ] todo'), false);
});
