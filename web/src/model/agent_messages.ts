// What the agent said: answers, piece by piece and whole, tool calls and their results, and the many
// messages about itself. For the reducer only.
import { blocksOf, isObject, textOf } from '../protocol/wire.ts';
import type { AgentMessage, Block, Usage } from '../protocol/wire.ts';
import { addChange, changeOf } from './changes.ts';
import { newTool } from './items.ts';
import type { ToolItem } from './items.ts';
import { addPrompt, dropQueued, startQueued } from './prompts.ts';
import { addItem, addMarker, findTool, newId, removeItem, touch } from './item_list.ts';
import type { State } from './state.ts';
import { markerOf } from './system_messages.ts';
import { reduceTask, wake } from './tasks.ts';
import { noteTodos } from './todos.ts';
import { reduceResult } from './turns.ts';
import { lineUp } from './waiting_calls.ts';

export function reduceAgent(state: State, message: AgentMessage): void {
  const spoken = message.type === 'assistant' || message.type === 'user';
  if (spoken && message.uuid && !message.parent_tool_use_id && !message.isReplay)
    state.lastUuid = message.uuid;
  switch (message.type) {
    case 'assistant':
      return assistant(state, message);
    case 'user':
      return user(state, message);
    case 'stream_event':
      return stream(state, message);
    case 'result':
      return reduceResult(state, message);
    case 'system':
      return system(state, message);
    case 'command_lifecycle':
      if (message.state === 'started' && message.command_uuid) {
        startQueued(state, message.command_uuid);
      } else if (message.state === 'cancelled') {
        dropQueued(state, message.command_uuid);
      }
      return;
    case 'conversation_reset':
      addMarker(state, 'cleared', '');
      return;
    default:
      return;
  }
}

function tokensOf(usage: Usage): number {
  return (
    (usage.input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.output_tokens ?? 0)
  );
}

function stream(state: State, message: AgentMessage): void {
  const event = message.event;
  if (!event || message.parent_tool_use_id) return;
  state.busy = true;
  state.turn.retry = null;
  if (event.type === 'message_start') discardCut(state, event.message?.id ?? '');
  const created = state.live.apply(event, state.time);
  if (created) {
    addItem(state, created);
    if (created.kind === 'tool') lineUp(state, created);
  }
  if (state.live.touched) touch(state, state.live.touched);
  if (event.type === 'message_start' && event.message?.usage) {
    state.facts.contextTokens = tokensOf(event.message.usage);
  }
}

/** `keepUnnamed`: a page that joined in the middle does not know whose text it saw grow. */
function discardCut(state: State, messageId: string, keepUnnamed = false): void {
  for (const item of state.live.discardBefore(messageId, keepUnnamed)) removeItem(state, item);
}

function assistant(state: State, message: AgentMessage): void {
  const parent = findTool(state, message.parent_tool_use_id);
  state.turn.retry = null;
  if (!message.parent_tool_use_id && message.message?.id)
    discardCut(state, message.message.id, true);
  for (const block of blocksOf(message.message?.content)) addBlock(state, block, message, parent);
  const { usage, model } = message.message ?? {};
  if (usage && !parent && model !== '<synthetic>') state.facts.contextTokens = tokensOf(usage);
}

function addBlock(
  state: State,
  block: Block,
  message: AgentMessage,
  parent: ToolItem | undefined,
): void {
  const messageId = message.message?.id ?? message.uuid ?? '';
  const live = parent ? undefined : state.live.finish(messageId, block);
  if (live) {
    if (live.kind === 'thinking') live.durationMs = message.thinking_duration_ms ?? live.durationMs;
    if (live.kind === 'text') live.plain = isPlain(state, message);
    touch(state, live);
    return;
  }
  const { time } = state;
  const head = { id: newId(state), version: 0, time, messageId, streaming: false };
  if (block.type === 'text') {
    const plain = isPlain(state, message);
    if (block.text) addItem(state, { ...head, kind: 'text', text: block.text, plain }, parent);
  } else if (block.type === 'thinking') {
    const durationMs = message.thinking_duration_ms ?? null;
    const text = block.thinking ?? '';
    if (text) addItem(state, { ...head, kind: 'thinking', text, durationMs }, parent);
  } else if (block.type.endsWith('tool_use') && block.id) {
    const { id: toolId, name = block.type, input = {} } = block;
    const tool = newTool({ time, messageId, streaming: false, toolId, name, input });
    addItem(state, tool, parent);
    lineUp(state, tool);
  } else if (block.type.endsWith('tool_result')) {
    finishTool(state, block, message);
  }
}

