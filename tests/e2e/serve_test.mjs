// The page on the real thing: parley serve, its agent, the demo's model, real files and permissions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before } from 'node:test';
import { noProblems } from './support/browser.mjs';
import { Serve } from './support/serve.mjs';
import { startSubPathProxy } from './support/sub_path_proxy.mjs';
import { BrowserSuite } from './support/suite.mjs';

const serve = new Serve();
const suite = new BrowserSuite(() => `parley serve said:\n${serve.stderr}`);
const test = suite.test.bind(suite);
let signedIn;

before(async () => {
  const link = await serve.start();
  const { page, context } = await suite.open();
  await page.goto(link);
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
  assert.equal(new URL(page.url()).search, '', 'the token is gone from the address');
  signedIn = await context.storageState();
});
after(() => serve.stop());

async function visit(path = '') {
  const visitor = await suite.open({ storageState: signedIn });
  visitor.page.setDefaultTimeout(60_000);
  await visitor.page.goto(serve.url + path);
  return visitor;
}

const transcript = (page) => page.getByRole('region', { name: 'Conversation' });
const dock = (page) => page.getByRole('region', { name: 'Waiting for you' });
const message = (page) => page.getByRole('textbox', { name: 'Message' });
const idle = (page) => page.locator('header .state.idle').waitFor();

/** Starts a session with a prompt, and gives back the fragment of its address. */
async function begin(page, prompt) {
  await message(page).fill(prompt);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/#\/s\//);
  return new URL(page.url()).hash;
}

// An agent that does not answer here will not answer anywhere.
suite.vitalTest('a demo prompt is one click, and its answer streams in', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await page.getByText('This is the demo.').waitFor();
  await page.getByRole('button', { name: 'Show a table and code' }).click();
  await transcript(page).getByRole('table').waitFor();
  await transcript(page).locator('.hljs-keyword').first().waitFor();
  await idle(page);
  await transcript(page).locator('.turn').waitFor();
  assert.equal(await transcript(page).locator('.prompt').count(), 1);
  noProblems(visitor);
});

test('an edit is approved and its diff is shown', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await begin(page, 'Edit a file');
  await dock(page).getByText('Allow Write?').waitFor();
  await dock(page).getByText('Creates a file of 5 lines.').waitFor();
  await dock(page).getByRole('button', { name: 'Allow', exact: true }).click();
  await dock(page).getByText('Allow Edit?').waitFor();
  await dock(page).locator('.diff-row.added', { hasText: 'a bar of chocolate' }).waitFor();
  await dock(page).getByRole('button', { name: 'Allow', exact: true }).click();
  await transcript(page)
    .locator('section.tool .diff-row.added', { hasText: 'a bar of chocolate' })
    .waitFor();
  await idle(page);
  await transcript(page).locator('.turn li', { hasText: 'demo-edit.txt' }).waitFor();
  // The same again finds the file in its place.
  await message(page).fill('Edit a file');
  await message(page).press('Enter');
  await dock(page).getByText('Replaces the whole file: 6 lines now, 5 afterwards.').waitFor();
  noProblems(visitor);
});

