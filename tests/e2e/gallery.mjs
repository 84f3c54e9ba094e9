// Pictures of the page in its main states, wide and narrow, light and dark, for looking at them.
// Usage: node gallery.mjs FOLDER [STATE]
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, newPage } from './support/browser.mjs';
import { call, endTurn, result, say, stream, think } from './support/scenes.mjs';
import { StubHub } from './support/stub_hub.mjs';

const [folder, only] = process.argv.slice(2);
const DIFF = {
  filePath: '/work/demo/src/greeting.ts',
  structuredPatch: [
    {
      oldStart: 1,
      oldLines: 5,
      newStart: 1,
      newLines: 6,
      lines: [
        ' export function greet(name: string): string {',
        "-  return 'Hello ' + name;",
        '+  const known = name.trim();',
        '+  return known ? `Hello ${known}!` : `Hello, whoever you are!`;',
        ' }',
        ' ',
        ' // A line that is much longer than the column it is shown in, so that it has to break or scroll somewhere.',
      ],
    },
  ],
};

function prompt(hub, id, content) {
  hub.emit(id, { kind: 'prompt', client_id: randomUUID(), content, by: 'page' });
}

function work(hub, id) {
  prompt(hub, id, 'Greet people by name, and say hello to strangers too.');
  hub.emit(id, { kind: 'state', state: 'running' });
  think(hub, id, 'The function joins two texts. An empty name should not look broken.', 4200);
  say(hub, id, 'I will read the function first, then change it and run its tests.');
  const read = call(hub, id, 'Read', { file_path: '/work/demo/src/greeting.ts' });
  result(
    hub,
    id,
    read,
    "1\texport function greet(name: string): string {\n2\t  return 'Hello ' + name;\n3\t}",
  );
  const edit = call(hub, id, 'Edit', {
    file_path: DIFF.filePath,
    old_string: 'a',
    new_string: 'b',
  });
  result(hub, id, edit, 'done', { structured: DIFF });
  const bash = call(hub, id, 'Bash', { command: 'npm test -- --reporter=dot' });
  result(
    hub,
    id,
    bash,
    '\u001b[32m✓\u001b[0m 12 passed\n\u001b[31m✗\u001b[0m 1 failed: greets strangers',
    { error: true },
  );
  const grep = call(hub, id, 'Grep', { pattern: 'greet\\(', path: 'src' });
  result(
    hub,
    id,
    grep,
    'src/greeting.ts:1:export function greet(name\nsrc/main.ts:14:  greet(user)',
  );
}

