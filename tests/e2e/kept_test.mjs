// What the user has written, and what the agent has said, is not lost on its way.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { noProblems } from './support/browser.mjs';
import { endTurn, say, stream } from './support/scenes.mjs';
import { hub, open, test, visit } from './support/stub.mjs';
import { dock, drawn, message, transcript, waitUntil } from './support/stub_suite.mjs';

test('many sessions scroll in their list, and the page stays where it is', async () => {
  for (let count = 1; count <= 60; count += 1) hub.addSession({ title: `Session ${count}` });
  const { page } = await visit();
  for (const rest of ['55 more', '5 more']) {
    await page.getByRole('button', { name: rest, exact: true }).click();
  }
  await page.getByRole('link', { name: /^Session 1\b/ }).focus();
  const [page_, scrolled] = await page.evaluate(() => [
    document.documentElement.scrollHeight - innerHeight,
    scrollY,
  ]);
  assert.deepEqual([page_, scrolled], [0, 0]);
});

test('a draft that Escape has cleared comes back', async () => {
  const id = hub.addSession({ title: 'A' });
  const other = hub.addSession({ title: 'B' });
  const { page } = await visit(id);
  await message(page).fill('a long thought');
  await message(page).press('Escape');
  assert.equal(await message(page).inputValue(), '');
  await page.keyboard.press('Control+z');
  assert.equal(await message(page).inputValue(), 'a long thought');
  // The browser forgets its undo when another draft is shown; the page does not.
  await message(page).press('Escape');
  await page.goto(`${hub.url}#/s/${other}`);
  await page.getByRole('heading', { name: 'B' }).waitFor();
  await page.goto(`${hub.url}#/s/${id}`);
  await page.getByRole('heading', { name: 'A' }).waitFor();
  await message(page).press('ArrowUp');
  assert.equal(await message(page).inputValue(), 'a long thought');
});

test('earlier pages that come while an answer streams leave it whole', async () => {
  const id = hub.addSession();
  // It waits on the first page of events, so that the page has to ask for all of them.
  hub.request(id, { tool_name: 'Bash', input: { command: 'make' } });
  for (let turn = 1; turn <= 900; turn += 1) {
    say(hub, id, `message number ${turn}`);
    if (turn % 100 === 0) endTurn(hub, id);
  }
  const answer = stream(hub, id);
  answer.add('The first half, ');
  const visitor = await visit(id);
  const { page } = visitor;
  await dock(page).getByText('make').waitFor();
  answer.add('the second half.');
  await transcript(page).getByText('the second half.').waitFor();
  await transcript(page).getByText('The first half, the second half.').waitFor();
  noProblems(visitor);
});

test('an unlucky reconnect leaves one connection', async () => {
  const id = hub.addSession();
  const visitor = await open();
  const { page } = visitor;
  await page.clock.install();
  await page.goto(`${hub.url}#/s/${id}`);
  await transcript(page).and(page.locator('[aria-busy=false]')).waitFor();
  // The next attempt is turned away, and the question why is not answered yet...
  let answerInfo;
  hub.infoWaits = new Promise((resolve) => (answerInfo = resolve));
  hub.closed = true;
  const asked = page.waitForRequest(/api\/info$/);
  hub.dropSockets();
  await asked;
  // ... when the network returns.
  hub.closed = false;
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await waitUntil(() => hub.connections === 2, 'the second connection');
  const answered = page.waitForResponse(/api\/info$/);
  answerInfo();
  await (await answered).finished();
  await page.clock.fastForward(60_000);
  // A connection that was begun before this one is there before it.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket(new URL('api/socket', location.href.replace('http', 'ws')));
        socket.addEventListener('message', resolve, { once: true });
      }),
  );
  assert.equal(hub.connections, 3);
});

