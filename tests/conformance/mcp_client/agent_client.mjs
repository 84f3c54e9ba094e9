// A client for the conformance suite: parley-agent with the server of a scenario, whose address is the
// last argument, and a model that calls what the scenario wants called.
import { Wire, World, call, text } from '../agent_sdk/support.mjs';

const calls = {
  initialize: [],
  tools_call: [call('mcp__suite__add_numbers', { a: 5, b: 3 })],
  'elicitation-sep1034-client-defaults': [call('mcp__suite__test_client_elicitation_defaults', {})],
  'sse-retry': [call('mcp__suite__test_reconnection', {})],
};
const [scenario] = process.argv.slice(2);
const url = process.argv.at(-1);
const endings = [];
const world = await World.make({ after: (ending) => endings.push(ending) }, [...calls[scenario], text('Done.')]);
const config = { mcpServers: { suite: { type: 'http', url } } };
const wire = new Wire(world, ['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__suite',
  '--permission-prompt-tool', 'stdio']);
wire.until((message) => {
  if (message.request?.subtype !== 'elicitation' || message.answered) return false;
  message.answered = true;
  const response = { subtype: 'success', request_id: message.request_id, response: { action: 'accept', content: {} } };
  wire.send({ type: 'control_response', response });
  return false;
});
await wire.turn('go');
const code = await wire.end();
for (const ending of endings) ending();
process.exit(code);
