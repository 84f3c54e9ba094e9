// The state of one session, derived from its numbered events and from nothing else. Pure: no DOM, no
// network, no clock. A view asks takeChanged() which items to draw again.
import type { EndDetail, HubEvent, Numbered, SessionState } from '../protocol/contract.ts';
import { blocksOf, textOf } from '../protocol/wire.ts';
import type { AgentMessage, Block, Content, ToolRequest, Usage } from '../protocol/wire.ts';
import { words } from '../words.ts';
import { addChange, changeOf } from './changes.ts';
import type { FileChange, Item, MarkerItem, MarkerKind, ToolItem } from './items.ts';
import { LiveBlocks } from './live_blocks.ts';
import { markerOf, progressOf } from './system_messages.ts';

export interface PendingRequest {
  id: string;
  /** The number of the event that asked; an agent may use an id again. */
  seq: number;
  request: ToolRequest;
  time: number;
}

export interface QueuedPrompt {
  clientId: string;
  content: Content;
  time: number;
}

export interface Facts {
  state: SessionState;
  model: string | null;
  mode: string | null;
  title: string | null;
  costUsd: number;
  /** Tokens in the model's context after the last answer, 0 if unknown. */
  contextTokens: number;
  /** How many it can hold; 0 until the end of a turn has said so. */
  contextWindow: number;
}

function emptyFacts(): Facts {
  return {
    state: 'starting',
    model: null,
    mode: null,
    title: null,
    costUsd: 0,
    contextTokens: 0,
    contextWindow: 0,
  };
}

function tokensOf(usage: Usage): number {
  return (
    (usage.input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.output_tokens ?? 0)
  );
}

export class Conversation {
  items: Item[] = [];
  facts: Facts = emptyFacts();
  pending = new Map<string, PendingRequest>();
  queue: QueuedPrompt[] = [];
  /** The number of the last event that changed `pending`. */
  askedSeq = 0;
  /** A turn is going on: what is sent now waits. */
  busy = false;

  private log: Numbered[] = [];
  private changed = new Set<Item>();
  private tools = new Map<string, ToolItem>();
  private live = new LiveBlocks();
  private promptIds = new Set<string>();
  private turnFiles: FileChange[] = [];
  private turnInterrupted = false;
  private costBefore = 0;
  private retry: MarkerItem | null = null;
  private time = 0;
  private seq = 0;
  /** How many items the current event has made: with its number, a name that stays. */
  private made = 0;
  private outer = new WeakMap<Item, ToolItem>();

  get firstSeq(): number {
    return this.log[0]?.seq ?? 0;
  }

  get lastSeq(): number {
    return this.seq;
  }

  tool(id: string | undefined): ToolItem | undefined {
    return id === undefined ? undefined : this.tools.get(id);
  }

  /** Applies one event; what is already known is ignored, so that a repeated delivery does no harm. */
  apply(numbered: Numbered): void {
    if (numbered.seq <= this.seq) return;
    this.log.push(numbered);
    this.run(numbered);
  }

  /** Puts older events before those known and derives everything again. */
  prepend(older: Numbered[]): void {
    const first = this.firstSeq;
    const log = [...older.filter((numbered) => first === 0 || numbered.seq < first), ...this.log];
    this.items = [];
    this.facts = emptyFacts();
    this.pending = new Map();
    this.askedSeq = 0;
    this.queue = [];
    this.busy = false;
    this.changed = new Set();
    this.tools = new Map();
    this.live = new LiveBlocks();
    this.promptIds = new Set();
    this.turnFiles = [];
    this.turnInterrupted = false;
    this.costBefore = 0;
    this.retry = null;
    this.seq = 0;
    this.log = log;
    for (const numbered of log.slice()) this.run(numbered);
  }

  /** The items that are new or different since the last call; a change inside counts for the outer. */
  takeChanged(): Set<Item> {
    const changed = this.changed;
    this.changed = new Set();
    return changed;
  }

  private run({ seq, time, event }: Numbered): void {
    this.seq = seq;
    this.time = time;
    this.made = 0;
    this.handle(event);
  }

