// What the agent asks is not answered by accident: by a click or a key that meant something else, by a
// text that hides a part of itself, by a name that promises less than it does.
import assert from 'node:assert/strict';
import { hub, open, test, visit } from './support/stub.mjs';
import { PHONE, dock, drawn, message, transcript } from './support/stub_suite.mjs';

const RULE = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'make *' }],
  behavior: 'allow',
  destination: 'localSettings',
};
const bash = (command, rest = {}) => ({ tool_name: 'Bash', input: { command }, ...rest });
const button = (page, name) => dock(page).getByRole('button', { name, exact: true });
/** The button with this key. */
const key = (page, name) => dock(page).locator(`[data-key="${name}"]`);
const DENIED = { behavior: 'deny', message: 'The user does not want this.' };

/** Opens a session in a page whose time stands still, from when it is held until it is passed on. */
async function visitWithClock(id) {
  const visitor = await open();
  const { page } = visitor;
  await page.clock.install();
  await page.goto(`${hub.url}#/s/${id}`);
  await transcript(page).and(page.locator('[aria-busy=false]')).waitFor();
  return {
    ...visitor,
    hold: async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000),
    /** Lets as little time pass as it takes. */
    passUntil: async (condition, step = 1) => {
      const end = Date.now() + 30_000;
      while (!(await condition())) {
        assert.ok(Date.now() < end, 'what is waited for does not come');
        await page.clock.runFor(step);
      }
    },
  };
}

const isReady = (page) => () =>
  dock(page)
    .locator('[data-key=n]')
    .evaluate((element) => element.getAttribute('aria-disabled') !== 'true');

test('a double click answers one request, not the next one that nobody has read', async () => {
  const id = hub.addSession();
  const { page, hold, passUntil } = await visitWithClock(id);
  const first = hub.request(id, bash('make one'), 'r1');
  const second = hub.request(id, bash('make two', { permission_suggestions: [RULE] }), 'r2');
  await dock(page).getByText('make one').waitFor();
  await hold();
  const { x, y, width, height } = await key(page, 'y').boundingBox();
  const [left, top] = [x + width / 2, y + height / 2];
  await page.mouse.click(left, top);
  assert.equal((await first).behavior, 'allow');
  await passUntil(() => dock(page).getByText('make two').isVisible());
  await page.mouse.click(left, top);
  // Pressed too early and let go in time is too early as well.
  await page.mouse.down();
  await page.clock.runFor(400);
  await page.mouse.click(left, top);
  for (const pressed of ['Alt+r', 'y', '1', 'Enter']) await page.keyboard.press(pressed);
  await passUntil(isReady(page), 50);
  await key(page, 'n').click();
  assert.deepEqual(await second, DENIED);
});

test('a click that closes what lay over a request cannot answer it', async () => {
  const id = hub.addSession();
  const { page, hold, passUntil } = await visitWithClock(id);
  const answer = hub.request(id, bash('make'));
  await dock(page).waitFor();
  await hold();
  await transcript(page).click();
  const { x, y, width, height } = await key(page, 'y').boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await passUntil(isReady(page), 50);
  await key(page, 'n').click();
  assert.deepEqual(await answer, DENIED);
});

test('what moves under the pointer has to stand still again', async () => {
  const id = hub.addSession();
  const { page, hold, passUntil } = await visitWithClock(id);
  const answer = hub.request(id, bash('make'));
  await dock(page).waitFor();
  await message(page).focus();
  await hold();
  await passUntil(isReady(page), 50);
  const before = await key(page, 'y').boundingBox();
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await passUntil(async () => (await key(page, 'y').boundingBox()).y < before.y);
  await page.mouse.click(before.x + 5, (await key(page, 'y').boundingBox()).y + 5);
  await passUntil(isReady(page), 50);
  await key(page, 'n').click();
  assert.deepEqual(await answer, DENIED);
});

const plan = { tool_name: 'ExitPlanMode', input: { plan: 'Do it' } };
const question = {
  tool_name: 'AskUserQuestion',
  input: { questions: [{ question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }] },
};
const MANY = Array.from({ length: 4 }, () => RULE);
const LASTING = /Always|switch to|accept edits/;

