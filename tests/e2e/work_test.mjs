// Work as a user does it all day: seeing what goes on, finding sessions, writing messages, deciding.
import assert from 'node:assert/strict';
import { assertAccessible } from './support/axe.mjs';
import { noProblems } from './support/browser.mjs';
import { call, endTurn, result, say, stream } from './support/scenes.mjs';
import { hub, test, visit } from './support/stub.mjs';
import { DOT, dock, drawn, message, still, transcript, waitUntil } from './support/stub_suite.mjs';

const row = (page, name) => page.locator('.tool', { hasText: name }).first();
const background = (id, tool, more = {}) => {
  hub.agent(id, {
    type: 'system',
    subtype: 'background_tasks_changed',
    tasks: [{ task_id: 'job' }],
  });
  hub.agent(id, {
    type: 'system',
    subtype: 'task_started',
    task_id: 'job',
    tool_use_id: tool,
    description: 'Watch the sources',
    is_backgrounded: true,
    task_type: 'local_bash',
    ...more,
  });
};

test('what runs, waits, was stopped or failed says so in words', async () => {
  const id = hub.addSession({ title: 'States', state: 'running' });
  const { page } = await visit(id);
  const failed = call(hub, id, 'Bash', { command: 'make broken' });
  result(hub, id, failed, 'Exit code 2\nno rule', { error: true });
  const stopped = call(hub, id, 'Bash', { command: 'sleep 100' });
  result(hub, id, stopped, "The user doesn't want to proceed with this tool use. STOP.", {
    error: true,
  });
  hub.agent(id, {
    type: 'assistant',
    message: {
      id: 'together',
      role: 'assistant',
      content: ['first', 'second'].map((command) => ({
        type: 'tool_use',
        id: command,
        name: 'Bash',
        input: { command },
      })),
    },
  });
  await row(page, 'make broken').getByText('failed', { exact: true }).waitFor();
  await row(page, 'make broken').getByText('exit 2').waitFor();
  await row(page, 'sleep 100').getByText('stopped', { exact: true }).waitFor();
  assert.equal(
    await page.getByText('want to proceed').count(),
    0,
    'words for the model are not shown',
  );
  await row(page, 'first').getByText('running', { exact: true }).waitFor();
  await row(page, 'second').getByText('waits its turn').waitFor();
  await row(page, 'first').locator('.time', { hasText: /\d s/ }).waitFor();
});

test('what works in the background is seen after its turn, and can be stopped', async () => {
  const id = hub.addSession({ title: 'Watch', state: 'running' });
  const { page } = await visit(id);
  const tool = call(hub, id, 'Bash', { command: 'npm run watch', run_in_background: true });
  background(id, tool);
  result(hub, id, tool, 'Command running in background with ID: job.', {
    structured: { stdout: '', backgroundTaskId: 'job' },
  });
  say(hub, id, 'It watches.');
  endTurn(hub, id);
  await page.locator('header').getByText('works in the background').waitFor();
  await row(page, 'npm run watch').getByText('in the background').waitFor();
  const strip = page.getByRole('list', { name: 'In the background' });
  await strip.getByText('Watch the sources').waitFor();
  await assertAccessible(page, 'work in the background');
  await strip.getByRole('button', { name: 'Stop: Watch the sources' }).click();
  await waitUntil(() => hub.calls.length > 0, 'the stop');
  assert.deepEqual(hub.calls.at(-1)[2], { request: { subtype: 'stop_task', task_id: 'job' } });
  hub.agent(id, {
    type: 'system',
    subtype: 'task_notification',
    task_id: 'job',
    tool_use_id: tool,
    status: 'stopped',
  });
  hub.agent(id, { type: 'system', subtype: 'background_tasks_changed', tasks: [] });
  await strip.waitFor({ state: 'detached' });
  await row(page, 'npm run watch').getByText('stopped', { exact: true }).waitFor();
  await transcript(page).getByText('was stopped').waitFor();
});