  private handle(event: HubEvent): void {
    switch (event.kind) {
      case 'agent':
        return this.agent(event.message);
      case 'prompt':
        return this.prompt({ clientId: event.client_id, content: event.content, time: this.time });
      case 'taken_back':
        this.queue = this.queue.filter((prompt) => prompt.clientId !== event.client_id);
        return;
      case 'request':
        this.pending.set(event.request_id, {
          id: event.request_id,
          seq: this.seq,
          request: event.request,
          time: this.time,
        });
        this.askedSeq = this.seq;
        this.markAsked(event.request.tool_use_id);
        return;
      case 'resolved':
        this.markAnswered(
          this.pending.get(event.request_id)?.request.tool_use_id,
          event.answer?.behavior === 'deny',
        );
        this.pending.delete(event.request_id);
        this.askedSeq = this.seq;
        return;
      case 'settings':
        if (event.model !== undefined) this.facts.model = event.model;
        if (event.mode !== undefined) this.facts.mode = event.mode;
        if (event.title !== undefined) this.facts.title = event.title;
        return;
      case 'state':
        return this.state(event.state, event.detail ?? null);
      case 'left_out':
        this.mark('warning', words.leftOut(event.reason, event.detail, event.beginning));
        return;
    }
  }

  private state(state: SessionState, detail: EndDetail | null): void {
    const before = this.facts.state;
    this.facts.state = state;
    switch (state) {
      case 'running':
      case 'waiting':
        this.busy = true;
        return;
      case 'starting':
        // Another process counts its cost from nothing.
        this.costBefore = this.facts.costUsd;
        return;
      case 'stored':
        this.busy = false;
        return;
      case 'idle':
        // An agent that has just started takes up what was sent to it before.
        if (before === 'starting') return;
        this.startQueued();
        this.busy = false;
        return;
      case 'ended':
      case 'failed':
        this.startQueued();
        this.endTurn();
        this.busy = false;
        this.pending.clear();
        if (state === 'failed') {
          this.add({ ...this.base(), kind: 'failure', title: 'agent', text: '', detail });
        } else if (detail?.reason) {
          this.mark('notice', words.ended(detail.reason));
        }
    }
  }

  private markAsked(toolUseId: string | undefined): void {
    const tool = this.tool(toolUseId);
    if (!tool) return;
    tool.asked = true;
    this.touch(tool);
  }

  private markAnswered(toolUseId: string | undefined, denied: boolean): void {
    const tool = this.tool(toolUseId);
    if (!tool) return;
    tool.asked = false;
    tool.denied = denied;
    // The time that a person took is not the tool's.
    tool.time = this.time;
    this.touch(tool);
  }

  // What the user said

  private prompt(prompt: QueuedPrompt): void {
    if (this.promptIds.has(prompt.clientId)) return;
    this.promptIds.add(prompt.clientId);
    if (this.busy || this.queue.length > 0) {
      this.queue.push(prompt);
    } else {
      this.showPrompt(prompt);
    }
  }

  private showPrompt({ clientId, content, time }: QueuedPrompt): void {
    this.busy = true;
    this.add({ id: `prompt:${clientId}`, version: 0, time, kind: 'prompt', clientId, content });
  }

  /** Moves what waits into the transcript: all of it, or the one message named. */
  private startQueued(clientId?: string): void {
    const starting = this.queue.filter((prompt) => !clientId || prompt.clientId === clientId);
    this.queue = this.queue.filter((prompt) => !starting.includes(prompt));
    for (const prompt of starting) this.showPrompt(prompt);
  }

  // What the agent said

  private agent(message: AgentMessage): void {
    switch (message.type) {
      case 'assistant':
        return this.assistant(message);
      case 'user':
        return this.user(message);
      case 'stream_event':
        return this.stream(message);
      case 'result':
        return this.result(message);
      case 'system':
        return this.system(message);
      case 'command_lifecycle':
        if (message.state === 'started' && message.command_uuid) {
          this.startQueued(message.command_uuid);
        } else if (message.state === 'cancelled') {
          this.queue = this.queue.filter((prompt) => prompt.clientId !== message.command_uuid);
        }
        return;
      case 'conversation_reset':
        this.mark('cleared', '');
        return;
      default:
        return;
    }
  }