for (const [name, options] of [
  ['wide', {}],
  ['narrow', PHONE],
]) {
  test(`what allows, what stays allowed and what denies never lie where another was, ${name}`, async () => {
    const id = hub.addSession();
    const { page } = await visit(id, options);
    const requests = [
      bash('ls'),
      bash('make', { permission_suggestions: [RULE] }),
      bash('make all', { permission_suggestions: MANY }),
      bash('make\n'.repeat(80), { permission_suggestions: [RULE] }),
      plan,
      question,
    ];
    const places = [];
    for (const [index, request] of requests.entries()) {
      hub.request(id, request, `r${index}`);
      await dock(page).waitFor();
      await drawn(page);
      const buttons = await dock(page)
        .locator('.choices button')
        .evaluateAll((all) =>
          all.map((element) => {
            // What is scrolled out of its list cannot be hit.
            const box = element.getBoundingClientRect();
            const list = element.parentElement.getBoundingClientRect();
            const [y, end] = [Math.max(box.top, list.top), Math.min(box.bottom, list.bottom)];
            return {
              text: element.innerText,
              x: box.x,
              y,
              width: box.width,
              height: Math.max(0, end - y),
            };
          }),
        );
      places.push(...buttons.map((place) => ({ ...place, index })));
      hub.resolve(id, `r${index}`, null, 'withdrawn');
      await dock(page).waitFor({ state: 'detached' });
    }
    const kindOf = ({ text }) =>
      LASTING.test(text) ? 'lasting' : /^(Allow|Approve|Answer)/.test(text) ? 'allows' : 'denies';
    assert.deepEqual(
      ['lasting', 'allows', 'denies'].map(
        (kind) => places.filter((a) => kindOf(a) === kind).length,
      ),
      [7, 6, 16],
    );
    const seen = places.filter(({ height }) => height > 0);
    for (const a of seen) {
      for (const b of seen.filter((other) => kindOf(other) !== kindOf(a))) {
        const apart =
          a.x >= b.x + b.width ||
          b.x >= a.x + a.width ||
          a.y >= b.y + b.height ||
          b.y >= a.y + a.height;
        assert.ok(apart, `"${a.text}" of ${a.index} lies on "${b.text}" of ${b.index}`);
      }
    }
  });
}

test('what is written while a request comes is a message', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  await message(page).focus();
  const answer = hub.request(id, bash('make', { permission_suggestions: [RULE] }));
  await dock(page).locator('[data-key=y]:not([aria-disabled])').waitFor();
  await page.keyboard.type('y1n');
  assert.equal(await message(page).inputValue(), 'y1n');
  // Neither is it answered while nothing has the focus.
  await transcript(page).click();
  await page.evaluate(() => document.activeElement.blur());
  await dock(page).locator('[data-key=y]:not([aria-disabled])').waitFor();
  await page.keyboard.type('y1');
  await key(page, 'n').click();
  assert.deepEqual(await answer, DENIED);
});

test('the keys answer a request that the user has gone to, by key or by click', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  await message(page).focus();
  const first = hub.request(id, bash('make one'));
  await dock(page).locator('[data-key=y]:not([aria-disabled])').waitFor();
  await page.keyboard.press('Alt+r');
  await page.keyboard.press('y');
  assert.equal((await first).behavior, 'allow');
  await page.locator('textarea#message:focus').waitFor();
  const second = hub.request(id, bash('make two'));
  await dock(page).locator('[data-key=y]:not([aria-disabled])').waitFor();
  await dock(page).getByText('Allow Bash?').click();
  await page.keyboard.press('y');
  assert.equal((await second).behavior, 'allow');
  // The next one was not gone to, though the last one was.
  const third = hub.request(id, bash('make three'));
  await dock(page).locator('[data-key=y]:not([aria-disabled])').waitFor();
  await page.keyboard.press('y');
  assert.equal(await message(page).inputValue(), 'y');
  await key(page, 'n').click();
  assert.deepEqual(await third, DENIED);
});

test('the guard is on the request that is shown, not on the oldest one', async () => {
  const id = hub.addSession();
  const { page, hold, passUntil } = await visitWithClock(id);
  const first = hub.request(id, bash('make one'), 'r1');
  const second = hub.request(id, bash('make two'), 'r2');
  await button(page, 'Next request').waitFor();
  await hold();
  await button(page, 'Next request').click();
  await passUntil(() => dock(page).getByText('make two').isVisible());
  await page.clock.runFor(100);
  await page.keyboard.press('y');
  // The oldest is answered elsewhere; the one that is read stays.
  hub.resolve(id, 'r1', { behavior: 'allow' }, 'answered');
  await first;
  await passUntil(async () => (await button(page, 'Next request').count()) === 0);
  await page.keyboard.press('y');
  await passUntil(isReady(page), 50);
  await page.keyboard.press('n');
  assert.deepEqual(await second, DENIED);
});

