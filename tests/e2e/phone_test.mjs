// The page on a phone: narrow, and without a keyboard.
import assert from 'node:assert/strict';
import { say, stream } from './support/scenes.mjs';
import { hub, test, visit } from './support/stub.mjs';
import { DOT, PHONE, dock, transcript } from './support/stub_suite.mjs';

test('a phone has the sessions in a drawer and nothing to scroll sideways', async () => {
  const id = hub.addSession({ title: 'Small' });
  hub.addSession({ title: 'Other one' });
  say(
    hub,
    id,
    'A `very_long_identifier_that_will_not_fit_on_a_phone_at_all_because_it_is_so_long` and\n\n```\n' +
      'x'.repeat(300) +
      '\n```',
  );
  const { page } = await visit(id, {
    viewport: { width: 360, height: 700 },
    hasTouch: true,
    isMobile: true,
  });
  const link = page.getByRole('link', { name: /^Other one/ });
  assert.equal(await link.isVisible(), false);
  await page.getByRole('button', { name: 'Show sessions' }).click();
  await link.click();
  await page.getByRole('heading', { name: 'Other one' }).waitFor();
  await page.goBack();
  await transcript(page).getByText('very_long').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  hub.request(id, { tool_name: 'Bash', input: { command: 'ls' } });
  const height = await dock(page)
    .getByRole('button', { name: 'Allow' })
    .evaluate((button) => button.getBoundingClientRect().height);
  assert.ok(height >= 44, `touch target of ${height} px`);
});

test('on a phone the answers to a long request are in view', async () => {
  const id = hub.addSession();
  const { page } = await visit(id, {
    viewport: { width: 390, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  const options = Array.from({ length: 12 }, (_, index) => ({ label: `Option ${index}` }));
  hub.request(id, {
    tool_name: 'AskUserQuestion',
    input: { questions: [{ question: 'Which one?', options }] },
  });
  const skip = dock(page).getByRole('button', { name: 'Do not answer' });
  await skip.waitFor();
  const { y, height } = await skip.boundingBox();
  const box = await dock(page).boundingBox();
  assert.ok(y + height <= box.y + box.height, 'the button is inside of the visible part');
  assert.ok(height >= 44, 'it can be hit with a finger');
});

test('on a phone the name of a session, its settings and its figures have room', async () => {
  const id = hub.addSession({ title: 'Greet people by name', model: 'claude-opus-5-5-20260101' });
  hub.info.demo = true;
  hub.info.models = [];
  stream(hub, id).finish();
  const { page } = await visit(id, PHONE);
  hub.request(id, { tool_name: 'Bash', input: { command: 'ls' } });
  await dock(page).waitFor();
  const heading = page.getByRole('heading', { name: 'Greet people by name' });
  assert.ok(await heading.evaluate((element) => element.scrollWidth <= element.clientWidth));
  const middles = await page.locator('.dock .chips > :not(.grow)').evaluateAll((all) =>
    all.map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    }),
  );
  assert.equal(middles.length, 4);
  assert.ok(Math.max(...middles) - Math.min(...middles) <= 1, `one line, not ${middles}`);
});

test('on a phone a wide table scrolls and keeps its words whole', async () => {
  const id = hub.addSession();
  say(
    hub,
    id,
    '| Module | Role | Depends on |\n|---|---|---|\n| `transport` | bytes in and out | `wire`, `transport_layer_two` |',
  );
  const { page } = await visit(id, PHONE);
  const code = transcript(page).getByText('transport', { exact: true });
  assert.equal(await code.evaluate((element) => element.getClientRects().length), 1);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test('on a phone a problem is told beside the message field, not over it', async () => {
  const id = hub.addSession();
  const { page } = await visit(id, PHONE);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add images' }).tap();
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') };
  await (await choosing).setFiles(file);
  await page.getByRole('alert').getByText('notes.txt is no PNG').waitFor();
  const told = await page.getByRole('alert').boundingBox();
  const composer = await page.locator('.composer').boundingBox();
  assert.ok(told.y + told.height <= composer.y, 'it ends above the composer');
  const { height } = await page.getByRole('button', { name: 'Dismiss' }).boundingBox();
  assert.ok(height < 50, 'its button has one line');
});

test('on a phone many pictures fit beside each other', async () => {
  const id = hub.addSession();
  const { page } = await visit(id, PHONE);
  const file = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') };
  await page.locator('input[type=file]').setInputFiles(Array.from({ length: 9 }, () => file));
  const pictures = page.getByRole('button', { name: 'Remove image' });
  await pictures.nth(8).waitFor();
  const { x, width } = await page.locator('.composer').boundingBox();
  for (const box of await Promise.all((await pictures.all()).map((one) => one.boundingBox())))
    assert.ok(box.x + box.width <= x + width, 'none reaches beyond the composer');
});
