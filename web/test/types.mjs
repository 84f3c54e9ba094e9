import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the page passes the type checker', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const checker = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(checker.status, 0, checker.stdout + checker.stderr);
});
