// MCP servers: in the program that uses the SDK, and as processes; see agent_sdk.sh.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Prompts, World, call, sdk, text } from './support.mjs';

const modules = join(process.env.PARLEY_SDK_MODULE, '../../..');
const { z } = await import(pathToFileURL(join(modules, 'zod/index.js')).href);
const { McpServer } = await import(
  pathToFileURL(join(modules, '@modelcontextprotocol/sdk/dist/esm/server/mcp.js')).href);
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const words = (line) => ({ content: [{ type: 'text', text: line }] });
const textOf = (block) => (Array.isArray(block.content) ? block.content.map((part) => part.text ?? `[${part.type}]`).join('|') : block.content);

const stdio = (behaviour, more = {}) => ({
  command: process.execPath,
  args: [join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, 'stdio_server.mjs'), behaviour],
  ...more,
});
const calculator = () => sdk.createSdkMcpServer({
  name: 'calc',
  tools: [
    sdk.tool('add', 'Adds two numbers', { a: z.number(), b: z.number() }, async ({ a, b }) => words(`${a + b}`)),
    sdk.tool('fail', 'Throws', {}, async () => { throw new Error('the tool exploded'); }),
    sdk.tool('refuse', 'Says no', {}, async () => ({ ...words('not today'), isError: true })),
    sdk.tool('picture', 'Draws', {}, async () => ({
      content: [{ type: 'image', data: onePixel, mimeType: 'image/png' }, { type: 'text', text: 'a dot' }],
    })),
    sdk.tool('facts', 'Knows', {}, async () => ({ content: [], structuredContent: { answer: 42 } })),
    sdk.tool('long', 'Talks', {}, async () => words('a line of words\n'.repeat(20000))),
  ],
});
const allowed = { allowedTools: ['mcp__calc', 'mcp__stdio'] };

/** A session that is open while `body` does things with it. */
async function open(world, options, body) {
  const prompts = new Prompts();
  const query = world.query(prompts, options);
  const messages = [];
  const stream = query[Symbol.asyncIterator]();
  const turn = async (said) => {
    prompts.send(said);
    for (;;) {
      const { value, done } = await stream.next();
      if (done) return undefined;
      messages.push(value);
      if (value.type === 'result') return value;
    }
  };
  try {
    await body({ query, turn, messages });
  } finally {
    prompts.end();
    while (!(await stream.next()).done);
  }
}
const inits = (messages) => messages.filter((m) => m.subtype === 'init');
const results = (messages) => messages.filter((m) => m.type === 'user')
  .flatMap((m) => (Array.isArray(m.message.content) ? m.message.content : []))
  .filter((block) => block.type === 'tool_result');

test('an in-process tool is offered, asked about and called', async (t) => {
  const world = await World.make(t, [call('mcp__calc__add', { a: 7, b: 4 }), text('It is 11.')]);
  const asked = [];
  const run = await world.run('add', {
    mcpServers: { calc: calculator() },
    canUseTool: async (tool, input, extra) => {
      asked.push([tool, input, extra.suggestions?.[0]?.rules]);
      return { behavior: 'allow', updatedInput: input };
    },
  });
  assert.deepEqual(asked, [['mcp__calc__add', { a: 7, b: 4 }, [{ toolName: 'mcp__calc__add' }]]]);
  assert.deepEqual(run.init.mcp_servers, [{ name: 'calc', status: 'connected', source: 'sdk' }]);
  assert.ok(run.init.tools.includes('mcp__calc__add'));
  assert.equal(textOf(run.toolResults[0]), '11');
  const offered = world.requests()[0].tools.find((tool) => tool.name === 'mcp__calc__add');
  assert.deepEqual(Object.keys(offered.input_schema.properties), ['a', 'b']);
});

test('errors of in-process tools are words for the model', async (t) => {
  const world = await World.make(t, [
    call('mcp__calc__fail', {}), call('mcp__calc__refuse', {}), call('mcp__calc__add', { a: 'x' }),
    call('mcp__calc__nosuch', {}), text('Oh.'),
  ]);
  const run = await world.run('go', { mcpServers: { calc: calculator() }, ...allowed });
  const said = run.toolResults.map((block) => [block.is_error ?? false, textOf(block)]);
  assert.deepEqual(said[0], [true, 'the tool exploded']);
  assert.deepEqual(said[1], [true, 'not today']);
  assert.equal(said[2][0], true);
  assert.match(said[2][1], /[Ii]nvalid/);
  assert.match(said[3][1], /No such tool available: mcp__calc__nosuch/);
  assert.equal(run.result.result, 'Oh.');
});