/** A picture of this many pixels, in colours that cannot be compressed. */
const png = (name, width, height) => {
  const pixels = randomBytes((width * 3 + 1) * height);
  // Each row begins with the number of its filter.
  for (let row = 0; row < height; row += 1) pixels[row * (width * 3 + 1)] = 0;
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const buffer = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(pixels, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
};

function crc32(bytes) {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

test('a message that is too large is not sent, and nothing of it is lost', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const pictures = page.getByRole('button', { name: 'Remove image' });
  await page
    .locator('input[type=file]')
    .setInputFiles([png('a.png', 1000, 1150), png('b.png', 1000, 1150)]);
  await pictures.nth(1).waitFor();
  await message(page).fill('both of them');
  await page.getByRole('alert').getByText('the server takes 8.4 MB').waitFor();
  await message(page).press('Enter');
  await drawn(page);
  assert.equal(await message(page).inputValue(), 'both of them');
  assert.equal(await pictures.count(), 2);
  await pictures.nth(0).click();
  await message(page).press('Enter');
  await waitUntil(() => hub.sessions.get(id).prompts.size === 1, 'the message with one picture');
  await page.getByText('Unsent').waitFor({ state: 'detached' });
  assert.equal(hub.connections, 1);
});

test('a picture that is too large for a message is made smaller', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const sent = new Promise((resolve) => (hub.onPrompt = () => resolve()));
  await page
    .locator('input[type=file]')
    .setInputFiles([
      png('a.png', 2400, 1000),
      { name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG no picture', 'latin1') },
    ]);
  await page.getByRole('button', { name: 'Remove image' }).waitFor();
  await page.getByRole('alert').getByText('b.png cannot be read').waitFor();
  await message(page).press('Enter');
  await sent;
  const [{ source }] = hub.sessions.get(id).log.find(({ event }) => event.kind === 'prompt')
    .event.content;
  assert.equal(source.media_type, 'image/webp');
  assert.ok(source.data.length < 5_000_000, `${source.data.length} characters`);
});

test('a message that the server hangs up on is sent once, and comes back whole', async () => {
  const id = hub.addSession();
  await hub.stop();
  hub.largest = 200_000;
  await hub.start();
  const { page } = await visit(id);
  await page.locator('input[type=file]').setInputFiles([png('a.png', 365, 365)]);
  await page.getByRole('button', { name: 'Remove image' }).waitFor();
  await message(page).fill('look at this');
  await message(page).press('Enter');
  const unsent = page.getByRole('list', { name: 'Queued' });
  await unsent.getByText('does not take a message of this size').waitFor();
  await page.getByText('Connection lost').waitFor({ state: 'detached' });
  await unsent.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('button', { name: 'Remove image' }).waitFor();
  assert.equal(await message(page).inputValue(), 'look at this');
  assert.equal(hub.connections, 2);
});

const LINE = 'A line of a text that somebody has copied from somewhere else.\n';
const textOf = (bytes) => LINE.repeat(Math.ceil(bytes / LINE.length));

/** Puts a long text into the message field, as pasting it would. */
const paste = (page, text) =>
  message(page).evaluate((field, value) => {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

test('a text that is too long to be kept says so, and is not lost without a question', async () => {
  const id = hub.addSession({ title: 'A' });
  const other = hub.addSession({ title: 'B' });
  const { page } = await visit(id);
  // A browser asks only for pages that were used.
  await message(page).press('x');
  const text = textOf(6_000_000);
  await paste(page, text);
  await page.getByRole('alert').getByText('too long to be kept').waitFor();
  await page.goto(`${hub.url}#/s/${other}`);
  await page.getByRole('heading', { name: 'B' }).waitFor();
  assert.equal(await message(page).inputValue(), '');
  await page.goto(`${hub.url}#/s/${id}`);
  await page.getByRole('heading', { name: 'A' }).waitFor();
  assert.equal((await message(page).inputValue()).length, text.length);
  const question = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  assert.equal((await question).type(), 'beforeunload');
  await (await question).dismiss();
  assert.equal((await message(page).inputValue()).length, text.length);
});

test('a text that is longer than a message may be stays in its field', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const text = textOf(9_000_000);
  await paste(page, text);
  await page.getByRole('alert').getByText('This message has 9.').waitFor();
  await message(page).press('Enter');
  await drawn(page);
  assert.equal((await message(page).inputValue()).length, text.length);
  assert.equal(hub.connections, 1);
  await paste(page, 'short');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});
