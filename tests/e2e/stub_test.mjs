// The page in real Chromium against the stub hub: what an agent does rarely, badly or with intent.
import assert from 'node:assert/strict';
import { assertAccessible } from './support/axe.mjs';
import { noProblems } from './support/browser.mjs';
import { call, endTurn, play, result, say, stream, think } from './support/scenes.mjs';
import { hub, open, test, visit } from './support/stub.mjs';
import {
  DOT,
  dock,
  drawn,
  message,
  pressUntilAnswered,
  still,
  transcript,
  waitUntil,
} from './support/stub_suite.mjs';

test('a new session starts with its prompt, and the answer streams in', async () => {
  hub.onPrompt = (id) => {
    const answer = stream(hub, id);
    answer.add('# Hello\n\nThis is **bo');
    answer.add('ld** and `code`.\n\n- one\n- two\n');
    answer.finish();
  };
  const visitor = await visit(null);
  const { page } = visitor;
  await message(page).fill('Say hello');
  await message(page).press('Enter');
  await transcript(page).getByRole('heading', { name: 'Hello' }).waitFor();
  assert.equal(await transcript(page).locator('strong').innerText(), 'bold');
  assert.equal(await transcript(page).locator('li').count(), 2);
  assert.match(page.url(), /#\/s\//);
  assert.deepEqual(hub.calls[0][2].prompt, 'Say hello');
  await page.getByLabel(/^Context: 42k of 200k/).waitFor();
  noProblems(visitor);
});

test('an edit is approved by key and its diff is shown', async () => {
  const id = hub.addSession({ title: 'Edit', cwd: '/tmp/p/work' });
  const visitor = await visit(id);
  const { page } = visitor;
  const played = play(hub, id, 'tool_edit');
  await dock(page).getByText('Allow Edit?').waitFor();
  assert.equal(await dock(page).locator('.diff-row.added').innerText(), '+\nnew text here');
  await pressUntilAnswered(page, 'y');
  await played;
  const row = transcript(page).locator('section.tool', { hasText: 'Edit' });
  await row.locator('.diff-row.removed mark', { hasText: 'old' }).waitFor();
  assert.equal(await row.locator('.counts').textContent(), '+1−1');
  await transcript(page).locator('.turn li', { hasText: 'a.txt' }).waitFor();
  noProblems(visitor);
});

test('a suggestion goes back unchanged with the permission', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const rule = {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'make *' }],
    behavior: 'allow',
    destination: 'localSettings',
  };
  const answer = hub.request(id, {
    tool_name: 'Bash',
    input: { command: 'make all' },
    permission_suggestions: [rule],
  });
  await dock(page).getByRole('button', { name: 'Always allow Bash(make *)' }).click();
  assert.deepEqual(await answer, {
    behavior: 'allow',
    updatedPermissions: [rule],
  });
});

test('a request is denied with words', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const answer = hub.request(id, { tool_name: 'Bash', input: { command: 'rm -rf build' } });
  await dock(page).getByRole('button', { name: 'Deny with words…' }).click();
  await page.locator('.words textarea:focus').waitFor();
  await page.keyboard.type('Use the clean target instead');
  await page.locator('.words .primary:not([aria-disabled])').waitFor();
  await page.keyboard.press('Enter');
  assert.deepEqual(await answer, { behavior: 'deny', message: 'Use the clean target instead' });
  await dock(page).waitFor({ state: 'detached' });
});

test('the input of a tool that is not known is shown once', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  hub.request(id, { tool_name: 'mcp__forge__open', input: { subject: 'Flaky' } });
  await dock(page).getByText('Allow forge › open?').waitFor();
  assert.equal(await dock(page).getByText('Flaky').count(), 1);
});

test('what hides in a command is visible before it is allowed', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  hub.request(id, { tool_name: 'Bash', input: { command: 'echo \u202egnp.sh\u001b[8m; rm x' } });
  await dock(page).locator('.command', { hasText: '⟨U+202E⟩gnp.sh⟨U+001B⟩[8m; rm x' }).waitFor();
});