test('images, structured content and long results', async (t) => {
  const world = await World.make(t, [
    call('mcp__calc__picture', {}), call('mcp__calc__facts', {}), call('mcp__calc__long', {}), text('Seen.'),
  ]);
  const run = await world.run('go', { mcpServers: { calc: calculator() }, ...allowed });
  const [picture, facts, long] = run.toolResults;
  assert.equal(picture.content[0].source.data, onePixel);
  assert.match(textOf(picture), /a dot/);
  assert.equal(facts.content, '{"answer":42}');
  assert.deepEqual(run.of('user')[1].tool_use_result.structuredContent, { answer: 42 });
  const file = /saved to (\S+\.txt)/.exec(textOf(long))[1];
  assert.equal(readFileSync(file, 'utf8').length, 'a line of words\n'.length * 20000);
});

test('deny rules take tools and whole servers away', async (t) => {
  const world = await World.make(t, [text('1'), text('2')]);
  const one = await world.run('a', { mcpServers: { calc: calculator() }, disallowedTools: ['mcp__calc__fail'] });
  assert.ok(!one.init.tools.includes('mcp__calc__fail'));
  assert.ok(one.init.tools.includes('mcp__calc__add'));
  const all = await world.run('b', { mcpServers: { calc: calculator() }, disallowedTools: ['mcp__calc'] });
  assert.ok(!all.init.tools.some((name) => name.startsWith('mcp__calc')));
});

test('a server in the program reports progress, says things and changes its tools', async (t) => {
  const server = new McpServer({ name: 'calc', version: '1' }, { capabilities: { logging: {} } });
  server.tool('grow', 'Gets a brother', async (extra) => {
    const progressToken = extra._meta?.progressToken;
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'half way' } });
    server.tool('brother', 'Was not there', async () => words('here I am'));
    return words('grown');
  });
  const world = await World.make(t, [call('mcp__calc__grow', {}), call('mcp__calc__brother', {}), text('Two.')]);
  const run = await world.run('go', { mcpServers: { calc: { type: 'sdk', name: 'calc', instance: server } }, ...allowed });
  assert.deepEqual(run.toolResults.map(textOf), ['grown', 'here I am']);
  assert.ok(world.requests()[1].tools.some((tool) => tool.name === 'mcp__calc__brother'));
});

test('an interrupt reaches the tool', async (t) => {
  const server = new McpServer({ name: 'calc', version: '1' });
  let aborted = false;
  let started;
  const running = new Promise((done) => (started = done));
  server.tool('wait', 'Waits', async (extra) => {
    started();
    await new Promise((done) => extra.signal.addEventListener('abort', done));
    aborted = true;
    return words('too late');
  });
  const world = await World.make(t, [call('mcp__calc__wait', {}), text('Back.')]);
  await open(world, { mcpServers: { calc: { type: 'sdk', name: 'calc', instance: server } }, ...allowed },
    async ({ query, turn, messages }) => {
      const first = turn('go');
      await running;
      await query.interrupt();
      assert.equal((await first).subtype, 'error_during_execution');
      assert.equal(results(messages)[0].is_error, true);
      assert.equal((await turn('again')).result, 'Back.');
    });
  assert.ok(aborted);
});

test('hooks hear which server a tool belongs to', async (t) => {
  const world = await World.make(t, [call('mcp__calc__add', { a: 1, b: 2 }), text('3')]);
  const heard = [];
  await world.run('go', {
    mcpServers: { calc: calculator() },
    ...allowed,
    hooks: {
      PreToolUse: [{ matcher: 'mcp__calc__.*', hooks: [async (input) => { heard.push(input.mcp_server); return {}; }] }],
      PostToolUse: [{ hooks: [async (input) => { heard.push(input.tool_response); return {}; }] }],
    },
  });
  assert.deepEqual(heard, [{ name: 'calc', source: 'sdk' }, [{ type: 'text', text: '3' }]]);
});

