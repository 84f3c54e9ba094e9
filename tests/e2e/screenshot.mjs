// The picture of the README: a session of the demo that has just been asked for an edit.
// Usage: node screenshot.mjs OUTPUT.png
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { launch, newPage } from './support/browser.mjs';
import { Serve } from './support/serve.mjs';

const output = process.argv[2];
// A path that looks well in the picture.
const home = join(tmpdir(), 'parley');
rmSync(home, { recursive: true, force: true });
mkdirSync(home);
const serve = new Serve(home);
const browser = await launch();
try {
  const link = await serve.start();
  const { page } = await newPage(browser, {
    viewport: { width: 1280, height: 860 },
    deviceScaleFactor: 2,
  });
  page.setDefaultTimeout(60_000);
  await page.goto(link);
  const begin = async (prompt) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(prompt);
    await page.keyboard.press('Enter');
  };
  const allow = () => page.getByRole('button', { name: 'Allow', exact: true }).click();
  const idle = () => page.locator('header .state.idle').waitFor();

  await begin('Show a table and code');
  await idle();
  await page.getByRole('link', { name: 'New session' }).click();
  await begin('Ask me something');
  await page.locator('.questions').waitFor();
  await page.getByRole('link', { name: 'New session' }).click();
  await begin('Think about it');
  await idle();
  await begin('Edit a file');
  await page.getByText('Allow Write?').waitFor();
  await allow();
  await page.getByText('Allow Edit?').waitFor();
  await page.evaluate(() => document.fonts.ready);
  mkdirSync(dirname(output), { recursive: true });
  await page.screenshot({ path: output });
} finally {
  await browser.close();
  await serve.stop();
}