test('questions are answered by their text, several labels joined', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const questions = [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [{ label: 'Red', description: 'warm' }, { label: 'Blue' }],
    },
    {
      question: 'Which parts?',
      header: 'Parts',
      multiSelect: true,
      options: [{ label: 'Door' }, { label: 'Roof' }],
    },
  ];
  const answer = hub.request(id, { tool_name: 'AskUserQuestion', input: { questions } });
  const form = dock(page);
  assert.equal(await form.getByRole('button', { name: 'Answer', exact: true }).isDisabled(), true);
  await form.getByRole('radio', { name: /Blue/ }).check();
  await form.getByRole('checkbox', { name: /Door/ }).check();
  await form
    .getByRole('group', { name: /parts/ })
    .getByPlaceholder('Something else…')
    .fill('Chimney');
  await form.getByRole('button', { name: 'Answer', exact: true }).click();
  assert.deepEqual(await answer, {
    behavior: 'allow',
    updatedInput: {
      questions,
      answers: { 'Which colour?': 'Blue', 'Which parts?': 'Door, Chimney' },
    },
  });
});

test('a plan is approved with the mode that follows it', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const tool = call(hub, id, 'ExitPlanMode', { plan: '## Steps\n\n1. Do it' });
  const answer = hub.request(id, { tool_name: 'ExitPlanMode', input: {}, tool_use_id: tool });
  await dock(page).getByRole('heading', { name: 'Steps' }).waitFor();
  await dock(page)
    .getByRole('button', { name: /accept edits/ })
    .click();
  assert.deepEqual((await answer).updatedPermissions, [
    { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
  ]);
});

test('a plan is sent back with words; Escape returns to the choices', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const answer = hub.request(id, { tool_name: 'ExitPlanMode', input: { plan: 'Do it' } });
  await dock(page)
    .getByRole('button', { name: /^Keep planning/ })
    .click();
  await page.locator('.words textarea:focus').waitFor();
  await page.keyboard.type('smaller');
  await page.keyboard.press('Escape');
  await dock(page)
    .getByRole('button', { name: /^Keep planning/ })
    .click();
  await page.locator('.words textarea:focus').waitFor();
  await page.keyboard.type('Smaller steps');
  await page.locator('.words .primary:not([aria-disabled])').waitFor();
  await page.keyboard.press('Enter');
  assert.deepEqual(await answer, { behavior: 'deny', message: 'Smaller steps' });
  assert.deepEqual(hub.calls, []);
});

test('a withdrawn request disappears; a second device sees an answer', async () => {
  const id = hub.addSession();
  const first = await visit(id);
  const second = await visit(id);
  const answer = hub.request(id, { tool_name: 'Bash', input: { command: 'ls' } }, 'r1');
  await dock(second.page).waitFor();
  await dock(first.page).getByRole('button', { name: 'Allow', exact: true }).click();
  await answer;
  await dock(second.page).waitFor({ state: 'detached' });
  hub.request(id, { tool_name: 'Bash', input: { command: 'ls' } }, 'r2');
  await dock(second.page).waitFor();
  hub.resolve(id, 'r2', null, 'withdrawn');
  await dock(first.page).waitFor({ state: 'detached' });
  await dock(second.page).waitFor({ state: 'detached' });
});

test('what is sent while the agent works is queued and can be taken back', async () => {
  const id = hub.addSession();
  hub.emit(id, { kind: 'state', state: 'running' });
  const { page } = await visit(id);
  await message(page).fill('one more thing');
  await message(page).press('Enter');
  const queued = page.getByRole('list', { name: 'Queued' });
  await queued.getByText('one more thing').waitFor();
  await queued.getByRole('button', { name: 'Take back' }).click();
  await queued.waitFor({ state: 'detached' });
  await drawn(page);
  assert.equal(await message(page).inputValue(), 'one more thing');
  assert.equal(await transcript(page).getByText('one more thing').count(), 0);
});

