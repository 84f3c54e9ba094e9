import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { parseAnsi, stripAnsi } = await load('text/ansi.ts');
const { visible } = await load('text/visible.ts');

test('colours and weights become classes', () => {
  assert.deepEqual(parseAnsi('\u001b[1;31merror\u001b[0m: no'), [
    { text: 'error', style: 'ansi-c1 ansi-bold' },
    { text: ': no', style: '' },
  ]);
  assert.deepEqual(parseAnsi('\u001b[92;44mx'), [
    { text: 'x', style: 'ansi-c2 ansi-bright ansi-bg-c4' },
  ]);
});

test('256 and true colours are reduced to the palette', () => {
  assert.equal(parseAnsi('\u001b[38;5;196mx')[0].style, 'ansi-c1');
  assert.equal(parseAnsi('\u001b[38;2;10;240;20mx')[0].style, 'ansi-c2');
  assert.equal(parseAnsi('\u001b[48;5;9mx')[0].style, 'ansi-bg-c1');
});

test('escapes that move, retitle or link are dropped', () => {
  assert.equal(stripAnsi('a\u001b[2J\u001b[10;10Hb'), 'ab');
  assert.equal(stripAnsi('\u001b]0;owned\u0007title'), 'title');
  assert.equal(stripAnsi('\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\'), 'link');
  assert.equal(stripAnsi('\u001bPq#payload\u001b\\rest'), 'rest');
  assert.equal(stripAnsi('unfinished \u001b]52;c;'), 'unfinished ');
  assert.equal(stripAnsi('\u009b31mx'), 'x');
});

test('carriage returns write over the line', () => {
  assert.equal(stripAnsi('10 %\r100 %\ndone\r\n'), '100 %\ndone\n');
  assert.equal(stripAnsi('abcdef\rxy'), 'xycdef');
});

test('control and direction characters do not reach the page', () => {
  assert.equal(stripAnsi('a\u0000b\u0008c\u202ed'), 'abcd');
});

test('any prefix of an output is parsed without an exception', () => {
  const output = 'x\u001b[1;38;5;200mcolour\u001b]8;;u\u0007l\u001b[0m\r\n\u001bPz\u001b\\end';
  for (let length = 0; length <= output.length; length += 1) parseAnsi(output.slice(0, length));
});

test('what hides in a command is made visible', () => {
  assert.equal(visible('rm \u202efdp.exe'), 'rm ⟨U+202E⟩fdp.exe');
  assert.equal(visible('a\u200bb\u001b[0m'), 'a⟨U+200B⟩b⟨U+001B⟩[0m');
  assert.equal(visible('tab\tand\nnewline stay'), 'tab\tand\nnewline stay');
});
