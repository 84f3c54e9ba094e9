// Reads the stream with the official SDK and prints what sdk_bench.cpp prints for ours.
// Usage: node sdk_stream.mjs SDK-MODULE CLI
import { readFileSync } from 'node:fs';

const [module, cli] = process.argv.slice(2);
const sdk = await import(module);
let begun = 0;
let done = () => {};
const over = new Promise((resolve) => { done = resolve; });

async function* prompts() {
  begun = performance.now();
  yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' };
  await over;
}

let messages = 0;
const options = { pathToClaudeCodeExecutable: cli, env: process.env, includePartialMessages: true };
for await (const message of sdk.query({ prompt: prompts(), options })) {
  messages += 1;
  if (message.type === 'result') break;
}
const milliseconds = performance.now() - begun;
done();
const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
process.stdout.write(`${JSON.stringify({ messages, milliseconds, kilobytes })}\n`);
process.exit(0);