test('a stdio server: environment, folder, questions to the user', async (t) => {
  const world = await World.make(t, [
    call('mcp__stdio__greet', { who: 'world' }), call('mcp__stdio__where', {}), call('mcp__stdio__secret', {}),
    call('mcp__stdio__ask', {}), text('Done.'),
  ]);
  const questions = [];
  const run = await world.run('go', {
    mcpServers: { stdio: stdio('well', { env: { SECRET: 'kept' } }) },
    ...allowed,
    onElicitation: async (request) => {
      questions.push([request.serverName, request.message]);
      return { action: 'accept', content: { colour: 'blue' } };
    },
  });
  assert.deepEqual(questions, [['stdio', 'Which colour?']]);
  assert.deepEqual(run.toolResults.map(textOf),
    ['hello world', world.cwd, 'kept', '{"action":"accept","content":{"colour":"blue"}}']);
  assert.equal(run.init.mcp_servers[0].source, 'dynamic');
});

test('broken servers fail, and the session goes on', async (t) => {
  const world = await World.make(t, [
    call('mcp__stdio__greet', { who: 'you' }), call('mcp__stdio__die', {}), call('mcp__stdio__greet', { who: 'again' }),
    text('Still here.'),
  ]);
  const run = await world.run('go', {
    mcpServers: {
      stdio: stdio('babble'), dead: stdio('dead'), mute: stdio('mute'),
      missing: { command: '/nonexistent/program' }, nobody: { type: 'http', url: 'http://127.0.0.1:9/mcp' },
    },
    env: { ...world.env, MCP_TIMEOUT: '1500' },
    ...allowed,
  });
  const status = Object.fromEntries(run.init.mcp_servers.map((server) => [server.name, server.status]));
  assert.deepEqual(status, { stdio: 'connected', dead: 'failed', mute: 'failed', missing: 'failed', nobody: 'failed' });
  assert.deepEqual(run.toolResults.map(textOf), ['hello you', 'Connection closed', 'hello again']);
  assert.equal(run.result.result, 'Still here.');
});

test('no server outlives the agent', async (t) => {
  const world = await World.make(t, [text('Bye.')]);
  const mark = `parley-${process.pid}-${Date.now()}`;
  await world.run('go', { mcpServers: { stdio: stdio('well', { env: { SECRET: mark } }), mute: stdio('mute', { env: { SECRET: mark } }) },
    env: { ...world.env, MCP_TIMEOUT: '500' } });
  const alive = readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
  assert.deepEqual(alive, []);
});

test('status, reconnect and toggle', async (t) => {
  const world = await World.make(t, [text('1'), text('2'), text('3')]);
  await open(world, { mcpServers: { calc: calculator(), stdio: stdio('well'), dead: stdio('dead') } },
    async ({ query, turn, messages }) => {
      await turn('a');
      const status = Object.fromEntries((await query.mcpServerStatus()).map((server) => [server.name, server]));
      assert.equal(status.stdio.status, 'connected');
      assert.deepEqual(status.stdio.serverInfo, { name: 'stdio', version: '1' });
      assert.deepEqual(status.calc.tools.map((tool) => tool.name), ['add', 'fail', 'refuse', 'picture', 'facts', 'long']);
      assert.equal(status.dead.status, 'failed');
      assert.equal(status.dead.error, 'Connection closed');
      await query.reconnectMcpServer('stdio');
      await assert.rejects(query.reconnectMcpServer('dead'), /Connection closed/);
      await assert.rejects(query.reconnectMcpServer('nosuch'), /Server not found: nosuch/);
      await query.toggleMcpServer('stdio', false);
      await turn('b');
      assert.ok(!inits(messages)[1].tools.some((name) => name.startsWith('mcp__stdio')));
      assert.equal(inits(messages)[1].mcp_servers.find((server) => server.name === 'stdio').status, 'disabled');
      await query.toggleMcpServer('stdio', true);
      await turn('c');
      assert.ok(inits(messages)[2].tools.includes('mcp__stdio__greet'));
    });
});

