// Accessibility rules that a machine can check, by axe-core.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packages.mjs';

const SOURCE = readFileSync(join(ROOT, 'web/node_modules/axe-core/axe.min.js'), 'utf8');

export async function assertAccessible(page, what) {
  await page.evaluate(SOURCE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  const told = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `    ${node.html.slice(0, 160)}  ${node.any.map((check) => check.message).join('; ')}`).join('\n')}`,
  );
  assert.deepEqual(told, [], what);
}
