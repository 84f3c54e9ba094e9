// MCP servers that mean harm: each is an error that the model can read, and the session goes on; see
// agent_sdk.sh.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Wire, World, call, text } from './support.mjs';

const server = join(new URL('.', import.meta.url).pathname, 'hostile_server.mjs');
/** The agent is to stay below this, whatever a server says. */
const mostMemory = 400 << 10;

const textOf = (block) => (Array.isArray(block.content) ? block.content.map((part) => part.text ?? `[${part.type}]`).join('|') : block.content);

/** A session with a server of that kind, which calls `work` and then `ok` of it, and has another turn. */
async function suffer(t, harm, env = {}) {
  const world = await World.make(t, [call('mcp__bad__work', {}), call('mcp__bad__ok', {}), text('Through.'), text('And on.')]);
  const config = { mcpServers: { bad: { command: process.execPath, args: [server, harm] } } };
  const wire = new Wire(world, ['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__bad', '--permission-prompt-tool', 'stdio'],
    { MCP_TIMEOUT: '3000', MCP_TOOL_TIMEOUT: '4000', ...env });
  const first = await wire.turn('go');
  const second = await wire.turn('again');
  assert.equal(second.result, 'And on.');
  const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${wire.child.pid}/status`, 'utf8'))[1]);
  assert.ok(memory < mostMemory, `${memory} kB`);
  const init = wire.messages.find((m) => m.subtype === 'init');
  const blocks = wire.messages.filter((m) => m.type === 'user')
    .flatMap((m) => (Array.isArray(m.message.content) ? m.message.content : [])).filter((b) => b.type === 'tool_result');
  assert.equal(await wire.end(), 0);
  return { world, init, first, work: textOf(blocks[0]), failed: blocks[0].is_error ?? false, ok: textOf(blocks[1]) };
}

/** Answers to a call: what is said of it, and whether as an error. The next call works in every case. */
const calls = {
  silence: [true, /MCP server "bad" tool "work" timed out after 4s/],
  twice: [false, /^first$/],
  ids: [false, /^yours$/],
  flood: [true, /longer than 32 MB/],
  flood_unnamed: [true, /longer than 32 MB/],
  nonsense: [false, /after all that/],
  shape: [true, /no result of a tool/],
  blocks: [false, /cannot be read/],
  both: [true, /or not/],
  dies: [true, /Connection closed/],
  storm: [false, /calm/],
  questions: [false, /asked/],
  progress: [false, /^on$/],
  stderr: [false, /work done/],
  names: [false, /work done/],
  pages: [false, /work done/],
};
for (const [harm, [failed, said]] of Object.entries(calls)) {
  test(`a server that is hostile by: ${harm}`, async (t) => {
    const got = await suffer(t, harm);
    assert.equal(got.init.mcp_servers[0].status, 'connected');
    assert.match(got.work, said);
    assert.equal(got.failed, failed);
    assert.equal(got.ok, 'ok done');
    assert.equal(got.first.result, 'Through.');
  });
}

for (const harm of ['dies_initialize', 'dies_initialized', 'dies_list', 'version', 'initialize']) {
  test(`a server that is not there: ${harm}`, async (t) => {
    const got = await suffer(t, harm);
    assert.equal(got.init.mcp_servers[0].status, 'failed');
    assert.match(got.work, /No such tool available/);
  });
}

test('a server without a list of tools', async (t) => {
  const got = await suffer(t, 'list');
  assert.equal(got.init.mcp_servers[0].status, 'connected');
  assert.match(got.work, /No such tool available/);
});

test('names and schemas that the API would refuse are left out', async (t) => {
  const got = await suffer(t, 'names');
  const offered = got.world.requests()[0].tools.filter((tool) => tool.name.startsWith('mcp__'));
  assert.deepEqual(offered.map((tool) => tool.name), ['mcp__bad__odd_name____', 'mcp__bad__ok', 'mcp__bad__work']);
  assert.equal(offered.find((tool) => tool.name === 'mcp__bad__work').description, 'work');
});

test('more tools than anybody needs', async (t) => {
  const got = await suffer(t, 'many');
  const known = got.init.tools.filter((name) => name.startsWith('mcp__'));
  assert.equal(known.length, 1000);
  assert.match(got.work, /No such tool available/);
});