test('servers are set while the session runs', async (t) => {
  const world = await World.make(t, [
    text('1'), call('mcp__calc__add', { a: 2, b: 2 }), call('mcp__stdio__greet', { who: 'late' }), text('2'), text('3'),
  ]);
  await open(world, allowed, async ({ query, turn, messages }) => {
    await turn('a');
    const set = await query.setMcpServers({ calc: calculator(), stdio: stdio('well'), dead: stdio('dead') });
    assert.deepEqual(set.added.sort(), ['calc', 'dead', 'stdio']);
    assert.deepEqual(set.errors, { dead: 'Connection closed' });
    await turn('b');
    assert.deepEqual(results(messages).map(textOf), ['4', 'hello late']);
    const none = await query.setMcpServers({});
    assert.deepEqual(none.removed.sort(), ['calc', 'dead', 'stdio']);
    await turn('c');
    assert.deepEqual(inits(messages)[2].mcp_servers, []);
  });
});

test('the servers of a project, and those that are not wanted', async (t) => {
  const world = await World.make(t, [text('1'), text('2'), text('3')]);
  world.file('.mcp.json', JSON.stringify({ mcpServers: { one: stdio('well'), two: stdio('well') } }));
  const names = (run) => run.init.mcp_servers.map((server) => `${server.name} ${server.source}`);
  const project = { settingSources: ['project', 'local'] };
  assert.deepEqual(names(await world.run('a', project)), ['one project', 'two project']);
  const settings = JSON.stringify({ disabledMcpjsonServers: ['two'] });
  assert.deepEqual(names(await world.run('b', { ...project, settings })), ['one project']);
  const strict = await world.run('c', { ...project, strictMcpConfig: true, mcpServers: { mine: stdio('well') } });
  assert.deepEqual(names(strict), ['mine dynamic']);
});

test('resources are listed, read and mentioned', async (t) => {
  const world = await World.make(t, [
    call('ListMcpResourcesTool', {}), call('ReadMcpResourceTool', { server: 'stdio', uri: 'note://one' }),
    call('ReadMcpResourceTool', { server: 'stdio', uri: 'note://none' }), text('Read.'), text('Seen.'),
  ]);
  const mcpServers = { stdio: stdio('well') };
  const run = await world.run('go', { mcpServers });
  assert.deepEqual(JSON.parse(textOf(run.toolResults[0])), [{ name: 'One', uri: 'note://one', server: 'stdio' }]);
  assert.match(textOf(run.toolResults[1]), /the words of note one/);
  assert.equal(run.toolResults[2].is_error, true);
  await world.run('look at @stdio:note://one please', { mcpServers });
  assert.match(JSON.stringify(world.requests().at(-1).messages), /the words of note one/);
});

test('many tools are looked for first', async (t) => {
  const world = await World.make(t, [
    call('mcp__calc__add', { a: 1, b: 1 }), call('ToolSearch', { query: 'select:mcp__calc__add' }),
    call('ToolSearch', { query: 'draws' }), text('Found.'),
  ]);
  const run = await world.run('go', {
    mcpServers: { calc: calculator() }, ...allowed, env: { ...world.env, ENABLE_TOOL_SEARCH: 'true' },
  });
  const offered = world.requests().map((request) => request.tools.map((tool) => tool.name).filter((name) => name.startsWith('mcp__')));
  assert.deepEqual(offered, [[], [], ['mcp__calc__add'], ['mcp__calc__add', 'mcp__calc__picture']]);
  assert.ok(run.init.tools.includes('mcp__calc__add') && run.init.tools.includes('ToolSearch'));
  assert.equal(textOf(run.toolResults[0]), '2', 'one that was not looked for works, too');
  assert.deepEqual(run.toolResults[1].content, [{ type: 'tool_reference', tool_name: 'mcp__calc__add' }]);
  assert.deepEqual(run.of('user')[1].tool_use_result,
    { matches: ['mcp__calc__add'], query: 'select:mcp__calc__add', total_deferred_tools: 6 });
});

test('a tool of a server decides about permissions', async (t) => {
  const world = await World.make(t, [
    call('Bash', { command: 'touch made' }), call('Bash', { command: 'touch forbidden' }), text('Done.'),
  ]);
  const run = await world.run('go', { mcpServers: { stdio: stdio('well') }, permissionPromptToolName: 'mcp__stdio__decide' });
  assert.equal(run.toolResults[0].is_error ?? false, false);
  assert.equal(textOf(run.toolResults[1]), 'no Bash');
  assert.ok(!run.init.tools.includes('mcp__stdio__decide'));
  assert.equal(run.result.permission_denials.length, 1);
});
