// The palette, the help and the panel at the right.
import assert from 'node:assert/strict';
import { assertAccessible } from './support/axe.mjs';
import { noProblems } from './support/browser.mjs';
import { call, endTurn, result, say } from './support/scenes.mjs';
import { hub, test, visit } from './support/stub.mjs';
import { dock, drawn, message, PHONE, transcript, waitUntil } from './support/stub_suite.mjs';

const WIDE = { viewport: { width: 1440, height: 900 } };
const palette = (page) => page.getByRole('dialog', { name: 'Commands' });
const side = (page) => page.getByRole('complementary', { name: 'Details' });
const tab = (page, name) => side(page).getByRole('tab', { name });

function edited(id, path, added) {
  const structuredPatch = [
    {
      oldStart: 1,
      oldLines: 1,
      newStart: 1,
      newLines: 1 + added,
      lines: [' a', ...Array(added).fill('+b')],
    },
  ];
  const tool = call(hub, id, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' });
  result(hub, id, tool, 'done', { structured: { filePath: path, structuredPatch } });
}

test('the palette reaches sessions, settings and commands of the agent', async () => {
  const here = hub.addSession({ title: 'Here' });
  hub.addSession({ title: 'Mend the parser', cwd: '/work/other' });
  const visitor = await visit(here);
  const { page } = visitor;
  await message(page).fill('half a thought');
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('plan only');
  await assertAccessible(page, 'the palette');
  await page.keyboard.press('Enter');
  await waitUntil(() => hub.calls.some(([, path]) => path.endsWith('/mode')), 'the mode');
  assert.deepEqual(hub.calls.at(-1)[2], { mode: 'plan' });
  // What was being written is still there, and the focus with it.
  assert.equal(await message(page).inputValue(), 'half a thought');
  await message(page).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('/cost');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#message').value.startsWith('/cost'));
  assert.match(await message(page).inputValue(), /half a thought$/);
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('parser oth');
  await palette(page)
    .getByRole('option', { name: /Mend the parser/ })
    .click();
  await page.getByRole('heading', { name: 'Mend the parser', level: 1 }).waitFor();
  noProblems(visitor);
});

test('what was done in the palette cannot answer a request behind it', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const answer = hub.request(id, { tool_name: 'Bash', input: { command: 'rm -rf /' } });
  let answered = false;
  void answer.then(() => (answered = true));
  await dock(page).locator('.button:not([aria-disabled])').first().waitFor();
  await page.keyboard.press('Alt+r');
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type('yyyn1');
  await palette(page).getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
  // The keys that follow were aimed at the palette, which has gone a moment too early.
  // (One more Escape would stop the turn, and with it the request.)
  for (const key of ['y', 'n', '1']) await page.keyboard.press(key);
  await drawn(page);
  assert.equal(answered, false);
  await dock(page).waitFor();
});

test('the help has the keys, and what the agent has and can do', async () => {
  const id = hub.addSession();
  hub.agentInfo.agents = [{ name: 'Explore', description: 'Looks around' }];
  hub.agent(id, {
    type: 'system',
    subtype: 'init',
    tools: ['Bash', 'mcp__calc__add'],
    skills: ['review'],
    plugins: [{ name: 'extra' }],
    claude_code_version: '2.1.325',
  });
  const { page } = await visit(id);
  await transcript(page).focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and help' });
  for (const text of ['Alt+R', '/compact', 'Explore', 'calc › add', 'review', 'extra', /2\.1\.325/])
    await help.getByText(text).first().waitFor();
  await assertAccessible(page, 'the help');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
});

test('changes are listed by file and by turn, and lead to where they were made', async () => {
  const id = hub.addSession({ title: 'Changes' });
  edited(id, '/work/demo/a.ts', 2);
  endTurn(hub, id);
  for (let index = 0; index < 30; index += 1) say(hub, id, `Paragraph ${index}\n\nmore`);
  edited(id, '/work/demo/b.ts', 1);
  edited(id, '/work/demo/a.ts', 3);
  endTurn(hub, id);
  const { page } = await visit(id, WIDE);
  await page.keyboard.press('Alt+p');
  await side(page).getByText('2 files, +6 −0').waitFor();
  assert.deepEqual(
    await side(page).locator('.changed-files').first().locator('.path').allInnerTexts(),
    ['a.ts', 'b.ts'],
  );
  await assertAccessible(page, 'changes');
  // The oldest of the turns: its row is far above, and comes into view.
  await side(page).locator('.changed-files').last().getByRole('button', { name: /a\.ts/ }).click();
  await page.locator('.tool', { hasText: 'a.ts' }).first().locator('.tool-head:focus').waitFor();
  // It stays open after a reload.
  await page.reload();
  await side(page).getByText('2 files, +6 −0').waitFor();
  await side(page).getByRole('button', { name: 'Close details' }).click();
  await side(page).waitFor({ state: 'detached' });
});

