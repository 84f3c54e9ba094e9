// MCP servers that mean harm, or know no better, for hostile_mcp.mjs. The argument says which.
import { createInterface } from 'node:readline';

const [harm] = process.argv.slice(2);
const write = (line) => process.stdout.write(line + '\n');
const say = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
const words = (text) => ({ content: [{ type: 'text', text }] });
const tool = (name, more = {}) => ({ name, description: name, inputSchema: { type: 'object' }, ...more });

let tools = [tool('work'), tool('ok')];
if (harm === 'names') {
  tools = [
    tool('work'), tool('work', { description: 'the second' }), tool('odd name/é😀'), tool('x'.repeat(500)), tool(''),
    tool('array', { inputSchema: { type: 'array' } }), tool('words', { inputSchema: 'nonsense' }),
    tool('pattern', { inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }),
    tool('ref', { inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } }),
    { description: 'no name' }, 7, null, tool('ok'),
  ];
}
if (harm === 'many') tools = Array.from({ length: 20000 }, (_, i) => tool(`tool_${i}`));
if (harm === 'stderr') setInterval(() => process.stderr.write('noise '.repeat(10000)), 1);

const answers = {
  silence: () => undefined,
  twice: (id) => [words('first'), words('second')].forEach((result) => say({ id, result })),
  ids: (id) => {
    for (const other of [id + 1000, -1, 'x', null, {}, 1e30]) say({ id: other, result: words('not yours') });
    say({ id, result: words('yours') });
  },
  flood: (id) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    const piece = 'x'.repeat(1 << 20);
    for (let i = 0; i < 100; ++i) process.stdout.write(piece);
    write('"}]}}');
  },
  flood_unnamed: (id) => {
    process.stdout.write('{"result":{"content":[{"type":"text","text":"');
    const piece = 'x'.repeat(1 << 20);
    for (let i = 0; i < 100; ++i) process.stdout.write(piece);
    write(`"}]},"id":${id},"jsonrpc":"2.0"}`);
  },
  nonsense: (id) => {
    write('not json at all');
    write('{"jsonrpc":"2.0","id":');
    write('[1,2,3]');
    write('"text"');
    write('\u0000\u0001');
    write('['.repeat(100000));
    say({ id, result: words('after all that') });
  },
  shape: (id) => say({ id, result: { content: 'not a list', isError: 'maybe' } }),
  blocks: (id) => say({ id, result: { content: [
    { type: 'image', data: '!!!', mimeType: 'image/png' }, { type: 'hologram', data: 1 },
    { type: 'resource', resource: { uri: 'x://y', blob: '%%%' } }, { type: 'audio', data: 'AAAA', mimeType: '../../etc' },
  ] } }),
  both: (id) => say({ id, result: words('fine'), error: { code: 1, message: 'or not' } }),
  dies: () => process.exit(9),
  storm: (id) => {
    for (let i = 0; i < 20000; ++i) say({ method: 'notifications/tools/list_changed' });
    say({ id, result: words('calm') });
  },
  questions: (id) => {
    for (let i = 0; i < 200; ++i) say({ id: `q${i}`, method: 'elicitation/create', params: { message: `?${i}` } });
    for (let i = 0; i < 200; ++i) say({ id: `r${i}`, method: 'roots/list' });
    setTimeout(() => say({ id, result: words('asked') }), 200);
  },
  progress: (id, params) => {
    for (const progressToken of [params._meta?.progressToken, 99, 'x', null]) {
      say({ method: 'notifications/progress', params: { progressToken, progress: 'much' } });
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    }
    say({ id, result: words('on') });
  },
};

const phases = { initialize: 'dies_initialize', 'notifications/initialized': 'dies_initialized', 'tools/list': 'dies_list' };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (phases[method] === harm) process.exit(5);
  if (id === undefined || !method) return;
  if (method === 'initialize') {
    const protocolVersion = harm === 'version' ? '1999-01-01' : params.protocolVersion;
    if (harm === 'initialize') return say({ id, result: { capabilities: 7 } });
    return say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'bad', version: '1' } } });
  }
  if (method === 'tools/list') {
    if (harm === 'pages') return say({ id, result: { tools, nextCursor: `${Math.random()}` } });
    if (harm === 'list') return say({ id, result: { tools: 'none' } });
    return say({ id, result: { tools } });
  }
  if (method !== 'tools/call') return say({ id, error: { code: -32601, message: 'Method not found' } });
  if (params.name === 'work' && answers[harm]) return answers[harm](id, params);
  say({ id, result: words(`${params.name} done`) });
}).on('close', () => process.exit(0));