  private stream(message: AgentMessage): void {
    const event = message.event;
    if (!event || message.parent_tool_use_id) return;
    this.busy = true;
    this.retry = null;
    if (event.type === 'message_start') this.discardCut(event.message?.id ?? '');
    const created = this.live.apply(event, this.time);
    if (created) {
      if (created.kind === 'tool') this.tools.set(created.toolId, created);
      this.add(created);
    }
    if (this.live.touched) this.touch(this.live.touched);
    if (event.type === 'message_start' && event.message?.usage) {
      this.facts.contextTokens = tokensOf(event.message.usage);
    }
  }

  /** `keepUnnamed`: a page that joined in the middle does not know whose text it saw grow. */
  private discardCut(messageId: string, keepUnnamed = false): void {
    for (const item of this.live.discardBefore(messageId, keepUnnamed)) {
      this.items = this.items.filter((shown) => shown !== item);
      if (item.kind === 'tool') this.tools.delete(item.toolId);
    }
  }

  private assistant(message: AgentMessage): void {
    const parent = this.tool(message.parent_tool_use_id ?? undefined);
    this.retry = null;
    if (!message.parent_tool_use_id && message.message?.id)
      this.discardCut(message.message.id, true);
    for (const block of blocksOf(message.message?.content)) this.block(block, message, parent);
    const { usage, model } = message.message ?? {};
    if (usage && !parent && model !== '<synthetic>') this.facts.contextTokens = tokensOf(usage);
  }

  private block(block: Block, message: AgentMessage, parent: ToolItem | undefined): void {
    const messageId = message.message?.id ?? message.uuid ?? '';
    const live = parent ? undefined : this.live.finish(messageId, block);
    if (live) {
      if (live.kind === 'thinking')
        live.durationMs = message.thinking_duration_ms ?? live.durationMs;
      this.touch(live);
      return;
    }
    const base = { ...this.base(), messageId };
    if (block.type === 'text') {
      if (block.text)
        this.add({ ...base, kind: 'text', text: block.text, streaming: false }, parent);
    } else if (block.type === 'thinking') {
      const durationMs = message.thinking_duration_ms ?? null;
      const text = block.thinking ?? '';
      if (text) this.add({ ...base, kind: 'thinking', text, streaming: false, durationMs }, parent);
    } else if (block.type.endsWith('tool_use') && block.id) {
      const tool: ToolItem = {
        ...base,
        id: `tool:${block.id}`,
        kind: 'tool',
        toolId: block.id,
        name: block.name ?? block.type,
        input: block.input ?? {},
        partialInput: '',
        streaming: false,
        result: null,
        abandoned: false,
        asked: false,
        denied: false,
        progress: '',
        finishedAt: null,
        children: [],
      };
      this.tools.set(block.id, tool);
      this.add(tool, parent);
    } else if (block.type.endsWith('tool_result')) {
      this.toolResult(block, message);
    }
  }

  private user(message: AgentMessage): void {
    const words: Block[] = [];
    for (const block of blocksOf(message.message?.content)) {
      if (block.type.endsWith('tool_result')) this.toolResult(block, message);
      else words.push(block);
    }
    if (words.length === 0 || message.parent_tool_use_id || message.isSynthetic) return;
    const text = textOf(words);
    if (text.startsWith('[Request interrupted by user')) {
      this.turnInterrupted = true;
      this.mark('interrupted', '');
      return;
    }
    const output = /^<local-command-std(?:out|err)>([^]*)<\/local-command-std(?:out|err)>$/.exec(
      text,
    );
    if (output) {
      this.mark('command', output[1] ?? '');
      return;
    }
    const queued = this.queue.find(
      (prompt) => prompt.clientId === message.uuid || textOf(prompt.content) === text,
    );
    if (queued) {
      this.startQueued(queued.clientId);
    } else if (!message.uuid || !this.promptIds.has(message.uuid)) {
      if (message.isReplay && this.lastPromptText() === text) return;
      this.prompt({ clientId: message.uuid ?? `seq:${this.seq}`, content: words, time: this.time });
      this.startQueued();
    }
  }

  private lastPromptText(): string {
    for (let index = this.items.length - 1; index >= 0; index -= 1) {
      const item = this.items[index];
      if (item?.kind === 'prompt') return textOf(item.content);
    }
    return '';
  }