/** Whether a text in the dock can be seen without scrolling. */
const inView = (page, text) =>
  dock(page).evaluate((section, wanted) => {
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(wanted);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      return there !== null && (there === node.parentElement || there.contains(node));
    }
    return false;
  }, text);

test('blank lines do not push the rest of a command out of sight', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  hub.request(id, bash(`ls${'\n'.repeat(15)}${'   \t\n'.repeat(14)}rm -rf everything`));
  await dock(page).getByText('28 blank lines').waitFor();
  await dock(page).getByText('30 lines').waitFor();
  assert.ok(await inView(page, 'rm -rf everything'), 'the end of the command is in view');
});

test('a request that is not all in view says so', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const command = Array.from({ length: 90 }, (_, line) => `echo ${line}`).join('\n');
  hub.request(id, bash(`${command}\nrm -rf everything`));
  await dock(page)
    .getByRole('button', { name: /more lines below/ })
    .waitFor();
  assert.equal(await inView(page, 'rm -rf everything'), false);
  // The same button, whatever it says by then.
  const more = dock(page).locator('.more-below');
  while ((await more.getAttribute('data-done')) !== 'true') await more.click();
  assert.ok(await inView(page, 'rm -rf everything'));
});

test('whether a file is made or replaced is said before', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  hub.files['/work/demo/kept.txt'] = { kind: 'file', bytes: 4000, lines: 120 };
  const write = (file_path) => ({ tool_name: 'Write', input: { file_path, content: 'a\nb\n' } });
  hub.request(id, write('/work/demo/new.txt'), 'r1');
  await dock(page).getByText('Creates a file of 2 lines.').waitFor();
  hub.resolve(id, 'r1', null, 'withdrawn');
  hub.request(id, write('/work/demo/kept.txt'), 'r2');
  await dock(page).getByText('Replaces the whole file: 120 lines now, 2 afterwards.').waitFor();
});

test('in an edit, too, nothing hides', async () => {
  const id = hub.addSession();
  const { page } = await visit(id);
  const input = { file_path: '/work/demo/a.c', old_string: 'a', new_string: 'a /*\u202e*/\u00a0b' };
  hub.request(id, { tool_name: 'Edit', input });
  await dock(page).locator('.diff-row.added', { hasText: 'a /*⟨U+202E⟩*/⟨U+00A0⟩b' }).waitFor();
});

test('the chip of the permissions says what the agent has agreed to', async () => {
  const id = hub.addSession();
  hub.refusedModes = ['acceptEdits'];
  const { page } = await visit(id);
  const chip = page.getByRole('combobox', { name: 'Permissions' });
  const options = () => chip.locator('option').allInnerTexts();
  assert.deepEqual(await options(), ['Ask first', 'Accept edits', 'Plan only']);
  await chip.selectOption('acceptEdits');
  await page.getByRole('alert').getByText('The agent does not want to.').waitFor();
  assert.equal(await chip.inputValue(), 'default');
  await chip.selectOption('plan');
  await page.waitForFunction(
    () => document.querySelector('.chips select:last-of-type').value === 'plan',
  );
  hub.emit(id, { kind: 'settings', mode: 'bypassPermissions' });
  await chip
    .getByRole('option', { name: 'Allow everything', selected: true })
    .waitFor({ state: 'attached' });
});

test('to allow everything is offered only if the server was started so', async () => {
  hub.info.bypass = true;
  const id = hub.addSession();
  const { page } = await visit(id);
  const request = bash('make', {
    permission_suggestions: [
      { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    ],
  });
  hub.request(id, request, 'r1');
  await button(page, /switch to “Allow everything”/).waitFor();
  await page.getByRole('option', { name: 'Allow everything' }).waitFor({ state: 'attached' });
  hub.info.bypass = false;
  await page.reload();
  await key(page, 'n').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.chips option').length > 3);
  assert.equal(await page.getByText('Allow everything').count(), 0);
});

test('an answer that the hub refuses leaves the request to be answered otherwise', async () => {
  const id = hub.addSession();
  hub.refusedModes = ['acceptEdits'];
  const { page } = await visit(id);
  const mode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
  const answer = hub.request(id, bash('make', { permission_suggestions: [mode] }));
  await key(page, '1').click();
  await page.getByRole('alert').getByText('Not this mode.').waitFor();
  await key(page, 'n').click();
  assert.deepEqual(await answer, DENIED);
});