test('a reload in the middle of a stream loses nothing', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const answer = stream(hub, id);
  answer.add('The first half, ');
  await transcript(page).getByText('The first half,').waitFor();
  await page.reload();
  await transcript(page).getByText('The first half,').waitFor();
  answer.add('the second half.');
  answer.finish();
  await transcript(page).getByText('The first half, the second half.').waitFor();
  assert.equal(await transcript(page).locator('.answer').count(), 1);
});

test('a lost connection is said, and mended without a loss', async () => {
  const id = hub.addSession();
  const visitor = await visit(id);
  const { page } = visitor;
  say(hub, id, 'before');
  await transcript(page).getByText('before').waitFor();
  await hub.stop();
  await page.getByText('Connection lost').waitFor();
  await message(page).fill('written offline');
  await message(page).press('Enter');
  await page.getByText('Unsent').waitFor();
  say(hub, id, 'meanwhile');
  await hub.start();
  await page.getByText('Connection lost').waitFor({ state: 'detached' });
  await transcript(page).getByText('meanwhile').waitFor();
  await transcript(page).getByText('written offline').waitFor();
  await page.getByText('Unsent').waitFor({ state: 'detached' });
  assert.equal(await transcript(page).getByText('before').count(), 1);
  const prompts = hub.sessions.get(id).log.filter(({ event }) => event.kind === 'prompt');
  assert.equal(prompts.length, 1);
  noProblems(visitor);
});

test('a message that was lost on its way goes out again, once, even after a reload', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  hub.deaf = true;
  await message(page).fill('hello?');
  await message(page).press('Enter');
  await page.getByText('Unsent').waitFor();
  hub.deaf = false;
  await page.reload();
  await transcript(page).getByText('hello?').waitFor();
  await page.getByText('Unsent').waitFor({ state: 'detached' });
  assert.equal(hub.sessions.get(id).prompts.size, 1);
});

test('the draft of each session is kept', async () => {
  const [a, b] = [hub.addSession({ title: 'A' }), hub.addSession({ title: 'B' })];
  const { page } = await visit(a);
  await message(page).fill('draft of A');
  await page.getByRole('link', { name: /^B/ }).click();
  await page.getByRole('heading', { name: 'B' }).waitFor();
  assert.equal(await message(page).inputValue(), '');
  await page.goto(`${hub.url}#/s/${a}`);
  await page.reload();
  await page.getByRole('heading', { name: 'A' }).waitFor();
  assert.equal(await message(page).inputValue(), 'draft of A');
  assert.ok(b);
});

test('earlier messages come when they are wanted, and what is read does not move', async () => {
  const id = hub.addSession();
  for (let turn = 1; turn <= 900; turn += 1) say(hub, id, `message number ${turn}`);
  const { page } = await visit(id);
  await transcript(page).getByText('message number 900', { exact: true }).waitFor();
  assert.equal(await transcript(page).getByText('message number 1', { exact: true }).count(), 0);
  const first = transcript(page).getByText('message number 1', { exact: true });
  const scroller = await transcript(page).elementHandle();
  const wheelTo = async (row, deltaY) => {
    await transcript(page).hover();
    for (let step = 0; step < 2000 && (await row.count()) === 0; step += 1) {
      await page.mouse.wheel(0, deltaY);
      await drawn(page);
    }
    await row.waitFor();
  };
  await wheelTo(first, -4000);
  assert.ok((await transcript(page).locator('.row').count()) < 450, 'a window of rows is mounted');
  await wheelTo(transcript(page).getByText('message number 900', { exact: true }), 4000);
  await wheelTo(first, -4000);
  await still(scroller);
  // What counts is what the reader sees: rows above may yet get their true height, and then the
  // browser moves scrollTop to keep the rows in view where they are.
  const read = await scroller.evaluateHandle((element) => {
    const { top } = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll('.row')];
    return rows.find((row) => row.getBoundingClientRect().bottom > top + 200);
  });
  const place = () => read.evaluate((row) => row.getBoundingClientRect().top);
  const before = await place();
  say(hub, id, 'news at the end');
  hub.emit(id, { kind: 'state', state: 'running' });
  await page.locator('.state.running', { hasText: 'working' }).waitFor();
  await still(scroller);
  assert.equal(Math.round(await place()), Math.round(before));
  await page.getByRole('button', { name: 'Jump to the end' }).click();
  await transcript(page).getByText('news at the end').waitFor();
});