test('many calls that only look are one line, which opens to them', async () => {
  const id = hub.addSession({ title: 'Look', state: 'running' });
  const { page } = await visit(id);
  for (const name of ['a.ts', 'b.ts', 'c.ts']) {
    const tool = call(hub, id, 'Read', { file_path: `/work/demo/${name}` });
    const file = { filePath: name, content: 'const x = 1;', numLines: 1, startLine: 7 };
    result(hub, id, tool, '7\tconst x = 1;', { structured: { type: 'text', file } });
  }
  const group = page.getByRole('button', { name: /Read 3 files/ });
  await group.click();
  await page.getByRole('button', { name: /^Read b\.ts/ }).click();
  const listing = page.locator('.listing');
  await listing.getByText('7').waitFor();
  assert.ok((await listing.locator('.hljs-keyword').count()) > 0, 'it has colours');
});

test('a file whose language has no colours is shown all the same', async () => {
  const id = hub.addSession({ title: 'Plain', state: 'running' });
  const { page } = await visit(id);
  const tool = call(hub, id, 'Read', { file_path: '/work/demo/notes.txt' });
  const file = { filePath: 'notes.txt', content: 'a bar of chocolate', numLines: 1, startLine: 1 };
  result(hub, id, tool, '1\tx', { structured: { type: 'text', file } });
  const loaded = page.waitForResponse(/languages/);
  await page.getByRole('button', { name: /^Read notes\.txt/ }).click();
  await loaded;
  await drawn(page);
  await page.locator('.listing').getByText('a bar of chocolate').waitFor();
});

test('the list of what is to do stands once above the message field', async () => {
  const id = hub.addSession({ title: 'List', state: 'running' });
  const { page } = await visit(id);
  const write = (status) => {
    const todos = [
      { content: 'Read the code', status: 'completed', activeForm: 'Reading' },
      { content: 'Mend it', status, activeForm: 'Mending it' },
    ];
    result(hub, id, call(hub, id, 'TodoWrite', { todos }), 'ok');
  };
  write('in_progress');
  const strip = page.getByRole('region', { name: 'Tasks' });
  await strip.getByText('1/2').waitFor();
  await strip.getByText('Mending it').waitFor();
  await strip.getByRole('button').click();
  await strip.getByText('Read the code').waitFor();
  await assertAccessible(page, 'the list of what is to do');
  write('completed');
  await strip.getByText('2/2').waitFor();
  endTurn(hub, id);
  await strip.waitFor({ state: 'detached' });
});

test('what is sent while reading further up is seen', async () => {
  const id = hub.addSession({ title: 'Long' });
  for (let index = 0; index < 40; index += 1) say(hub, id, `Paragraph ${index}\n\nmore`);
  const { page } = await visit(id);
  await transcript(page).hover();
  await page.mouse.wheel(0, -3000);
  await still(transcript(page));
  await message(page).fill('And now this');
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: 'You' }).getByText('And now this').waitFor();
  await still(transcript(page));
  const bottom = await transcript(page).evaluate(
    (scroller) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
  );
  assert.ok(bottom < 5, `${bottom} px from the end`);
  // And back to where it was said, from anywhere.
  for (let index = 0; index < 40; index += 1) say(hub, id, `Answer ${index}\n\nmore`);
  await page.getByText('Answer 39').waitFor();
  await transcript(page).hover();
  await page.mouse.wheel(0, -200);
  await page.getByRole('button', { name: 'Jump to your last message' }).click();
  await still(transcript(page));
  const top = await page.getByText('And now this').evaluate((element) => {
    const scroller = element.closest('[role=region]');
    return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  });
  assert.ok(top >= 0 && top < 80, `${top} px below the top`);
});

test('a prompt of hundreds of kilobytes is a few lines until it is wanted', async () => {
  const id = hub.addSession({ title: 'Log' });
  const text = Array.from({ length: 8000 }, (_, line) => `${line} something happened here`);
  hub.emit(id, { kind: 'prompt', client_id: 'p', content: text.join('\n'), by: 'page' });
  const { page } = await visit(id);
  const bubble = page.locator('.bubble');
  assert.ok((await bubble.boundingBox()).height < 600);
  await bubble.getByRole('button', { name: /Show all/ }).click();
  await bubble.getByText('7999 something happened here').waitFor();
  assert.ok((await bubble.boundingBox()).height < 900);
});

