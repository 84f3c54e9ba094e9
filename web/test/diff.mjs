import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { compare, rowsOfHunks, rowsOfTexts } = await load('text/diff.ts');
const { changeOf, countLines } = await load('model/changes.ts');

const plain = (rows) =>
  rows.map(
    (row) =>
      `${row.oldLine ?? ''}|${row.newLine ?? ''}|${row.kind}|${row.marks.map((mark) => (mark.changed ? `[${mark.text}]` : mark.text)).join('')}`,
  );

test('hunks become numbered rows with the changed words marked', () => {
  const rows = rowsOfHunks([
    {
      oldStart: 3,
      oldLines: 3,
      newStart: 3,
      newLines: 3,
      lines: [' keep', '-say old text', '+say new text', ' end'],
    },
    {
      oldStart: 20,
      oldLines: 1,
      newStart: 20,
      newLines: 2,
      lines: [' x', '+y', '\\ No newline at end of file'],
    },
  ]);
  assert.deepEqual(plain(rows), [
    '3|3|same|keep',
    '4||removed|say [old] text',
    '|4|added|say [new] text',
    '5|5|same|end',
    '||gap|',
    '20|20|same|x',
    '|21|added|y',
  ]);
});

test('lines that have nothing in common are not marked', () => {
  const rows = rowsOfTexts('alpha beta', 'one, two', false);
  assert.deepEqual(plain(rows), ['||removed|alpha beta', '||added|one, two']);
});

test('two texts keep three lines of context', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
  const rows = plain(rowsOfTexts(before, before.replace('line 10', 'LINE 10'), true));
  assert.equal(rows[0], '||gap|');
  assert.equal(rows[1], '7|7|same|line 7');
  assert.equal(rows.at(-2), '13|13|same|line 13');
  assert.equal(rows.filter((row) => row.includes('added')).length, 1);
});

test('a comparison gives back both sides', () => {
  let seed = 7;
  const random = (most) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
  for (let round = 0; round < 300; round += 1) {
    const list = () => Array.from({ length: random(12) }, () => 'abcd'[random(4)]);
    const [before, after] = [list(), list()];
    const steps = compare(before, after);
    const side = (skip) => steps.filter((step) => step.kind !== skip).map((step) => step.text);
    assert.deepEqual(side('added'), before);
    assert.deepEqual(side('removed'), after);
  }
});

test('huge texts are compared in bounded time', () => {
  const before = Array.from({ length: 5000 }, (_, index) => `a${index}`).join('\n');
  const after = Array.from({ length: 5000 }, (_, index) => `b${index}`).join('\n');
  assert.equal(rowsOfTexts(before, after, true).length, 10000);
});

test('changes are counted from the structured result', () => {
  const hunk = {
    oldStart: 1,
    oldLines: 2,
    newStart: 1,
    newLines: 2,
    lines: [' a', '-b', '+c', '+d'],
  };
  assert.deepEqual(changeOf({ filePath: '/f', structuredPatch: [hunk] }), {
    path: '/f',
    toolId: '',
    added: 2,
    removed: 1,
  });
  assert.deepEqual(
    changeOf({ type: 'create', filePath: '/f', content: 'x\ny\n', structuredPatch: [] }),
    { path: '/f', toolId: '', added: 2, removed: 0 },
  );
  assert.equal(changeOf({ filePath: '/f' }), null);
  assert.equal(changeOf('Error'), null);
  assert.deepEqual(
    [countLines(''), countLines('a'), countLines('a\n'), countLines('a\nb')],
    [0, 1, 1, 2],
  );
});
