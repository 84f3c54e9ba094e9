import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the sources are formatted', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const folders = ['src', 'test', 'build.mjs', '../tests/e2e'];
  const checker = spawnSync(
    process.execPath,
    [
      'node_modules/prettier/bin/prettier.cjs',
      '--config',
      '.prettierrc.json',
      '--list-different',
      ...folders,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const hint = 'mend with: cd web && npm run format';
  assert.equal(checker.status, 0, `${checker.stdout}${checker.stderr}\n${hint}`);
});
