// The page without a mouse: what Escape does, and where the focus is.
import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import { StubSuite, dock, message, pressUntilAnswered, waitUntil } from './support/stub_suite.mjs';

const suite = new StubSuite();
const test = suite.test.bind(suite);
const visit = suite.visit.bind(suite);
let hub;

beforeEach(() => {
  hub = suite.hub;
});

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