test('the draft of a new session and its pictures survive leaving and a reload', async () => {
  hub.addSession({ title: 'Another' });
  const { page } = await visit(null);
  await message(page).fill('The first thing');
  await page.locator('input[type=file]').setInputFiles({
    name: 'dot.png',
    mimeType: 'image/png',
    buffer: Buffer.from(DOT, 'base64'),
  });
  await page.getByRole('button', { name: 'Remove image' }).waitFor();
  await page.getByRole('link', { name: /Another/ }).click();
  await transcript(page).waitFor();
  assert.equal(await message(page).inputValue(), '');
  await page.getByRole('link', { name: 'New session' }).click();
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
  assert.equal(await message(page).inputValue(), 'The first thing');
  await page.reload();
  await page.getByRole('button', { name: 'Remove image' }).waitFor();
  assert.equal(await message(page).inputValue(), 'The first thing');
  await message(page).press('Enter');
  await transcript(page).waitFor();
  const [, path, body] = hub.calls.at(-1);
  assert.equal(path, '/api/sessions');
  assert.deepEqual(
    body.prompt.map(({ type }) => type),
    ['image', 'text'],
  );
  // What was sent is no draft any more.
  await page.getByRole('link', { name: 'New session' }).click();
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
  assert.equal(await message(page).inputValue(), '');
});

test('what is written while a session starts is not lost', async () => {
  let release;
  hub.createWaits = new Promise((resolve) => (release = resolve));
  const { page } = await visit(null);
  await message(page).fill('First');
  await page.keyboard.press('Enter');
  await waitUntil(() => hub.calls.length > 0, 'the wish for a session');
  await page.keyboard.type(' and more');
  release();
  await transcript(page).waitFor();
  await page.getByRole('link', { name: 'New session' }).click();
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
  assert.equal(await message(page).inputValue(), 'First and more');
});

test('Enter on the empty start page starts nothing', async () => {
  const { page } = await visit(null);
  await message(page).focus();
  await page.keyboard.press('Enter');
  await drawn(page);
  assert.deepEqual(hub.calls, []);
});

test('what the agent can do is completed after a slash, its files after an @', async () => {
  hub.answers.file_suggestions = ({ query }) => ({
    suggestions: [{ path: `src/${query}er.ts` }, { path: 'src/' }],
  });
  const id = hub.addSession({ title: 'Complete' });
  const { page } = await visit(id);
  await message(page).pressSequentially('/co');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await list.getByRole('option', { name: /\/compact \[instructions\]/ }).waitFor();
  await assertAccessible(page, 'suggestions');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await message(page).inputValue(), '/cost ');
  // Escape closes the list first, and takes no words.
  await message(page).fill('/c');
  await message(page).pressSequentially('o');
  await list.waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  assert.equal(await message(page).inputValue(), '/co');
  await message(page).fill('');
  await message(page).pressSequentially('Look at @pars');
  await list.getByRole('option', { name: 'src/parser.ts' }).click();
  assert.equal(await message(page).inputValue(), 'Look at @src/parser.ts ');
});

test('Up brings back what was sent, and gives way to what is written', async () => {
  const id = hub.addSession({ title: 'Recall' });
  for (const [client_id, content] of Object.entries({ a: 'First', b: 'Second' })) {
    hub.emit(id, { kind: 'prompt', client_id, content, by: 'page' });
    endTurn(hub, id);
  }
  const { page } = await visit(id);
  await message(page).focus();
  for (const expected of ['Second', 'First', 'First']) {
    await page.keyboard.press('ArrowUp');
    assert.equal(await message(page).inputValue(), expected);
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await message(page).inputValue(), '');
  await message(page).fill('Mine');
  await page.keyboard.press('ArrowUp');
  assert.equal(await message(page).inputValue(), 'Mine');
});