  private toolResult(block: Block, message: AgentMessage): void {
    const tool = this.tool(block.tool_use_id);
    if (!tool) return;
    tool.streaming = false;
    tool.abandoned = false;
    tool.asked = false;
    tool.finishedAt = this.time;
    tool.result = {
      content: block.content,
      isError: block.is_error === true,
      structured: message.tool_use_result,
    };
    const change = block.is_error ? null : changeOf(message.tool_use_result);
    if (change) addChange(this.turnFiles, change);
    this.touch(tool);
  }

  private result(message: AgentMessage): void {
    const total =
      this.costBefore + (message.total_cost_usd ?? this.facts.costUsd - this.costBefore);
    const costUsd = Math.max(0, total - this.facts.costUsd);
    this.facts.costUsd = Math.max(total, this.facts.costUsd);
    const window = Math.max(
      0,
      ...Object.values(message.modelUsage ?? {}).map((usage) => usage.contextWindow ?? 0),
    );
    if (window > 0) this.facts.contextWindow = window;
    const interrupted = this.turnInterrupted;
    const files = this.turnFiles;
    this.endTurn();
    const failed = message.is_error === true || (message.subtype ?? '').startsWith('error');
    if (failed && !interrupted) {
      if (message.subtype === 'error_during_execution' && !message.errors?.length) {
        this.mark('interrupted', '');
      } else {
        const text = message.result ?? message.errors?.join('\n') ?? message.subtype ?? '';
        this.fail(text);
      }
    }
    this.add({
      ...this.base(),
      kind: 'turn',
      costUsd,
      durationMs: message.duration_ms ?? 0,
      files,
    });
    this.busy = false;
    // What streamed is now told by whole messages; the log keeps only those. Later events are there
    // already if everything is derived again, and the answer that streams now has nothing else.
    this.log = this.log.filter(
      ({ seq, event }) =>
        seq > this.seq || event.kind !== 'agent' || event.message.type !== 'stream_event',
    );
  }

  /** An API error comes as an answer and again as the result: it is shown once, as a failure. */
  private fail(text: string): void {
    const last = this.items.at(-1);
    if (last?.kind === 'text' && last.text.trim() === text.trim()) this.items.pop();
    this.add({ ...this.base(), kind: 'failure', title: 'turn', text, detail: null });
  }

  private endTurn(): void {
    for (const item of this.live.end()) this.touch(item);
    for (const tool of this.tools.values()) {
      if (tool.result || tool.abandoned) continue;
      tool.abandoned = true;
      tool.asked = false;
      this.touch(tool);
    }
    this.turnFiles = [];
    this.turnInterrupted = false;
    this.retry = null;
  }

  private system(message: AgentMessage): void {
    if (message.subtype === 'init') {
      if (!this.busy) this.startQueued();
      this.busy = true;
      if (message.model) this.facts.model = message.model;
    }
    if (message.permissionMode) this.facts.mode = message.permissionMode;
    if (message.subtype === 'session_title_changed' && message.title) {
      this.facts.title = message.title;
    }
    const tool = this.tool(message.tool_use_id);
    const progress = progressOf(message);
    if (tool && progress !== null) {
      tool.progress = progress;
      this.touch(tool);
      return;
    }
    const marker = markerOf(message);
    if (!marker) return;
    if (marker.kind === 'retry' && this.retry) {
      this.retry.text = marker.text;
      this.touch(this.retry);
      return;
    }
    const item = this.mark(marker.kind, marker.text);
    if (marker.kind === 'retry') this.retry = item;
  }

  // Items

  private base(): { id: string; version: number; time: number } {
    this.made += 1;
    return { id: `${this.seq}.${this.made}`, version: 0, time: this.time };
  }

  private mark(marker: MarkerKind, text: string): MarkerItem {
    const item: MarkerItem = { ...this.base(), kind: 'marker', marker, text };
    this.add(item);
    return item;
  }

  private add(item: Item, parent?: ToolItem): void {
    if (parent) {
      item.id = `${parent.id}/${parent.children.length}`;
      parent.children.push(item);
      this.outer.set(item, parent);
      this.touch(parent);
    } else {
      this.items.push(item);
      this.changed.add(item);
    }
  }

  private touch(item: Item): void {
    for (let at: Item | undefined = item; at; at = this.outer.get(at)) {
      at.version += 1;
      this.changed.add(at);
    }
  }
}