/** What a slash command prints is made for a terminal, unless it is plainly markdown. */
function isPlain(state: State, message: AgentMessage): boolean {
  if (message.message?.model !== '<synthetic>' || !lastPromptText(state).startsWith('/'))
    return false;
  return !/^(#+ |\||```|[-*] )/m.test(textOf(message.message.content));
}

function user(state: State, message: AgentMessage): void {
  const words: Block[] = [];
  for (const block of blocksOf(message.message?.content)) {
    if (block.type.endsWith('tool_result')) finishTool(state, block, message);
    else words.push(block);
  }
  if (words.length === 0 || message.parent_tool_use_id || message.isSynthetic) return;
  const text = textOf(words);
  if (text.startsWith('[Request interrupted by user')) {
    state.turn.interrupted = true;
    addMarker(state, 'interrupted', '');
    return;
  }
  const output = /^<local-command-std(?:out|err)>([^]*)<\/local-command-std(?:out|err)>$/.exec(
    text,
  );
  if (output) {
    addMarker(state, 'command', output[1] ?? '');
    return;
  }
  const queued = state.queue.find(
    (prompt) => prompt.clientId === message.uuid || textOf(prompt.content) === text,
  );
  if (queued) {
    startQueued(state, queued.clientId);
  } else if (!message.uuid || !state.promptIds.has(message.uuid)) {
    if (message.isReplay && lastPromptText(state) === text) return;
    const clientId = message.uuid ?? `seq:${state.seq}`;
    addPrompt(state, { clientId, content: words, time: state.time });
    startQueued(state);
  }
}

function lastPromptText({ items }: State): string {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.kind === 'prompt') return textOf(item.content);
  }
  return '';
}

function finishTool(state: State, block: Block, message: AgentMessage): void {
  const tool = findTool(state, block.tool_use_id);
  if (!tool) return;
  tool.streaming = false;
  tool.abandoned = false;
  tool.asked = false;
  tool.waits = false;
  tool.finishedAt = state.time;
  tool.stopped = !tool.denied && isStop(block, message.tool_use_result);
  tool.result = {
    content: block.content,
    isError: block.is_error === true,
    structured: message.tool_use_result,
  };
  state.unfinished.delete(tool);
  lineUp(state, tool);
  noteTodos(state, tool);
  const change = block.is_error ? null : changeOf(message.tool_use_result, tool.toolId);
  if (change) addChange(state.turn.files, change);
  touch(state, tool);
}

/** An interrupted call has a result that tells the model to wait: it was stopped, and nothing failed. */
function isStop(block: Block, structured: unknown): boolean {
  if (isObject(structured) && structured['interrupted'] === true) return true;
  return (
    block.is_error === true &&
    /^(The user doesn't want to proceed with this tool use|\[Request interrupted by user)/.test(
      textOf(block.content),
    )
  );
}

function system(state: State, message: AgentMessage): void {
  const { facts, turn } = state;
  if (message.subtype === 'init') {
    if (!state.busy && state.queue.length === 0) wake(state);
    if (!state.busy) startQueued(state);
    state.busy = true;
    state.taskNotice = null;
    if (message.model) facts.model = message.model;
    state.about = {
      commands: message.slash_commands ?? [],
      tools: message.tools ?? [],
      agents: message.agents ?? [],
      skills: message.skills ?? [],
      plugins: (message.plugins ?? []).map(({ name }) => name),
      outputStyle: message.output_style ?? '',
      version: message.claude_code_version ?? '',
    };
  }
  if (message.permissionMode) facts.mode = message.permissionMode;
  if (message.subtype === 'session_title_changed' && message.title) facts.title = message.title;
  if (reduceTask(state, message)) return;
  const marker = markerOf(message);
  if (!marker) return;
  if (marker.kind === 'retry' && turn.retry) {
    turn.retry.text = marker.text;
    touch(state, turn.retry);
    return;
  }
  const item = addMarker(state, marker.kind, marker.text);
  if (marker.kind === 'retry') turn.retry = item;
}