test('an edit is shown with its true lines before it happens', async () => {
  const id = hub.addSession({ title: 'Edit' });
  const path = '/work/demo/notes.txt';
  const text = Array.from({ length: 120 }, (_, line) => `line ${line + 1}`).join('\n');
  hub.files[path] = { kind: 'file', bytes: text.length, lines: 120 };
  hub.texts[path] = text;
  const { page } = await visit(id);
  const edit = (old_string, new_string, file_path = path) =>
    hub.request(id, { tool_name: 'Edit', input: { file_path, old_string, new_string } });
  const answer = edit('line 100\n', 'line one hundred\n');
  await dock(page).locator('.diff-row.removed .line', { hasText: '100' }).waitFor();
  await dock(page).locator('.diff-row.same', { hasText: 'line 99' }).waitFor();
  await dock(page).locator('.button:not([aria-disabled])').first().waitFor();
  await dock(page).getByRole('button', { name: 'Allow', exact: true }).click();
  assert.deepEqual(await answer, { behavior: 'allow' });
  void edit('not there', 'x');
  await dock(page).getByText('the edit would fail').waitFor();
  await dock(page).locator('.button:not([aria-disabled])').first().waitFor();
  await dock(page).getByRole('button', { name: 'Deny', exact: true }).click();
  await dock(page).waitFor({ state: 'detached' });
  void edit('a', 'b', '/etc/hosts');
  await dock(page).getByText('outside of the folder').waitFor();
});

test('an overwrite shows what it takes away', async () => {
  const id = hub.addSession({ title: 'Overwrite' });
  const path = '/work/demo/notes.txt';
  hub.files[path] = { kind: 'file', bytes: 8, lines: 2 };
  hub.texts[path] = 'kept\ngone\n';
  const { page } = await visit(id);
  void hub.request(id, { tool_name: 'Write', input: { file_path: path, content: 'kept\nnew\n' } });
  await dock(page).getByText('Replaces the whole file: 2 lines now').waitFor();
  await dock(page).locator('.diff-row.removed', { hasText: 'gone' }).waitFor();
  await dock(page).locator('.diff-row.added', { hasText: 'new' }).waitFor();
});

test('a command is changed before it is allowed; what was changed does not count when it is closed', async () => {
  const id = hub.addSession({ title: 'Change' });
  const { page } = await visit(id);
  const ask = () =>
    hub.request(id, {
      tool_name: 'Bash',
      input: { command: 'rm -rf build', description: 'Clean' },
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'rm *' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    });
  let answer = ask();
  await dock(page).getByText('this project, for you, saved').waitFor();
  await dock(page).getByRole('button', { name: 'Change it first…' }).click();
  const field = dock(page).getByRole('textbox', { name: 'What is allowed instead' });
  await field.fill('rm -rf build/tmp');
  assert.equal(await dock(page).getByText('Always allow').count(), 0);
  // Its letters are letters, and Escape goes back without a decision.
  await field.press('y');
  await field.press('Backspace');
  await field.press('Escape');
  await dock(page).getByText('rm -rf build', { exact: true }).waitFor();
  await dock(page).getByRole('button', { name: 'Change it first…' }).click();
  assert.equal(await field.inputValue(), 'rm -rf build/tmp');
  await assertAccessible(page, 'a changed command');
  await dock(page).locator('.button:not([aria-disabled])').first().waitFor();
  await dock(page).getByRole('button', { name: 'Allow this' }).click();
  assert.deepEqual(await answer, {
    behavior: 'allow',
    updatedInput: { command: 'rm -rf build/tmp', description: 'Clean' },
  });
  answer = ask();
  await dock(page).getByRole('button', { name: 'Change it first…' }).click();
  await field.fill('other');
  await dock(page).getByRole('button', { name: 'Back to what was asked' }).click();
  await dock(page).locator('.button:not([aria-disabled])').first().waitFor();
  await dock(page).getByRole('button', { name: 'Allow', exact: true }).click();
  assert.deepEqual(await answer, { behavior: 'allow' });
});

test('a problem closes by Escape, and by itself', async () => {
  hub.refusedModes = ['plan'];
  const id = hub.addSession({ title: 'Toast' });
  const { page } = await visit(id);
  await page.clock.install();
  const toast = page.getByRole('alert');
  const refuse = async () => {
    await page.getByRole('combobox', { name: 'Permissions' }).selectOption('plan');
    await toast.waitFor();
  };
  await refuse();
  assert.equal(await page.getByRole('combobox', { name: 'Permissions' }).inputValue(), 'default');
  await page.keyboard.press('Escape');
  await toast.waitFor({ state: 'detached' });
  await refuse();
  await page.clock.fastForward(13_000);
  await toast.waitFor({ state: 'detached' });
});

