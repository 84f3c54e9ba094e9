// Pieces of conversations, as an agent would write them, and recordings of a real one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packages.mjs';

let counter = 0;
const next = (prefix) => `${prefix}_${(counter += 1)}`;

export function say(hub, id, text) {
  hub.agent(id, {
    type: 'assistant',
    message: { id: next('msg'), role: 'assistant', content: [{ type: 'text', text }] },
  });
}

export function think(hub, id, thinking, ms) {
  hub.agent(id, {
    type: 'assistant',
    thinking_duration_ms: ms,
    message: { id: next('msg'), role: 'assistant', content: [{ type: 'thinking', thinking }] },
  });
}

/** A tool call; returns its id for result(). */
export function call(hub, id, name, input, parent = null) {
  const toolId = next('toolu');
  hub.agent(id, {
    type: 'assistant',
    parent_tool_use_id: parent,
    message: {
      id: next('msg'),
      role: 'assistant',
      content: [{ type: 'tool_use', id: toolId, name, input }],
    },
  });
  return toolId;
}

export function result(
  hub,
  id,
  toolId,
  content,
  { error = false, structured, parent = null } = {},
) {
  hub.agent(id, {
    type: 'user',
    parent_tool_use_id: parent,
    tool_use_result: structured,
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: toolId, content, is_error: error }],
    },
  });
}

export function endTurn(hub, id, { cost = 0.01, ms = 1200, ...rest } = {}) {
  hub.agent(id, {
    type: 'result',
    subtype: 'success',
    is_error: false,
    total_cost_usd: hub.sessions.get(id).summary.cost_usd + cost,
    duration_ms: ms,
    modelUsage: { 'claude-opus-5-5': { contextWindow: 200000 } },
    ...rest,
  });
  hub.emit(id, { kind: 'state', state: 'idle' });
}

/** Starts a streamed text; the returned functions append to it and finish it. */
export function stream(hub, id) {
  const messageId = next('msg');
  const event = (value) => hub.agent(id, { type: 'stream_event', event: value });
  let whole = '';
  hub.emit(id, { kind: 'state', state: 'running' });
  event({ type: 'message_start', message: { id: messageId, usage: { input_tokens: 41000 } } });
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  return {
    add(text) {
      whole += text;
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
    },
    finish() {
      hub.agent(id, {
        type: 'assistant',
        message: {
          id: messageId,
          role: 'assistant',
          usage: { input_tokens: 41000, output_tokens: 500 },
          content: [{ type: 'text', text: whole }],
        },
      });
      event({ type: 'content_block_stop', index: 0 });
      event({ type: 'message_stop' });
      endTurn(hub, id);
    },
  };
}

/** Plays the agent's side of a recorded session; requests wait for the answer of the page. */
export async function play(hub, id, name) {
  const file = join(ROOT, 'tests/recordings/2.1.325', `${name}.jsonl`);
  hub.emit(id, { kind: 'state', state: 'running' });
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const record = JSON.parse(line);
    if (record.dir !== 'out' || !record.line) continue;
    const message = JSON.parse(record.line);
    if (message.type === 'control_request') {
      if (message.request.subtype === 'can_use_tool')
        await hub.request(id, message.request, message.request_id);
    } else if (!message.type.startsWith('control_')) {
      hub.emit(id, { kind: 'agent', message });
    }
  }
  hub.emit(id, { kind: 'state', state: 'idle' });
}
