// A scripted Messages API on loopback, for tests with a real CLI.
//
//   node model_server.mjs SCRIPT.json REQUESTS.jsonl
//
// Prints its port, writes every request body to REQUESTS.jsonl, and ends when its stdin does. The
// script is a list of turns, taken in order; a turn with `when_first`, `when_last`, `when_any` or
// `when_model` (regular expressions over the first user message, the last message, all messages, the
// model) waits until one matches, and `repeat` keeps it. A turn is
//   {content: [blocks], stop_reason?, usage_start?, usage_end?}   an answer
//   {status, error}                                              an HTTP error
// and `hang_after: N` stops after N events of the stream until the client hangs up. Requests without
// tools are auxiliary (titles and the like) and get "ok" unless a turn says `aux`.
import { createServer } from "node:http";
import { appendFileSync, readFileSync } from "node:fs";

const [script, log] = process.argv.slice(2);
const turns = JSON.parse(readFileSync(script, "utf8"));
const used = new Set();
let answered = 0;

function pick(body) {
  const messages = body.messages ?? [];
  const auxiliary = !body.tools?.length;
  const texts = {
    when_first: JSON.stringify(messages.find((m) => m.role === "user") ?? ""),
    when_last: JSON.stringify(messages.at(-1) ?? ""),
    when_any: JSON.stringify(messages),
    when_model: body.model ?? "",
  };
  for (const [i, turn] of turns.entries()) {
    if (used.has(i)) continue;
    const conditions = Object.keys(texts).filter((key) => key in turn);
    if (!conditions.length && !turn.aux && auxiliary) continue;
    if (turn.aux && !auxiliary) continue;
    if (!conditions.every((key) => new RegExp(turn[key]).test(texts[key]))) continue;
    if (!turn.repeat) used.add(i);
    return turn;
  }
  const text = auxiliary ? "ok" : "(the script is over)";
  return { content: [{ type: "text", text }] };
}

function message(turn, model) {
  const tool = turn.content.some((block) => block.type === "tool_use");
  return {
    id: `msg_${String(++answered).padStart(20, "0")}`,
    type: "message",
    role: "assistant",
    model,
    content: turn.content,
    stop_reason: turn.stop_reason ?? (tool ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 20, ...turn.usage_start, ...turn.usage_end },
  };
}

/** The events of a streaming answer, each block in two pieces. */
function* events(whole) {
  yield {
    type: "message_start",
    message: { ...whole, content: [], stop_reason: null, usage: { ...whole.usage, output_tokens: 1 } },
  };
  for (const [index, block] of whole.content.entries()) {
    const [kind, key, text, empty] =
      block.type === "text" ? ["text_delta", "text", block.text, { type: "text", text: "" }]
      : block.type === "thinking" ? ["thinking_delta", "thinking", block.thinking,
          { type: "thinking", thinking: "", signature: "" }]
      : ["input_json_delta", "partial_json", JSON.stringify(block.input), { ...block, input: {} }];
    yield { type: "content_block_start", index, content_block: empty };
    const half = Math.ceil(text.length / 2);
    for (const piece of [text.slice(0, half), text.slice(half)]) {
      if (piece) yield { type: "content_block_delta", index, delta: { type: kind, [key]: piece } };
    }
    if (block.type === "thinking") {
      yield { type: "content_block_delta", index, delta: { type: "signature_delta", signature: "c2ln" } };
    }
    yield { type: "content_block_stop", index };
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: whole.stop_reason, stop_sequence: null },
    usage: { output_tokens: whole.usage.output_tokens },
  };
  yield { type: "message_stop" };
}

function answer(body, response) {
  const turn = pick(body);
  if (turn.status) {
    response.writeHead(turn.status, { "content-type": "application/json" });
    return response.end(JSON.stringify(turn.error));
  }
  const whole = message(turn, body.model);
  if (!body.stream) {
    response.writeHead(200, { "content-type": "application/json", "request-id": `req_${answered}` });
    return response.end(JSON.stringify(whole));
  }
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_${answered}` });
  let sent = 0;
  for (const event of events(whole)) {
    if (sent++ === turn.hang_after) return;
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const text = Buffer.concat(parts).toString();
    if (request.url.includes("/count_tokens")) {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end('{"input_tokens":100}');
    }
    if (request.method !== "POST" || !request.url.startsWith("/v1/messages")) {
      response.writeHead(404);
      return response.end();
    }
    appendFileSync(log, text + "\n");
    answer(JSON.parse(text), response);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.resume().on("end", () => process.exit());