test('the panel says what fills the context, and what it costs', async () => {
  hub.answers.get_context_usage = () => ({
    categories: [
      { name: 'System prompt', tokens: 3000 },
      { name: 'Messages', tokens: 160_000 },
      { name: 'Free space', tokens: 37_000 },
    ],
    totalTokens: 163_000,
    maxTokens: 200_000,
  });
  const id = hub.addSession({ title: 'Context' });
  const modelUsage = {
    'claude-opus-5-5': {
      contextWindow: 200_000,
      costUSD: 0.3,
      inputTokens: 1200,
      outputTokens: 400,
    },
  };
  for (const cost of [0.1, 0.2]) endTurn(hub, id, { cost, modelUsage });
  const { page } = await visit(id, WIDE);
  await page.getByRole('button', { name: 'Details' }).click();
  await tab(page, 'Context').click();
  await side(page).getByText('It is almost full').waitFor();
  await side(page).getByText('Messages').waitFor();
  assert.equal(await side(page).getByText('Free space').count(), 0);
  await side(page).getByText('Cost of this session: $0.30').waitFor();
  await side(page).getByText('1k in, 400 out').waitFor();
  await side(page).getByText('Cost by turn').waitFor();
  await assertAccessible(page, 'context and cost');
});

test('MCP servers say how they are, and are turned on, off and connected again', async () => {
  let enabled = true;
  hub.answers.mcp_status = () => ({
    mcpServers: [
      { name: 'calc', status: enabled ? 'connected' : 'disabled', tools: [{ name: 'add' }] },
      { name: 'broken', status: 'failed', error: 'spawn ENOENT' },
    ],
  });
  hub.answers.mcp_toggle = (request) => ((enabled = request.enabled), {});
  hub.answers.mcp_reconnect = () => ({});
  const id = hub.addSession({ title: 'MCP' });
  const { page } = await visit(id, WIDE);
  await page.keyboard.press('Alt+p');
  await tab(page, 'MCP').click();
  await side(page).getByText('spawn ENOENT').waitFor();
  await side(page).getByText('1 tool').click();
  await side(page).getByText('add').waitFor();
  await assertAccessible(page, 'MCP servers');
  const calc = side(page).getByRole('listitem').filter({ hasText: 'calc' }).first();
  await calc.getByRole('button', { name: 'Turn off' }).click();
  await calc.getByRole('button', { name: 'Turn on' }).waitFor();
  await side(page).getByRole('button', { name: 'Reconnect' }).click();
  await waitUntil(
    () => hub.calls.some(([, , body]) => body.request?.subtype === 'mcp_reconnect'),
    'the second try',
  );
});

test('files are found, looked at, and named in the message', async () => {
  hub.answers.file_suggestions = ({ query }) => ({
    suggestions: ['src/main.ts', 'src/parser.ts'].flatMap((path) =>
      path.includes(query) ? [{ path }] : [],
    ),
  });
  hub.texts['src/parser.ts'] = 'export const limit = 12;\n';
  const id = hub.addSession({ title: 'Files' });
  const { page } = await visit(id, WIDE);
  await page.keyboard.press('Alt+p');
  await tab(page, 'Files').click();
  await side(page).getByRole('searchbox').fill('pars');
  await side(page).getByRole('button', { name: 'src/parser.ts' }).click();
  await side(page).getByText('export const limit').waitFor();
  await assertAccessible(page, 'a file');
  await side(page).getByRole('button', { name: 'Name it in the message' }).click();
  await page.waitForFunction(() => document.querySelector('#message').value === '@src/parser.ts ');
});

test('what runs is in the panel, with what it has printed', async () => {
  hub.answers.get_task_output = () => ({ output: 'watching 12 files' });
  const id = hub.addSession({ title: 'Work' });
  hub.agent(id, {
    type: 'system',
    subtype: 'task_started',
    task_id: 'job',
    description: 'Watch',
    is_backgrounded: true,
    task_type: 'local_bash',
  });
  const { page } = await visit(id, WIDE);
  await page.keyboard.press('Alt+p');
  await tab(page, 'Work').click();
  await side(page).getByRole('button', { name: 'Watch', exact: true }).click();
  await side(page).getByText('watching 12 files').waitFor();
  await side(page).getByRole('button', { name: 'Stop: Watch' }).click();
  await waitUntil(
    () => hub.calls.some(([, , body]) => body.request?.subtype === 'stop_task'),
    'the stop',
  );
});