const STATES = {
  start: (hub) => {
    hub.info.demo = true;
    return null;
  },
  empty: (hub) => hub.addSession({ title: 'New conversation' }),
  streaming: (hub) => {
    const id = hub.addSession({ title: 'Explain the parser' });
    prompt(hub, id, 'How does the parser handle long lines?');
    stream(hub, id).add(
      '## In short\n\nIt keeps **one buffer** and never copies a line twice. The limit is `12 MiB`.\n\n' +
        '| step | what happens |\n|---|---|\n| 1 | bytes arrive |\n| 2 | a line is cut out |\n\n' +
        '```cpp\nwhile (const auto frame = framer.next()) {\n  on_line(frame->text);  // valid until the next call\n}\n```\n\n' +
        '1. Lines end in a line feed.\n2. Longer lines are dropped, and',
    );
    return id;
  },
  tools: (hub) => {
    const id = hub.addSession({ title: 'Greet people by name' });
    work(hub, id);
    endTurn(hub, id, { cost: 0.043, ms: 41_200 });
    return id;
  },
  permission: (hub) => {
    const id = hub.addSession({ title: 'Greet people by name' });
    work(hub, id);
    hub.request(id, {
      tool_name: 'Bash',
      input: {
        command: 'npm run build && rm -rf dist/old-and-very-long-folder-name',
        description: 'Build the page and remove the old one',
      },
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'npm run build *' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
        { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      ],
    });
    return id;
  },
  edit: (hub) => {
    const id = hub.addSession({ title: 'Greet people by name' });
    prompt(hub, id, 'Greet people by name.');
    hub.request(id, {
      tool_name: 'Edit',
      input: {
        file_path: '/work/demo/src/greeting.ts',
        old_string: "  return 'Hello ' + name;\n",
        new_string: '  const known = name.trim();\n  return `Hello ${known}!`;\n',
      },
      permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    });
    return id;
  },
  overwrite: (hub) => {
    const id = hub.addSession({ title: 'Greet people by name' });
    prompt(hub, id, 'Write it again.');
    hub.files['/work/demo/src/greeting.ts'] = { kind: 'file', bytes: 4100, lines: 120 };
    hub.request(id, {
      tool_name: 'Write',
      input: {
        file_path: '/work/demo/src/greeting.ts',
        content: Array.from(
          { length: 60 },
          (_, line) => `export const line${line} = ${line};`,
        ).join('\n'),
      },
    });
    hub.request(id, { tool_name: 'Bash', input: { command: 'ls' } });
    return id;
  },
  command: (hub) => {
    const id = hub.addSession({ title: 'Tidy up' });
    prompt(hub, id, 'Tidy up.');
    hub.request(id, {
      tool_name: 'Bash',
      input: {
        command: `ls -l\u00a0src${'\n'.repeat(29)}rm -rf node_modules`,
        description: 'List files',
      },
    });
    return id;
  },
  question: (hub) => {
    const id = hub.addSession({ title: 'Which database?' });
    prompt(hub, id, 'Set up storage for the app.');
    hub.request(id, {
      tool_name: 'AskUserQuestion',
      input: {
        questions: [
          {
            question: 'Which database shall it be?',
            header: 'Database',
            options: [
              {
                label: 'SQLite',
                description: 'One file, nothing to run; enough for a single machine.',
              },
              { label: 'PostgreSQL', description: 'A server of its own, for several machines.' },
            ],
          },
          {
            question: 'What should be kept?',
            header: 'Scope',
            multiSelect: true,
            options: [{ label: 'Users' }, { label: 'Sessions' }, { label: 'Settings' }],
          },
        ],
      },
    });
    return id;
  },
  plan: (hub) => {
    const id = hub.addSession({ title: 'Move to SQLite', mode: 'plan' });
    prompt(hub, id, 'Plan the move to SQLite.');
    hub.request(id, {
      tool_name: 'ExitPlanMode',
      input: {
        plan: '# Move to SQLite\n\n1. Add the dependency\n2. Write `storage.ts` with *three* functions\n3. Replace the JSON file, **with a migration**\n\n```sh\nnpm install better-sqlite3\n```\n\nRisk: low. Time: an hour.',
      },
    });
    return id;
  },
  calls: (hub) => {
    const id = hub.addSession({ title: 'Every kind of call' });
    prompt(hub, id, 'Do a bit of everything.');
    hub.emit(id, { kind: 'state', state: 'running' });
    for (const name of ['parser.cpp', 'framer.cpp', 'main.cpp', 'limits.hpp']) {
      const read = call(hub, id, 'Read', { file_path: `/work/demo/src/${name}` });
      result(hub, id, read, '1\tx', {
        structured: {
          type: 'text',
          file: {
            filePath: `/work/demo/src/${name}`,
            content: '// x',
            numLines: 1,
            startLine: 1,
            totalLines: 1,
          },
        },
      });
    }
    const grep = call(hub, id, 'Grep', { pattern: 'kLimit' });
    result(hub, id, grep, 'Found 2 files', {
      structured: {
        mode: 'files_with_matches',
        filenames: ['/work/demo/src/limits.hpp', '/work/demo/src/main.cpp'],
        numFiles: 2,
      },
    });
    say(hub, id, 'Three searches in the web, and a notebook.');
    const search = call(hub, id, 'WebSearch', { query: 'websocket close codes' });
    result(hub, id, search, 'text', {
      structured: {
        query: 'websocket close codes',
        results: [
          {
            content: [
              { title: 'RFC 6455', url: 'https://www.rfc-editor.org/rfc/rfc6455' },
              { title: 'Close codes', url: 'https://example.org/codes' },
            ],
          },
        ],
      },
    });
    const notebook = call(hub, id, 'NotebookEdit', {
      notebook_path: '/work/demo/n.ipynb',
      cell_id: 'c1',
      new_source: 'print(2)\nprint(3)',
    });
    result(hub, id, notebook, 'Updated', {
      structured: { old_source: 'print(1)', new_source: 'print(2)\nprint(3)', cell_id: 'c1' },
    });
    const bg = call(hub, id, 'Bash', {
      command: 'npm run watch',
      description: 'Watch',
      run_in_background: true,
    });
    hub.agent(id, {
      type: 'system',
      subtype: 'background_tasks_changed',
      tasks: [{ task_id: 'b1' }],
    });
    hub.agent(id, {
      type: 'system',
      subtype: 'task_started',
      task_id: 'b1',
      tool_use_id: bg,
      description: 'Watch the sources',
      is_backgrounded: true,
      task_type: 'local_bash',
    });
    result(hub, id, bg, 'Command running in background with ID: b1.', {
      structured: { stdout: '', backgroundTaskId: 'b1' },
    });
    const agent = call(hub, id, 'Agent', {
      description: 'Look for the cause',
      subagent_type: 'Explore',
      prompt: 'Find out why the test fails now and then.',
    });
    hub.agent(id, {
      type: 'system',
      subtype: 'task_started',
      task_id: 'a1',
      tool_use_id: agent,
      description: 'Look for the cause',
      is_backgrounded: false,
      task_type: 'local_agent',
    });
    const inner = call(hub, id, 'Grep', { pattern: 'flaky' }, agent);
    result(hub, id, inner, 'a.cpp', { parent: agent });
    call(hub, id, 'Read', { file_path: '/work/demo/src/a.cpp' }, agent);
    const bad = call(hub, id, 'Agent', {
      description: 'No such agent',
      subagent_type: 'nonsense',
      prompt: 'x',
    });
    result(hub, id, bad, "Agent type 'nonsense' not found. Available agents: Explore", {
      error: true,
    });
    const stopped = call(hub, id, 'Bash', { command: 'sleep 100' });
    result(hub, id, stopped, "The user doesn't want to proceed with this tool use. STOP.", {
      error: true,
    });
    const todo = call(hub, id, 'TodoWrite', {
      todos: [
        { content: 'Read the code', status: 'completed', activeForm: 'Reading the code' },
        { content: 'Mend the parser', status: 'in_progress', activeForm: 'Mending the parser' },
        { content: 'Run the tests', status: 'pending', activeForm: 'Running the tests' },
      ],
    });
    result(hub, id, todo, 'ok');
    hub.agent(id, {
      type: 'assistant',
      message: {
        id: 'msg_parallel',
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'p1', name: 'Bash', input: { command: 'make' } },
          { type: 'tool_use', id: 'p2', name: 'Bash', input: { command: 'make test' } },
        ],
      },
    });
    return id;
  },
  prompts: (hub) => {
    const id = hub.addSession({ title: 'A long prompt' });
    prompt(
      hub,
      id,
      `Look at this log:\n${Array.from({ length: 400 }, (_, line) => `${line} something happened`).join('\n')}`,
    );
    think(hub, id, '**First** I look at the log.\n\n- it is long\n- it has `numbers`', 3000);
    say(
      hub,
      id,
      'A code block without a language:\n\n```\nmake && make test\n```\n\n- [ ] one\n- [x] two\n',
    );
    endTurn(hub, id);
    prompt(hub, id, '/cost');
    hub.agent(id, {
      type: 'assistant',
      message: {
        id: 'm',
        model: '<synthetic>',
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: 'Total cost:            $0.0004\nTotal duration (API):  0s\nTotal duration (wall): 4s\nUsage by model:\n     claude-opus-5-5:  10 input, 20 output',
          },
        ],
      },
    });
    endTurn(hub, id);
    return id;
  },
  failure: (hub) => {
    const id = hub.addSession({ title: 'It fails' });
    prompt(hub, id, 'Build it.');
    hub.emit(id, { kind: 'state', state: 'running' });
    hub.agent(id, {
      type: 'system',
      subtype: 'api_retry',
      attempt: 3,
      max_retries: 10,
      error: 'overloaded',
    });
    hub.emit(id, {
      kind: 'left_out',
      reason: 'too_long',
      detail: 'more than 12 MiB',
      beginning:
        '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"xxxxxxxxxxxxxxxxxxxxxxxx',
    });
    hub.agent(id, {
      type: 'result',
      subtype: 'success',
      is_error: true,
      result: 'API Error: 529 The model is overloaded. Try again later.',
      duration_ms: 300,
      total_cost_usd: 0,
    });
    hub.emit(id, {
      kind: 'state',
      state: 'failed',
      detail: {
        exit_code: 3,
        stderr: 'TypeError: cannot read properties of undefined\n    at run (cli.js:2:14)',
      },
    });
    return id;
  },
  list: (hub) => {
    let id = '';
    const states = ['idle', 'running', 'waiting', 'ended', 'failed', 'stored'];
    for (let index = 0; index < 60; index += 1) {
      id = hub.addSession({
        title: `${['Fix the flaky test', 'Write the release notes and ask the team whether they agree', 'Refactor'][index % 3]} ${index}`,
        cwd: ['/work/demo', '/work/demo/src', '/home/me/projects/a-project-with-a-long-name'][
          index % 3
        ],
        state: states[index % 6],
        updated: Date.now() - index * 3_600_000,
        pending: index % 6 === 2 ? 1 : 0,
      });
    }
    work(hub, id);
    return id;
  },
};

