// Chromium as Debian ships it, and a page whose errors fail the test.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from './packages.mjs';

function start() {
  return chromium.launch({
    executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--crash-dumps-dir=${mkdtempSync(join(tmpdir(), 'parley-chromium-'))}`,
    ],
  });
}

/** On a machine that is very busy Chromium may give up on its own processes: a second try is fair. */
export async function launch() {
  try {
    return await start();
  } catch (error) {
    console.error(`Chromium did not start (${error.message.split('\n')[0]}); trying once more.`);
    return await start();
  }
}

/** A page in a context of its own. `problems` collects what a developer would see in red. */
export async function newPage(browser, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 820 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  // Generous: a test waits for what must come, on a machine that may be busy with other things.
  page.setDefaultTimeout(30_000);
  const problems = [];
  page.on('crash', () => problems.push('the page has crashed'));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // A lost connection is reported by the browser itself and is part of some tests.
    const expected = /WebSocket|ERR_CONNECTION|Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !expected) problems.push(message.text());
  });
  return { page, context, problems };
}

export function noProblems({ problems }) {
  assert.deepEqual(problems, []);
}