test('earlier messages are not asked for before the last ones are there', async () => {
  const id = hub.addSession();
  for (let turn = 1; turn <= 30; turn += 1) say(hub, id, `message number ${turn}`);
  // Fewer than fill the page: the way to earlier ones is in view all the time.
  hub.pageSize = 2;
  let letThrough;
  hub.gate = new Promise((resolve) => (letThrough = resolve));
  const { page } = await open();
  await page.goto(`${hub.url}#/s/${id}`);
  await page.getByRole('button', { name: 'Load earlier messages' }).waitFor();
  for (let frame = 0; frame < 5; frame += 1) await drawn(page);
  letThrough();
  await transcript(page).getByText('message number 1', { exact: true }).waitFor();
  await transcript(page).getByText('message number 30', { exact: true }).waitFor();
});

test('a failed agent says why and can be resumed', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  hub.emit(id, {
    kind: 'state',
    state: 'failed',
    detail: { exit_code: 7, signal: null, stderr: 'out of \u001b[31mcheese\u001b[0m' },
  });
  await transcript(page).getByText('Its exit code was 7.').waitFor();
  await transcript(page).locator('.ansi-c1', { hasText: 'cheese' }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await waitUntil(() => hub.calls.some(([, path]) => path.endsWith('/resume')), 'the resume');
});

test('failed tools open by themselves; others on demand', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const bad = call(hub, id, 'Bash', { command: 'false' });
  result(hub, id, bad, 'Exit code 1\nsad output', { error: true });
  const good = call(hub, id, 'mcp__calc__add', { a: 1 });
  result(hub, id, good, 'the sum is 3');
  await transcript(page).getByText('sad output').waitFor();
  await transcript(page).getByText('exit 1').waitFor();
  assert.equal(await transcript(page).getByText('the sum is 3').count(), 0);
  await transcript(page)
    .getByRole('button', { name: /calc › add/ })
    .click();
  await transcript(page).getByText('the sum is 3').waitFor();
});

test('what a person denied is not called a failure', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const input = { file_path: '/work/demo/a.txt', old_string: 'old', new_string: 'new' };
  const tool = call(hub, id, 'Edit', input);
  const answer = hub.request(id, { tool_name: 'Edit', input, tool_use_id: tool });
  await dock(page).getByRole('button', { name: 'Deny', exact: true }).click();
  result(hub, id, tool, (await answer).message, { error: true });
  await transcript(page).locator('.tool-head .fact', { hasText: 'denied' }).waitFor();
  await transcript(page).locator('.diff-row.added', { hasText: 'new' }).waitFor();
});

test('a picture that a tool returns stands alone', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const tool = call(hub, id, 'Read', { file_path: '/work/demo/dot.png' });
  const source = { type: 'base64', media_type: 'image/png', data: DOT };
  result(hub, id, tool, [{ type: 'image', source }]);
  await transcript(page).locator('.tool-body img').waitFor();
  assert.equal(await transcript(page).locator('.tool-body').innerText(), '');
});

test('the title of the page counts what waits in other sessions', async () => {
  const id = hub.addSession({ title: 'Here' });
  const other = hub.addSession({ title: 'Elsewhere' });
  const { page } = await visit(id);
  hub.request(other, { tool_name: 'Bash', input: { command: 'make' } });
  await page.waitForFunction(() => document.title === '(1) Here · Parley');
});