STATES.palette = STATES.tools;
STATES.help = STATES.tools;
STATES.changes = STATES.tools;
STATES.context = (hub) => {
  hub.answers.get_context_usage = () => ({
    categories: [
      { name: 'System prompt', tokens: 3200 },
      { name: 'System tools', tokens: 14_100 },
      { name: 'Memory files', tokens: 900 },
      { name: 'Messages', tokens: 61_000 },
    ],
    totalTokens: 79_200,
    maxTokens: 200_000,
  });
  return STATES.tools(hub);
};

/** What is opened before the picture is taken. */
const openTab = (name) => async (page) => {
  await page.keyboard.press('Alt+p');
  await page.getByRole('tab', { name }).click();
};
const SHOWN = {
  palette: (page) => page.keyboard.press('Control+k'),
  help: async (page) => {
    await page.locator('.scroller').focus();
    await page.keyboard.press('?');
  },
  changes: openTab('Changes'),
  context: openTab('Context'),
};

mkdirSync(folder, { recursive: true });
const browser = await launch();
try {
  for (const [name, prepare] of Object.entries(STATES)) {
    if (only && only !== name) continue;
    const hub = await new StubHub().start();
    const id = prepare(hub);
    for (const colorScheme of ['light', 'dark']) {
      for (const [size, options] of [
        ['wide', { viewport: { width: 1440, height: 900 } }],
        ['tablet', { viewport: { width: 1024, height: 768 } }],
        [
          'phone',
          {
            viewport: { width: 390, height: 780 },
            hasTouch: true,
            isMobile: true,
            deviceScaleFactor: 2,
          },
        ],
      ]) {
        const { page, context } = await newPage(browser, { colorScheme, ...options });
        await page.goto(hub.url + (id ? `#/s/${id}` : ''));
        await page
          .locator(id ? '[aria-busy=false]' : 'textarea')
          .first()
          .waitFor();
        if (name === 'list' && size === 'phone')
          await page.getByRole('button', { name: 'Show sessions' }).click();
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );
        await SHOWN[name]?.(page);
        await page.waitForLoadState('networkidle');
        if (hub.sessions.get(id)?.waiting.size > 0)
          await page.locator('.requests .button:not([aria-disabled])').first().waitFor();
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) });
        await context.close();
      }
    }
    await hub.stop();
  }
} finally {
  await browser.close();
}
