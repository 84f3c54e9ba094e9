// The same page and hub with the real agent CLI in front of the demo's model: ./test --real.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './support/packages.mjs';

process.env.PARLEY_TEST_AGENT ??= join(
  ROOT,
  'build/npm/@anthropic-ai+claude-agent-sdk-linux-x64-0.3.325',
  'node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude',
);
if (existsSync(process.env.PARLEY_TEST_AGENT)) await import('./serve_test.mjs');
else test('the page on the real CLI', { skip: 'npm could not install the real CLI' }, () => {});
