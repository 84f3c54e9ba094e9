// An MCP server on stdin and stdout for the tests of mcp.mjs. Its argument says how it behaves: well,
// or "dead" (ends at once), "mute" (answers nothing), "babble" (says things that are no JSON first).
import { createInterface } from 'node:readline';

const [behaviour = 'well'] = process.argv.slice(2);
if (behaviour === 'dead') process.exit(3);
if (behaviour === 'babble') process.stdout.write('I am no JSON\n{"jsonrpc":"2.0","id":77,"result":{}}\n');
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const waiting = new Map();
const words = (text) => ({ content: [{ type: 'text', text }] });

const tools = {
  greet: async ({ who }) => words(`hello ${who}`),
  where: async () => words(process.cwd()),
  secret: async () => words(process.env.SECRET ?? 'none'),
  ask: async () => {
    say({ id: 'q1', method: 'elicitation/create', params: {
      message: 'Which colour?', requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
    } });
    return words(JSON.stringify(await new Promise((done) => waiting.set('q1', done))));
  },
  decide: async ({ tool_name, input }) => words(JSON.stringify(input.command?.includes('forbidden')
    ? { behavior: 'deny', message: `no ${tool_name}` } : { behavior: 'allow', updatedInput: input })),
  die: async () => process.exit(7),
};
const list = Object.keys(tools).map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (behaviour === 'mute') return;
  if (!method) return waiting.get(id)?.(result);
  if (id === undefined) return;
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return say({ id, result: { protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'stdio', version: '1' } } });
  }
  if (method === 'tools/list') return say({ id, result: { tools: list } });
  if (method === 'resources/list') return say({ id, result: { resources: [{ uri: 'note://one', name: 'One' }] } });
  if (method === 'resources/read' && params.uri === 'note://one') {
    return say({ id, result: { contents: [{ uri: params.uri, mimeType: 'text/plain', text: 'the words of note one' }] } });
  }
  if (method === 'tools/call') return say({ id, result: await tools[params.name](params.arguments) });
  say({ id, error: { code: -32601, message: 'Method not found' } });
}).on('close', () => process.exit(0));
