// Which scenarios of the conformance suite the agent has to pass; see mcp_client.sh. Those about signing
// in (auth/…) are not among them: the agent has no OAuth yet.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const here = new URL('.', import.meta.url).pathname;
const suite = process.env.PARLEY_MCP_CONFORMANCE;

/** Runs one scenario; the checks that it made. */
function run(scenario) {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  const parameters = ['--import', join(here, '../mcp/old_node.mjs'), suite, 'client', '--scenario', scenario,
    '--command', `${process.execPath} ${join(here, 'agent_client.mjs')} ${scenario}`, '--output-dir', folder];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, parameters, { timeout: 120_000 }, (error, stdout, stderr) => {
      const checks = readdirSync(folder, { recursive: true }).find((name) => name.endsWith('checks.json'));
      if (!checks) reject(new Error(`no checks: ${stdout}\n${stderr}`));
      else resolve(JSON.parse(readFileSync(join(folder, checks), 'utf8')));
    });
  });
}

for (const scenario of ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry']) {
  test(scenario, async () => {
    const checks = await run(scenario);
    assert.ok(checks.some((check) => check.status === 'SUCCESS'), JSON.stringify(checks));
    assert.deepEqual(checks.filter((check) => check.status === 'FAILURE'), []);
  });
}