test('a session is found, completed, looked into, forked, exported, and its files put back', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await begin(page, 'Write the file walrus.txt for the walrus');
  await dock(page).getByText('Allow Write?').waitFor();
  await dock(page).locator('.button:not([aria-disabled])').first().waitFor();
  await dock(page).getByRole('button', { name: 'Allow', exact: true }).click();
  await idle(page);
  // The agent finds its files.
  await message(page).pressSequentially('@walr');
  await page
    .getByRole('listbox', { name: 'Suggestions' })
    .getByRole('option', { name: 'walrus.txt' })
    .click();
  assert.match(await message(page).inputValue(), /^@\S*walrus\.txt $/);
  await message(page).fill('');
  // The panel asks the agent itself.
  await page.getByRole('button', { name: 'Details' }).click();
  const side = page.getByRole('complementary', { name: 'Details' });
  await side.getByText('1 file').waitFor();
  await side.getByRole('tab', { name: 'Context' }).click();
  await side.getByText(/Context: .* of .* tokens/).waitFor();
  await side.getByRole('tab', { name: 'Files' }).click();
  await side.getByRole('searchbox').fill('walrus');
  await side.getByRole('button', { name: /walrus\.txt/ }).click();
  await side.getByText('written by the demo model').waitFor();
  await side.getByRole('button', { name: 'Close details' }).click();
  // Everything that was said is found.
  await page.keyboard.press('Alt+s');
  await page.keyboard.type('for the walrus');
  await page.locator('.hit mark', { hasText: 'for the walrus' }).first().waitFor();
  await page.keyboard.press('Escape');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Export as Markdown' }).click();
  assert.match(readFileSync(await (await saved).path(), 'utf8'), /for the walrus/);
  // What it has written goes again.
  await page.getByRole('article', { name: 'You' }).hover();
  await page.getByRole('button', { name: 'Restore files…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('1 file was put back.').waitFor();
  // The fork has what was said before, and goes on.
  const before = page.url();
  await page.getByRole('button', { name: 'Fork from here' }).click();
  await page.waitForURL((url) => url.href !== before);
  await transcript(page).getByText('for the walrus').waitFor();
  await message(page).fill('Think about it');
  await message(page).press('Enter');
  await transcript(page)
    .getByText(/Thought for/)
    .waitFor();
  await idle(page);
  noProblems(visitor);
});

test('a command is denied with words that reach the agent', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await begin(page, 'Run `touch forbidden`');
  await dock(page).getByText('touch forbidden').first().waitFor();
  await dock(page).getByRole('button', { name: 'Deny with words…' }).click();
  await page.locator('.words textarea:focus').waitFor();
  await page.keyboard.type('Rather not today');
  await page.locator('.words .primary:not([aria-disabled])').waitFor();
  await page.keyboard.press('Enter');
  await transcript(page).locator('section.tool', { hasText: 'Rather not today' }).waitFor();
  await idle(page);
  noProblems(visitor);
});

test('questions are answered in a form', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await begin(page, 'Ask me something');
  await dock(page).getByRole('radio', { name: /Green/ }).check();
  await dock(page)
    .getByRole('checkbox', { name: /Tomato/ })
    .check();
  await dock(page)
    .getByRole('checkbox', { name: /Hummus/ })
    .check();
  await dock(page).getByRole('button', { name: 'Answer', exact: true }).click();
  await transcript(page).locator('.answer', { hasText: 'Green' }).waitFor();
  await transcript(page).locator('.answer', { hasText: 'Tomato, Hummus' }).waitFor();
  noProblems(visitor);
});

test('a running turn is interrupted', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await begin(page, 'Give me a long answer');
  await transcript(page).getByRole('heading', { name: 'Part 1 of 12' }).waitFor();
  await message(page).press('Escape');
  await idle(page);
  await transcript(page).getByText('Interrupted').waitFor();
  assert.equal(await transcript(page).getByText('That was all of it.').count(), 0);
  noProblems(visitor);
});

test('a reload in the middle of the stream loses nothing, and a second browser sees the same', async () => {
  const first = await visit();
  const hash = await begin(first.page, 'Give me a long answer');
  await transcript(first.page).getByRole('heading', { name: 'Part 1 of 12' }).waitFor();
  const second = await visit(hash);
  await first.page.reload();
  for (const { page } of [first, second])
    await transcript(page).getByText('That was all of it.').waitFor();
  for (const { page } of [first, second]) await idle(page);
  const text = ({ page }) => transcript(page).locator('.answer').allInnerTexts();
  assert.deepEqual(await text(first), await text(second));
  assert.equal((await text(first)).length, 1);
  assert.equal(await transcript(first.page).getByRole('heading', { name: /^Part/ }).count(), 12);
  noProblems(first);
  noProblems(second);
});

