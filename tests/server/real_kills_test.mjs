// The real CLI under a server that is killed: ./test --real.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { killTests } from './kill_moments.mjs';

const agent = join(process.env.PARLEY_SOURCE_DIR, 'build/npm/@anthropic-ai+claude-agent-sdk-linux-x64-0.3.325',
  'node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude');
if (existsSync(agent)) killTests(agent, { kills: 12, longest: 900 });
else test('kills under the real CLI', { skip: 'npm could not install the real CLI' }, () => {});