test('paths are short as soon as the folder of a session is known', async () => {
  const id = hub.addSession({ cwd: '' });
  const { page } = await visit(id);
  hub.emit(id, { kind: 'settings', cwd: '/work/demo' });
  call(hub, id, 'Read', { file_path: '/work/demo/src/a.txt' });
  await transcript(page).getByText('src/a.txt', { exact: true }).waitFor();
});

test('a subagent is nested under the call that started it', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const task = call(hub, id, 'Task', { description: 'Look around', prompt: 'look' });
  const inner = call(hub, id, 'Read', { file_path: '/work/demo/a.txt' }, task);
  result(hub, id, inner, '1\tx', { parent: task });
  await transcript(page).locator('section.tool section.tool', { hasText: 'a.txt' }).waitFor();
});

test('pictures are chosen with a button, and go out with the message', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add images' }).click();
  const bytes = Buffer.from(DOT, 'base64');
  await (await choosing).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: bytes });
  await page.getByRole('button', { name: 'Remove image' }).waitFor();
  await message(page).press('Enter');
  await transcript(page).locator('.prompt img').waitFor();
});

test('model and mode are changed by their chips', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  await page.getByRole('combobox', { name: 'Permissions' }).selectOption('plan');
  await page.getByRole('combobox', { name: 'Model' }).selectOption('claude-haiku-4-5');
  await waitUntil(() => hub.calls.length === 2, 'both calls');
  assert.deepEqual(
    hub.calls.map(([, , body]) => body),
    [{ mode: 'plan' }, { model: 'claude-haiku-4-5' }],
  );
});

const HOSTILE = `# <img src=x onerror="window.owned=1">

<script>window.owned = 2</script>

<svg onload="window.owned=3"><a xlink:href="javascript:window.owned=4">x</a></svg>

[click](javascript:window.owned=5) [data](data:text/html,<script>window.owned=6</script>) [ok](https://example.com/a"onmouseover="window.owned=7)

![pixel](https://tracker.example/pixel.png) ![local](javascript:window.owned=8)

<a href="https://example.com" onclick="window.owned=9" style="position:fixed;inset:0">cover</a>

<form action="https://evil.example"><input name=q autofocus onfocus="window.owned=10"></form>

\`\`\`"><img src=x onerror=window.owned=11>
</code></pre><script>window.owned=12</script>
\`\`\`

| a |
|---|
| <iframe srcdoc="<script>parent.owned=13</script>"> |

<math><mtext></mtext><style><img src=x onerror="window.owned=14"></style></math>`;