test('a request is answered once, from either of two browsers', async () => {
  const first = await visit();
  const hash = await begin(first.page, 'Run `touch both.txt`');
  const second = await visit(hash);
  await dock(first.page).waitFor();
  await dock(second.page).getByRole('button', { name: 'Allow', exact: true }).click();
  await dock(first.page).waitFor({ state: 'detached' });
  await idle(first.page);
  assert.equal(
    await transcript(first.page).locator('section.tool', { hasText: 'touch both.txt' }).count(),
    1,
  );
  noProblems(first);
});

test('below a sub-path of a proxy everything works too', async () => {
  const proxy = await startSubPathProxy('/tools/parley/', serve.port);
  try {
    const { page } = await visit();
    const link = await page.evaluate(async () => {
      const key = localStorage.getItem('parley-key:/');
      const headers = { 'content-type': 'application/json', 'parley-key': key };
      const answer = await fetch('api/links', { method: 'POST', headers, body: '{}' });
      return (await answer.json()).path;
    });
    const visitor = await suite.open();
    await visitor.page.goto(new URL(link, proxy.url).href);
    await begin(visitor.page, 'Show a table and code');
    await transcript(visitor.page).getByRole('table').waitFor();
    assert.ok(visitor.page.url().startsWith(`${proxy.url}#/s/`));
    const cookies = await visitor.page.context().cookies();
    assert.deepEqual(
      cookies.map((cookie) => cookie.path),
      ['/tools/parley'],
    );
    noProblems(visitor);
  } finally {
    await proxy.stop();
  }
});

test('a server on another port gets the cookie, and can do nothing with it', async () => {
  const visitor = await visit();
  let cookie = '';
  const other = createServer((request, response) => {
    cookie ||= request.headers.cookie ?? '';
    response.end('another server');
  });
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    await visitor.page.goto(`http://127.0.0.1:${other.address().port}/`);
    assert.match(cookie, /^parley_\d+=/, 'browsers do send it');
    const kept = await visitor.page.evaluate(() => JSON.stringify({ ...localStorage }));
    assert.equal(kept, '{}');
    const url = new URL(serve.url);
    const headers = { cookie, origin: url.origin, 'content-type': 'application/json' };
    assert.equal((await fetch(new URL('api/sessions', url), { headers })).status, 401);
    const made = await fetch(new URL('api/links', url), { method: 'POST', headers, body: '{}' });
    assert.equal(made.status, 401);
  } finally {
    other.close();
  }
});

test('a browser signs out, and has to open a link again', async () => {
  const { page: first } = await visit();
  const link = await first.evaluate(async () => {
    const headers = {
      'content-type': 'application/json',
      'parley-key': localStorage.getItem('parley-key:/'),
    };
    return (await (await fetch('api/links', { method: 'POST', headers, body: '{}' })).json()).path;
  });
  const { page } = await suite.open();
  await page.goto(new URL(link, serve.url).href);
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the key is gone from the address');
  await page.getByRole('button', { name: 'Browsers' }).click();
  await page
    .getByRole('dialog', { name: 'Browsers' })
    .getByRole('button', { name: 'Sign out' })
    .click();
  await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('parley-key:/')), null);
  await first.reload();
  await first.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
});

test('after the server was killed and started again the page goes on by itself', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await begin(page, 'Show a table and code');
  await idle(page);
  await serve.stop('SIGKILL');
  await page.getByText('Connection lost').waitFor();
  await message(page).fill('Think about it');
  await message(page).press('Enter');
  await page.getByText('Unsent').waitFor();
  await serve.start();
  await page.getByText('Connection lost').waitFor({ state: 'detached' });
  await transcript(page).locator('.prompt', { hasText: 'Think about it' }).waitFor();
  await page.getByText('Unsent').waitFor({ state: 'detached' });
  await idle(page);
  assert.equal(await transcript(page).locator('.prompt').count(), 2);
  assert.equal(await transcript(page).getByRole('table').count(), 1);
  noProblems(visitor);
});
