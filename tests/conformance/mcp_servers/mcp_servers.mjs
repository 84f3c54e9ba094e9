// See mcp_servers.sh.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { World, call, text } from '../agent_sdk/support.mjs';

const { PARLEY_MCP_EVERYTHING, PARLEY_MCP_FILESYSTEM, PARLEY_MCP_MEMORY } = process.env;
const node = (script, ...args) => ({ command: process.execPath, args: [script, ...args] });
const all = ['mcp__everything', 'mcp__files', 'mcp__memory'];
const textOf = (block) => (Array.isArray(block.content) ? block.content.map((part) => part.text ?? `[${part.type}]`).join('|') : block.content);

/** A port that nobody listens on. */
const freePort = () => new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

/** The server on the web, in one of its two ways; its port once it listens. */
async function onWeb(t, way) {
  const port = await freePort();
  const child = spawn(process.execPath, [PARLEY_MCP_EVERYTHING, way], {
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', PORT: `${port}` }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  await new Promise((done, fail) => {
    let said = '';
    const listen = (bytes) => {
      said += bytes;
      if (/listening|running|port/i.test(said)) done();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => fail(new Error(`the server ended: ${said}`)));
  });
  return port;
}

/** What the server of everything can do, whichever way leads to it. */
async function tryEverything(t, world, server) {
  const questions = [];
  const run = await world.run('go', {
    mcpServers: { everything: server },
    allowedTools: all,
    onElicitation: async (request) => {
      questions.push(request.message);
      return { action: 'decline' };
    },
  });
  assert.equal(run.init.mcp_servers[0].status, 'connected', JSON.stringify(run.init.mcp_servers));
  const [echo, sum, image, slow, structured, asked, resources] = run.toolResults;
  assert.match(textOf(echo), /Echo: hello there/);
  assert.match(textOf(sum), /5/);
  assert.ok(image.content.some((part) => part.type === 'image'));
  assert.match(textOf(slow), /[Ll]ong running operation completed/);
  assert.match(textOf(structured), /temperature/);
  assert.equal(questions.length, 1);
  assert.match(textOf(asked), /declin/i);
  assert.match(textOf(resources), /"server":"everything"/);
  assert.equal(run.result.result, 'Done.');
}
const everythingCalls = [
  call('mcp__everything__echo', { message: 'hello there' }),
  call('mcp__everything__get-sum', { a: 2, b: 3 }),
  call('mcp__everything__get-tiny-image', {}),
  call('mcp__everything__trigger-long-running-operation', { duration: 1, steps: 3 }),
  call('mcp__everything__get-structured-content', { location: 'New York' }),
  call('mcp__everything__trigger-elicitation-request', {}),
  call('ListMcpResourcesTool', { server: 'everything' }),
  text('Done.'),
];

test('everything, as a process', async (t) => {
  await tryEverything(t, await World.make(t, everythingCalls), node(PARLEY_MCP_EVERYTHING, 'stdio'));
});

test('everything, over streamable HTTP', async (t) => {
  const port = await onWeb(t, 'streamableHttp');
  const server = { type: 'http', url: `http://127.0.0.1:${port}/mcp` };
  await tryEverything(t, await World.make(t, everythingCalls), server);
});

test('everything, over SSE', async (t) => {
  const port = await onWeb(t, 'sse');
  const server = { type: 'sse', url: `http://127.0.0.1:${port}/sse` };
  await tryEverything(t, await World.make(t, everythingCalls), server);
});

test('the file system', async (t) => {
  const world = await World.make(t, (cwd) => [
    call('mcp__files__write_file', { path: join(cwd, 'made.txt'), content: 'by a server\n' }),
    call('mcp__files__read_text_file', { path: join(cwd, 'made.txt') }),
    call('mcp__files__list_directory', { path: cwd }),
    call('mcp__files__read_text_file', { path: '/etc/passwd' }),
    text('Done.'),
  ]);
  const run = await world.run('go', {
    mcpServers: { files: node(PARLEY_MCP_FILESYSTEM, world.cwd) }, allowedTools: all,
  });
  assert.equal(world.read('made.txt'), 'by a server\n');
  assert.match(textOf(run.toolResults[1]), /by a server/);
  assert.match(textOf(run.toolResults[2]), /made\.txt/);
  assert.equal(run.toolResults[3].is_error, true);
  assert.match(textOf(run.toolResults[3]), /outside allowed directories/);
});

test('a memory that is kept from one session to the next', async (t) => {
  const world = await World.make(t, [
    call('mcp__memory__create_entities', { entities: [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }] }),
    text('Noted.'), call('mcp__memory__search_nodes', { query: 'Ann' }), text('Tea.'),
  ]);
  const memory = { ...node(PARLEY_MCP_MEMORY), env: { MEMORY_FILE_PATH: join(world.home, 'memory.jsonl') } };
  await world.run('remember', { mcpServers: { memory }, allowedTools: all });
  const run = await world.run('recall', { mcpServers: { memory }, allowedTools: all });
  assert.match(textOf(run.toolResults[0]), /likes tea/);
});