test('hostile markdown runs nothing, loads nothing and covers nothing', async () => {
  const id = hub.addSession({ title: '<img src=x onerror="window.owned=20">' });
  const foreign = [];
  const visitor = await visit(id);
  const { page, context } = visitor;
  context.on('request', (request) => {
    if (!request.url().startsWith(hub.url) && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  const answer = stream(hub, id);
  for (const piece of HOSTILE.match(/[^]{1,7}/g)) answer.add(piece);
  answer.finish();
  say(hub, id, HOSTILE);
  const bad = call(hub, id, '<b onclick=window.owned=21>', {
    x: '<script>window.owned=22</script>',
  });
  result(
    hub,
    id,
    bad,
    '<img src=x onerror=window.owned=23>\u001b]8;;javascript:window.owned=24\u0007link',
    { error: true },
  );
  endTurn(hub, id, { is_error: true, result: '<img src=x onerror=window.owned=25>' });
  await transcript(page).getByText('The turn failed').waitFor();
  assert.equal(
    await transcript(page)
      .locator(
        'script, iframe, form, svg, style, math, object, embed, [style], [onclick], [onerror], [onload]',
      )
      .count(),
    0,
  );
  const links = await transcript(page)
    .locator('a')
    .evaluateAll((all) => all.map((link) => [link.protocol, link.rel, link.target]));
  assert.ok(links.length > 0);
  for (const link of links) assert.deepEqual(link, ['https:', 'noopener noreferrer', '_blank']);
  for (const picture of await transcript(page)
    .locator('img')
    .evaluateAll((all) => all.map((image) => image.src))) {
    assert.match(picture, /^data:image\//);
  }
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.deepEqual(foreign, []);
  noProblems(visitor);
});

for (const colorScheme of ['light', 'dark']) {
  test(`the rules of accessibility hold, ${colorScheme}`, async () => {
    hub.info.demo = true;
    const id = hub.addSession({ title: 'Everything' });
    hub.addSession({ title: 'Failed', state: 'failed', pending: 0 });
    hub.emit(id, { kind: 'prompt', client_id: 'p1', content: 'Go', by: 'page' });
    think(hub, id, 'hmm', 3000);
    say(
      hub,
      id,
      '# Title\n\nText with `code`, a [link](https://example.com) and\n\n```js\nconst x = "1"; // why\n```\n\n| a |\n|---|\n| 1 |',
    );
    const edit = call(hub, id, 'Edit', {
      file_path: '/work/demo/a.txt',
      old_string: 'a b c',
      new_string: 'a x c',
    });
    result(hub, id, edit, 'ok', {
      structured: {
        filePath: '/work/demo/a.txt',
        structuredPatch: [
          { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a b c', '+a x c'] },
        ],
      },
    });
    const bash = call(hub, id, 'Bash', { command: 'false' });
    result(
      hub,
      id,
      bash,
      'Exit code 1\n\u001b[31mred\u001b[32mgreen\u001b[33myellow\u001b[34mblue\u001b[35mmagenta\u001b[90mgrey',
      { error: true },
    );
    hub.agent(id, {
      type: 'system',
      subtype: 'informational',
      content: 'Something to know',
      level: 'warning',
    });
    endTurn(hub, id);
    const { page } = await visit(id, { colorScheme });
    await transcript(page).locator('.turn').waitFor();
    await assertAccessible(page, 'conversation');
    hub.emit(id, { kind: 'state', state: 'running' });
    hub.emit(id, { kind: 'prompt', client_id: 'p2', content: 'Then this', by: 'page' });
    hub.request(
      id,
      {
        tool_name: 'Bash',
        input: { command: 'ls' },
        permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
      'r1',
    );
    await dock(page).waitFor();
    await assertAccessible(page, 'permission');
    hub.resolve(id, 'r1', null, 'withdrawn');
    await dock(page).waitFor({ state: 'detached' });
    hub.request(id, {
      tool_name: 'AskUserQuestion',
      input: {
        questions: [
          {
            question: 'Which?',
            header: 'H',
            multiSelect: true,
            options: [{ label: 'A', description: 'first' }],
          },
        ],
      },
    });
    await dock(page).waitFor();
    await assertAccessible(page, 'question');
    await page.goto(`${hub.url}#/`);
    await page.getByText('This is the demo.').waitFor();
    await assertAccessible(page, 'new session');
  });
}

test('what was left out, or is no longer kept, is said', async () => {
  const id = hub.addSession();
  hub.sessions.get(id).summary.last_seq = 500;
  say(hub, id, 'The oldest that is left.');
  hub.emit(id, { kind: 'left_out', reason: 'too_long', detail: '13 MiB', beginning: '{"type"' });
  hub.emit(id, { kind: 'left_out', reason: 'earlier' });
  const visitor = await visit(id);
  assert.deepEqual(await transcript(visitor.page).locator('.marker:visible').allInnerTexts(), [
    'The beginning of this session is no longer kept',
    'A message of the agent was too long and is left out (13 MiB): {"type"…',
    'Earlier messages of this conversation were not taken over',
  ]);
  noProblems(visitor);
});