test('the list has what needs the user on top, folds projects, and is walked with arrows', async () => {
  for (let index = 0; index < 12; index += 1)
    hub.addSession({ title: `Old ${index}`, updated: Date.now() - index * 60_000 });
  hub.addSession({ title: 'Asks', state: 'waiting', pending: 1, cwd: '/work/other' });
  hub.addSession({ title: 'Works', state: 'running' });
  hub.found = {
    count: 1,
    hits: [
      {
        session: [...hub.sessions.keys()][0],
        kind: 'answer',
        timestamp: '',
        before: 'the ',
        match: 'needle',
        after: ' in it',
      },
    ],
  };
  const visitor = await visit(null);
  const { page } = visitor;
  const list = page.getByRole('navigation', { name: 'Sessions' });
  assert.deepEqual(await list.getByRole('heading').allInnerTexts(), [
    'Needs you',
    'Working',
    'demo',
  ]);
  assert.equal(await list.getByRole('link', { name: /^Old/ }).count(), 5);
  await list.getByRole('button', { name: '7 more' }).click();
  assert.equal(await list.getByRole('link', { name: /^Old/ }).count(), 12);
  await list.getByRole('searchbox').focus();
  for (const expected of [/^Asks/, /^Works/, /^Old 0/]) {
    await page.keyboard.press('ArrowDown');
    assert.match(await page.evaluate(() => document.activeElement.innerText), expected);
  }
  await assertAccessible(page, 'the list');
  await list.getByRole('searchbox').fill('needle');
  await list.getByText('In messages (1)').waitFor();
  await list.getByRole('link', { name: /needle/ }).click();
  await page.getByRole('heading', { name: 'Old 0' }).waitFor();
  noProblems(visitor);
});

test('hundreds of projects are a short list, which has the one that is looked at', async () => {
  let last;
  for (let index = 0; index < 60; index += 1)
    last = hub.addSession({
      title: `In ${index}`,
      cwd: `/work/project-${index}`,
      updated: Date.now() - index * 60_000,
    });
  const { page } = await visit(last);
  const entries = page.getByRole('link', { name: /^In \d/ });
  assert.equal(await entries.count(), 21);
  await page.getByRole('link', { name: /^In 59/ }).waitFor();
  await page.getByRole('button', { name: '39 more projects' }).click();
  assert.equal(await entries.count(), 41);
});

test('a session that has ended its turn elsewhere has news until it is opened', async () => {
  const here = hub.addSession({ title: 'Here' });
  const there = hub.addSession({ title: 'There' });
  const { page } = await visit(here);
  const answer = stream(hub, there);
  answer.add('Done.');
  answer.finish();
  const link = page.getByRole('link', { name: /^There/ });
  await link.and(page.getByRole('link', { name: /has news/ })).waitFor();
  await link.click();
  await page.getByText('Done.').waitFor();
  await page.getByRole('link', { name: /^There.*idle/ }).waitFor();
});

test('a lost connection stops what moves, and says that nobody knows', async () => {
  const id = hub.addSession({ title: 'Moves', state: 'running' });
  const { page } = await visit(id);
  stream(hub, id).add('Half a sent');
  await page.locator('.working').waitFor();
  hub.closed = true;
  hub.dropSockets();
  await page.locator('header').getByText('offline').waitFor();
  await page.locator('.working').waitFor({ state: 'hidden' });
});

test('models of a fresh server are offered once an agent runs, by the name of what was chosen', async () => {
  const models = [
    { value: 'default', displayName: 'Default', resolvedModel: 'claude-opus-5-5' },
    { value: 'opus', displayName: 'Opus 5.5', resolvedModel: 'claude-opus-5-5' },
  ];
  hub.info.models = [];
  const id = hub.addSession({ title: 'Fresh', state: 'starting' });
  const { page } = await visit(id);
  hub.info.models = models;
  hub.emit(id, { kind: 'state', state: 'idle' });
  const chip = page.getByRole('combobox', { name: 'Model' });
  await page.getByRole('option', { name: 'Opus 5.5' }).waitFor({ state: 'attached' });
  assert.equal(await chip.inputValue(), 'opus');
  assert.equal(await chip.locator('option').count(), 2);
});
