// Prints everything that the official SDK reads below each given root, as one JSON object.
// Usage: node sdk_dump.mjs SDK-MODULE ROOT...
const [, , module, ...roots] = process.argv;
const sdk = await import(module);

async function sessionOf(id) {
  const subagents = {};
  for (const agent of (await sdk.listSubagents(id)).sort()) {
    subagents[agent] = await sdk.getSubagentMessages(id, agent);
  }
  return {
    info: await sdk.getSessionInfo(id),
    messages: await sdk.getSessionMessages(id),
    withSystem: await sdk.getSessionMessages(id, { includeSystemMessages: true }),
    page: await sdk.getSessionMessages(id, { offset: 1, limit: 2 }),
    subagents,
  };
}

const all = {};
for (const root of roots) {
  process.env.CLAUDE_CONFIG_DIR = root;
  const list = await sdk.listSessions();
  const sessions = {};
  for (const { sessionId } of list) sessions[sessionId] = await sessionOf(sessionId);
  all[root] = { list, sessions };
}
process.stdout.write(`${JSON.stringify(all)}\n`);
