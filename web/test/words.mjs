// Every language says everything: the type checker holds the shapes, this that nothing is empty, and
// that what a phrase is given shows in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { words } = await load('words.ts');

/** Each phrase with its path; functions are called with numbers that can be found again. */
function* phrases(value, path) {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) yield* phrases(inner, `${path}.${key}`);
}

for (const language of ['de', 'zh']) {
  const { translation } = await load(`languages/${language}.ts`);

  test(`${language} says everything`, () => {
    const own = new Map(phrases(translation, language));
    for (const [path, text] of own) assert.ok(text.trim(), path);
    const same = [...phrases(words, language)].filter(
      ([path, text]) => own.get(path) === text && /[a-z]{4}/.test(text),
    );
    // Names, and words that both languages have.
    assert.ok(same.length < 16, same.map(([path, text]) => `${path}: ${text}`).join('\n'));
  });

  test(`${language} counts and names what it is given`, () => {
    for (const key of [
      'lines',
      'files',
      'showMore',
      'moreBelow',
      'editPlaces',
      'toolUses',
      'rewound',
    ])
      assert.match(translation[key](7), /7/, key);
    for (const key of [
      'allowTool',
      'alwaysRule',
      'confirmRemove',
      'stopTask',
      'badImage',
      'sayRequest',
    ])
      assert.match(translation[key]('Xyz'), /Xyz/, key);
    const replaces = translation.writeReplaces(214, 9000, 12);
    assert.match(replaces, /214/);
    assert.match(replaces, /12/);
    assert.match(translation.context(50_000, 200_000), /25/);
  });
}
