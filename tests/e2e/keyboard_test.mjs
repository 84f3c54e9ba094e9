// The page without a mouse: what Escape does, and where the focus is.
import assert from 'node:assert/strict';
import { hub, test, visit } from './support/stub.mjs';
import { dock, message, pressUntilAnswered, waitUntil } from './support/stub_suite.mjs';

test('Escape clears the text first and interrupts only then', async () => {
  const id = hub.addSession();
  hub.emit(id, { kind: 'state', state: 'running' });
  const { page } = await visit(id);
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await message(page).fill('half a thought');
  await message(page).press('Escape');
  assert.equal(await message(page).inputValue(), '');
  assert.equal(hub.calls.length, 0);
  await message(page).press('Escape');
  await waitUntil(() => hub.calls.length === 1, 'the interrupt');
  assert.match(hub.calls[0][1], /\/interrupt$/);
});

test('Escape empties the field it is pressed in before it does anything else', async () => {
  const id = hub.addSession();
  hub.emit(id, { kind: 'state', state: 'running' });
  const { page } = await visit(id);
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search sessions' });
  await search.fill('nothing like it');
  await search.press('Escape');
  assert.equal(await search.inputValue(), '');
  const questions = [{ question: 'Which?', options: [{ label: 'A' }] }];
  const answer = hub.request(id, { tool_name: 'AskUserQuestion', input: { questions } });
  const other = dock(page).getByPlaceholder('Something else…');
  await other.fill('Neither of them');
  await other.press('Escape');
  assert.equal(await other.inputValue(), '');
  assert.deepEqual(hub.calls, []);
  await pressUntilAnswered(page, 'Escape');
  assert.equal((await answer).behavior, 'deny');
});

test('who goes back from the words of a denial has the choices under the keys again', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const answer = hub.request(id, { tool_name: 'Bash', input: { command: 'make' } });
  await dock(page).getByRole('button', { name: 'Deny with words…' }).click();
  await page.locator('.words textarea:focus').waitFor();
  await dock(page).getByRole('button', { name: 'Back' }).click();
  await page.locator('.requests:focus').waitFor();
  await pressUntilAnswered(page, 'n');
  assert.equal((await answer).behavior, 'deny');
});

test('after the last answer the focus is in the message field', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const answer = hub.request(id, { tool_name: 'Bash', input: { command: 'make' } });
  await pressUntilAnswered(page, 'y');
  await answer;
  await page.locator('textarea#message:focus').waitFor();
});

test('lists close by Escape and by a click beside them, and give the focus back', async () => {
  const id = hub.addSession({ title: 'Listed' });
  const { page } = await visit();
  const folder = page.getByRole('button', { name: 'Choose folder' });
  const inside = page.getByRole('button', { name: 'docs' });
  await folder.click();
  await inside.waitFor();
  await page.keyboard.press('Escape');
  await inside.waitFor({ state: 'detached' });
  await page.locator('.folder > .chip:focus').waitFor();
  await folder.click();
  await inside.waitFor();
  await page.getByRole('heading', { name: 'What shall we work on?' }).click();
  await inside.waitFor({ state: 'detached' });

  await page.goto(`${hub.url}#/s/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Rename' }).focus();
  await page.keyboard.press('Escape');
  await page.locator('.menu-box > button:focus').waitFor();
});

test('a deletion is not what Enter does first', async () => {
  const id = hub.addSession({ title: 'Dear' });
  const { page } = await visit(id);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Cancel' })
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(hub.calls, []);
});
