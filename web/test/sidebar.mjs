import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.mjs';

const { folderNames, groupSessions } = await load('ui/sidebar/groups.ts');

const session = (id, more = {}) => ({
  id,
  title: id,
  cwd: '/work/a',
  state: 'idle',
  pending: 0,
  prompted: 0,
  updated: 0,
  ...more,
});

test('what waits comes first, then what works, then projects by what the user did last', () => {
  const groups = groupSessions(
    [
      session('old', { prompted: 1, updated: 99 }),
      session('new', { prompted: 5, cwd: '/work/b' }),
      session('busy', { state: 'running' }),
      session('asks', { state: 'waiting', pending: 1 }),
    ],
    '',
  );
  assert.deepEqual(
    groups.map(({ kind, name, sessions }) => [kind, name, sessions.map(({ id }) => id)]),
    [
      ['waiting', '', ['asks']],
      ['working', '', ['busy']],
      ['project', 'b', ['new']],
      ['project', 'a', ['old']],
    ],
  );
});

test('a search looks at titles and folders', () => {
  const all = [session('Fix the parser'), session('x', { cwd: '/work/parser' }), session('y')];
  const found = groupSessions(all, ' PARSER ').flatMap(({ sessions }) => sessions);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['Fix the parser', 'x'],
  );
});

test('folders of the same name are told apart by those above them', () => {
  const names = folderNames(['/home/me/web', '/home/you/web', '/srv/api', '/', '/a/me/web']);
  assert.deepEqual([...names.values()], ['home/me/web', 'you/web', 'api', '/', 'a/me/web']);
});

test('three thousand sessions are sorted in a moment', () => {
  const all = Array.from({ length: 3000 }, (_, index) =>
    session(`s${index}`, { cwd: `/work/${index % 200}`, prompted: index }),
  );
  const before = performance.now();
  assert.equal(groupSessions(all, '').length, 200);
  const took = performance.now() - before;
  assert.ok(took < 500, `${took} ms`);
});
