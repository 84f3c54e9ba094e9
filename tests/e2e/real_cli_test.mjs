// The same page and hub with the real agent CLI in front of the demo's model: ./test --real.
import { join } from 'node:path';
import { ROOT } from './support/packages.mjs';

process.env.PARLEY_TEST_AGENT ??= join(
  ROOT,
  'build/npm/@anthropic-ai+claude-agent-sdk-linux-x64-0.3.325',
  'node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude',
);
await import('./serve_test.mjs');