test('a session is forked from a turn, and before a prompt that is said otherwise there', async () => {
  const id = hub.addSession({ title: 'Fork' });
  const turn = (client_id, content, uuid) => {
    hub.emit(id, { kind: 'prompt', client_id, content, by: 'page' });
    hub.agent(id, {
      type: 'assistant',
      uuid,
      message: { id: uuid, role: 'assistant', content: [{ type: 'text', text: `To ${content}` }] },
    });
    endTurn(hub, id);
  };
  turn('p1', 'First', 'u1');
  turn('p2', 'Second', 'u2');
  const { page } = await visit(id);
  await page.getByRole('button', { name: 'Fork from here' }).first().click();
  await page.getByRole('heading', { name: 'A fork', level: 1 }).waitFor();
  assert.deepEqual(hub.calls.at(-1)[2], { up_to: 'u1' });
  assert.equal(await message(page).inputValue(), '');
  await page.goBack();
  await page.getByText('To Second').waitFor();
  await page.getByRole('article', { name: 'You' }).last().hover();
  await page.getByRole('button', { name: 'Fork before this' }).click();
  await page.getByRole('heading', { name: 'A fork', level: 1 }).waitFor();
  assert.deepEqual(hub.calls.at(-1)[2], { up_to: 'u1' });
  assert.equal(await message(page).inputValue(), 'Second');
});

test('files are put back after the user has seen which ones', async () => {
  const id = hub.addSession({ title: 'Back' });
  hub.emit(id, { kind: 'prompt', client_id: 'p1', content: 'Change things', by: 'page' });
  endTurn(hub, id);
  const asked = [];
  hub.answers.rewind_files = (request) => {
    asked.push(request);
    return { canRewind: true, filesChanged: ['/work/demo/a.ts', '/etc/b'] };
  };
  const { page } = await visit(id);
  const restore = async () => {
    await page.getByRole('article', { name: 'You' }).hover();
    await page.getByRole('button', { name: 'Restore files…' }).click();
    await page.getByRole('dialog').getByText('2 files').waitFor();
  };
  await restore();
  await page.getByRole('dialog').getByText('a.ts, /etc/b').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(
    asked.map(({ dry_run }) => dry_run),
    [true],
    'Enter restores nothing',
  );
  await restore();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('2 files were put back.').waitFor();
  assert.deepEqual(asked.at(-1), {
    subtype: 'rewind_files',
    user_message_id: 'p1',
    dry_run: false,
  });
});

test('the page speaks the language of the browser, or the one that was chosen', async () => {
  const { page } = await visit(null, { locale: 'de-DE' });
  await page.getByRole('heading', { name: 'Woran arbeiten wir?' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
  await page.getByRole('textbox', { name: 'Nachricht' }).fill('noch nicht gesendet');
  await page.getByRole('button', { name: 'Einstellungen' }).click();
  await assertAccessible(page, 'settings');
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('zh');
  await page.getByRole('heading', { name: '我们来做什么？' }).waitFor();
  assert.equal(
    await page.getByRole('textbox', { name: '消息' }).inputValue(),
    'noch nicht gesendet',
  );
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh');
  await page.getByRole('button', { name: '设置' }).click();
  await page.getByRole('combobox', { name: '语言' }).selectOption('en');
  await page.getByRole('heading', { name: 'What shall we work on?' }).waitFor();
});

test('a session is saved as a file', async () => {
  const id = hub.addSession({ title: 'What/ever: it is' });
  const { page } = await visit(id);
  await page.getByRole('button', { name: 'More actions' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as Markdown' }).click();
  assert.equal((await download).suggestedFilename(), 'What ever it is.md');
});

test('a hidden page tells of what needs the user, once they have wished so', async () => {
  const id = hub.addSession({ title: 'Far away' });
  const { page, context } = await visit(null);
  await context.grantPermissions(['notifications']);
  await page.evaluate(() => {
    globalThis.told = [];
    const Real = globalThis.Notification;
    globalThis.Notification = class {
      static permission = 'granted';
      static requestPermission = () => Real.requestPermission().then(() => 'granted');
      constructor(title, { body }) {
        globalThis.told.push(`${title}: ${body}`);
      }
    };
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  });
  hub.emit(id, { kind: 'state', state: 'running' });
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('notify me');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => localStorage.getItem('parley.notify') === 'yes');
  void hub.request(id, { tool_name: 'Bash', input: { command: 'ls' } });
  await page.waitForFunction(() => globalThis.told.includes('Far away: needs an answer'));
  hub.emit(id, { kind: 'state', state: 'failed' });
  await page.waitForFunction(() => globalThis.told.includes('Far away: has failed'));
});

test('on a phone the panel lies over the conversation, and goes with a tap beside it', async () => {
  const id = hub.addSession({ title: 'Phone' });
  const { page } = await visit(id, PHONE);
  await page.getByRole('button', { name: 'Details' }).tap();
  await side(page).getByText('This session has changed no files.').waitFor();
  const box = await side(page).boundingBox();
  assert.ok(box.width <= 390 * 0.93 && box.x + box.width === 390);
  await assertAccessible(page, 'the panel on a phone');
  await page.touchscreen.tap(10, 400);
  await side(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
});
