// What the page knows, as signals for its panels, and what it can do. The only place where events of
// the hub, the conversation and the outbox come together.
import { batch, computed, effect, signal } from '@preact/signals';
import { Conversation } from './model/conversation.ts';
import { Outbox } from './model/outbox.ts';
import type { Unsent } from './model/outbox.ts';
import type { Task } from './model/items.ts';
import type { Facts, PendingRequest, QueuedPrompt } from './model/state.ts';
import type { Todo } from './model/todos.ts';
import { api } from './net/api.ts';
import { HubSocket } from './net/socket.ts';
import type { Connection } from './net/socket.ts';
import { randomUuid } from './net/uuid.ts';
import { LARGEST_MESSAGE } from './protocol/contract.ts';
import type { Answer, FromHub, Info, Numbered, Summary } from './protocol/contract.ts';
import { textOf } from './protocol/wire.ts';
import type { Content } from './protocol/wire.ts';
import { setBase } from './text/paths.ts';
import { unkeptDrafts } from './drafts.ts';
import { words } from './words.ts';

const PAGE_EVENTS = 500;
/** After this long without the last event, it is taken for one that was compacted away. */
const LONGEST_CATCH_UP_MS = 1500;
/** Conversations kept for a quick way back. */
const MOST_KEPT = 6;

export interface SessionView {
  session: string;
  facts: Facts;
  pending: PendingRequest[];
  queue: QueuedPrompt[];
  unsent: Unsent[];
  /** Subagents and commands in the background that run. */
  tasks: Task[];
  todos: readonly Todo[];
  /** All events up to where the hub was when we attached are here. */
  loaded: boolean;
  empty: boolean;
}

interface Given {
  answer: Answer;
  /** The number of the request that it answers: an agent may use the id again. */
  seq: number;
}

interface Kept {
  conversation: Conversation;
  more: boolean;
  /** The number up to which the hub is about to catch us up; null before it has said so. */
  target: number | null;
}

export const connection = signal<Connection>('connecting');
export const info = signal<Info | null>(null);
export const sessions = signal<ReadonlyMap<string, Summary>>(new Map());
export const sessionsKnown = signal(false);
export const currentId = signal<string | null>(null);
export const view = signal<SessionView | null>(null);
/** Requests that were answered here and not yet resolved by the hub, by their id. */
export const answering = signal<ReadonlyMap<string, Given>>(new Map());
export const problem = signal('');
/** What has gone well and would not be seen otherwise. */
export const notice = signal('');
export const announcement = signal('');
/** What was taken back and belongs into the message field again. */
export const returned = signal<Content>('');

export const current = computed<Summary | null>(() =>
  currentId.value === null ? null : (sessions.value.get(currentId.value) ?? null),
);
export const busy = computed(() => {
  const state = view.value?.facts.state;
  return state === 'running' || state === 'waiting';
});

const kept = new Map<string, Kept>();
/** What the user wants to have back, until the hub says that it has not run. */
const withdrawing = new Map<string, Content>();
const outbox = new Outbox(localStorage);
let socket: HubSocket;
let onConversation: (conversation: Conversation | null, more: boolean) => void = () => {};
let onChange: () => void = () => {};
let onSent: () => void = () => {};
/** Milliseconds by which the clock here is ahead of the hub's, as far as events have shown. */
let ahead = Infinity;
let publishing = 0;

/** Starts the connection. The transcript is told of another conversation, and of changes to it. */
export function start(hooks: {
  conversation: (conversation: Conversation | null, more: boolean) => void;
  change: () => void;
  /** The user has said something, and wants to see it. */
  sent: () => void;
}): void {
  onConversation = hooks.conversation;
  onChange = hooks.change;
  onSent = hooks.sent;
  // A route may come before the summary of its session: after a reload, and with a new session.
  effect(() => setBase(current.value?.cwd ?? ''));
  socket = new HubSocket({ message: receive, connection: connected, tooLarge: refuseLargest });
  // What only the page has is not lost without a question.
  window.addEventListener('beforeunload', (event) => {
    if (unkeptDrafts.value.size > 0 || !outbox.kept) event.preventDefault();
  });
  void loadInfo();
}

async function loadInfo(): Promise<void> {
  try {
    info.value = await api.info();
  } catch {
    // The socket says whether we are refused; when it opens, this is tried again.
  }
}

function isReady({ state }: Summary): boolean {
  return state === 'idle' || state === 'running' || state === 'waiting';
}

function connected(state: Connection): void {
  const before = connection.value;
  connection.value = state;
  if (state !== 'open') return;
  if (before === 'lost') announcement.value = words.sayReconnected;
  void loadInfo();
  if (currentId.value) attach(currentId.value);
  for (const { session, clientId, content } of outbox.all().filter((entry) => !entry.problem)) {
    const problem = tooLarge(content);
    if (problem) outbox.refuse(clientId, problem);
    else socket.send({ type: 'send', session, client_id: clientId, content });
  }
  if (currentId.value) {
    for (const [request_id, { answer }] of answering.value) {
      socket.send({ type: 'answer', session: currentId.value, request_id, answer });
    }
  }
}

// From the hub

function receive(message: FromHub): void {
  switch (message.type) {
    case 'hello':
      sessions.value = new Map(message.sessions.map((summary) => [summary.id, summary]));
      sessionsKnown.value = true;
      return;
    case 'sessions': {
      const all = new Map(sessions.value);
      for (const summary of message.sessions) all.set(summary.id, summary);
      sessions.value = all;
      // Models become known with the first agent that is ready.
      if (info.value?.models.length === 0 && message.sessions.some(isReady)) void loadInfo();
      if (message.sessions.some(({ id }) => id === currentId.value)) publishSoon();
      return;
    }
    case 'gone': {
      const rest = new Map(sessions.value);
      rest.delete(message.session);
      sessions.value = rest;
      kept.delete(message.session);
      if (currentId.value === message.session) location.hash = '#/';
      return;
    }
    case 'attached':
      return attached(message.session, message.after, message.last, message.more);
    case 'event': {
      const entry = kept.get(message.session);
      if (!entry) return;
      if (isCaughtUp(entry)) ahead = Math.min(ahead, Date.now() - message.time);
      add(message.session, entry, [message]);
      // What was missed is drawn once, when all of it is here.
      if (message.session !== currentId.value || !isCaughtUp(entry)) return;
      onChange();
      publishSoon();
      return;
    }
    case 'ack':
      outbox.remove(message.client_id);
      publishSoon();
      return;
    case 'error':
      return refused(message.re, message.message);
  }
}

/** Events of the hub, however they came: what waited for them here waits no longer. */
function add(session: string, { conversation }: Kept, events: readonly Numbered[]): void {
  conversation.add(events);
  for (const { clientId } of outbox.of(session)) {
    if (conversation.hasPrompt(clientId)) outbox.remove(clientId);
  }
  for (const [clientId, content] of withdrawing) {
    if (!conversation.isWithdrawn(clientId)) continue;
    withdrawing.delete(clientId);
    returned.value = content;
  }
}

function isCaughtUp({ target, conversation }: Kept): boolean {
  return target !== null && conversation.lastSeq >= target;
}

function attached(id: string, after: number, last: number, more: boolean): void {
  const entry = kept.get(id);
  if (!entry) return;
  const known = entry.conversation.lastSeq;
  if (known > 0 && (after > known || last < known)) {
    // The hub cannot continue where we are: begin again at what it has.
    kept.delete(id);
    if (after > known) kept.set(id, { conversation: new Conversation(), more, target: last });
    if (id === currentId.value) {
      if (after > known) onConversation(kept.get(id)?.conversation ?? null, more);
      else attach(id);
    }
    return;
  }
  entry.target = last;
  setTimeout(() => {
    if (isCaughtUp(entry)) return;
    entry.target = entry.conversation.lastSeq;
    onChange();
    publishSoon();
  }, LONGEST_CATCH_UP_MS);
  if (id !== currentId.value) return;
  if (known === 0) {
    entry.more = more;
    onConversation(entry.conversation, more);
  }
  publishSoon();
}

function refused(re: unknown, message: string): void {
  const {
    type,
    session,
    client_id: clientId,
    request_id: requestId,
  } = (typeof re === 'object' && re !== null ? re : {}) as {
    type?: string;
    session?: string;
    client_id?: string;
    request_id?: string;
  };
  if (type === 'attach' && session === currentId.value) location.hash = '#/';
  if (type === 'answer' && requestId) {
    // It can be answered otherwise, if it still waits.
    answering.value = new Map([...answering.value].filter(([key]) => key !== requestId));
  }
  if (type === 'take_back' && clientId) withdrawing.delete(clientId);
  if (clientId && outbox.all().some((entry) => entry.clientId === clientId)) {
    outbox.refuse(clientId, message);
    publishSoon();
    return;
  }
  problem.value = message;
}

/** The hub has hung up on a message. It would do so again: what must have been it is not sent again. */
function refuseLargest(): void {
  const sizes = outbox
    .all()
    .filter((entry) => !entry.problem)
    .map(({ clientId, content }) => ({ clientId, bytes: bytesOf(content) }))
    .sort((a, b) => b.bytes - a.bytes);
  if (sizes[0]) outbox.refuse(sizes[0].clientId, words.refusedAsTooLarge);
  else {
    answering.value = new Map();
    problem.value = words.refusedAsTooLarge;
  }
  publishSoon();
}

// One view for the panels, made at most once per frame

function publishSoon(): void {
  publishing ||= requestAnimationFrame(() => {
    publishing = 0;
    publish();
  });
}

function publish(): void {
  const id = currentId.value;
  const entry = id === null ? undefined : kept.get(id);
  if (id === null || !entry) {
    view.value = null;
    return;
  }
  const { conversation, more } = entry;
  const before = view.value;
  batch(() => {
    view.value = {
      session: id,
      facts: withSummary(conversation.facts, sessions.value.get(id)),
      pending: [...conversation.pending.values()],
      queue: [...conversation.queue],
      unsent: outbox
        .of(id)
        .filter((sent) => !conversation.queue.some((queued) => queued.clientId === sent.clientId)),
      tasks: conversation.tasks.map((task) => ({ ...task })),
      todos: conversation.todos,
      loaded: isCaughtUp(entry),
      empty: conversation.items.length === 0,
    };
    const open = new Map(
      [...answering.value].filter(([key, { seq }]) => conversation.pending.get(key)?.seq === seq),
    );
    if (open.size !== answering.value.size) answering.value = open;
  });
  if (before && view.value) announceChange(before, view.value);
  const summary = sessions.value.get(id);
  // The summary may be a moment older than the events; then it says nothing about earlier ones.
  const current = summary !== undefined && summary.last_seq >= conversation.askedSeq;
  if (view.value?.loaded && more && current && summary.pending > conversation.pending.size)
    void loadOlder();
}

/** The summary is newest and always there; the events may begin after the last word on a setting. */
function withSummary(facts: Facts, summary: Summary | undefined): Facts {
  if (!summary) return { ...facts };
  return {
    ...facts,
    state: summary.state,
    model: facts.model ?? summary.model,
    mode: facts.mode ?? summary.mode,
    costUsd: Math.max(facts.costUsd, summary.cost_usd),
  };
}

function announceChange(before: SessionView, after: SessionView): void {
  if (!before.loaded) return;
  const fresh = after.pending.find(
    (request) => !before.pending.some((old) => old.id === request.id),
  );
  if (fresh) {
    const tool = fresh.request.tool_name;
    announcement.value =
      tool === 'AskUserQuestion'
        ? words.sayQuestion
        : tool === 'ExitPlanMode'
          ? words.sayPlan
          : words.sayRequest(tool);
  } else if (after.facts.state === 'failed' && before.facts.state !== 'failed') {
    announcement.value = words.sayFailed;
  } else if (after.facts.state === 'idle' && before.facts.state !== 'idle') {
    announcement.value = words.sayTurnEnded;
  }
}

// To the hub

function attach(id: string): void {
  const entry = kept.get(id) ?? { conversation: new Conversation(), more: false, target: null };
  kept.delete(id);
  kept.set(id, entry);
  entry.target = null;
  for (const old of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(old);
  }
  socket.send({ type: 'attach', session: id, after: entry.conversation.lastSeq });
}

/** Shows a session; null for the page where a new one is started. */
export function open(id: string | null): void {
  if (id === currentId.value) return;
  if (currentId.value) socket.send({ type: 'detach', session: currentId.value });
  answering.value = new Map();
  currentId.value = id;
  if (id) attach(id);
  onConversation(
    id ? (kept.get(id)?.conversation ?? null) : null,
    id ? (kept.get(id)?.more ?? false) : false,
  );
  publish();
}

/** Asks for the page of events before those known; false if there is none. */
export async function loadOlder(): Promise<boolean> {
  const id = currentId.value;
  const entry = id === null ? undefined : kept.get(id);
  // Before anything is known there is nothing that others would be earlier than.
  if (!id || !entry?.more || entry.conversation.firstSeq === 0) return false;
  const page = await attempt(() => api.events(id, entry.conversation.firstSeq, PAGE_EVENTS));
  if (!page) return false;
  add(id, entry, page.events);
  entry.more = page.more && page.events.length > 0;
  if (id === currentId.value) {
    onChange();
    publishSoon();
  }
  return true;
}

export function hasOlder(): boolean {
  return (currentId.value !== null && kept.get(currentId.value)?.more) || false;
}

/** The input of a tool call that the transcript knows, for a request that does not repeat it. */
export function toolInput(toolUseId: string | undefined): unknown {
  const id = currentId.value;
  return id === null ? undefined : kept.get(id)?.conversation.tool(toolUseId)?.input;
}

/** The conversation that is shown; what is read of it changes with `view`. */
export function shownConversation(): Conversation | undefined {
  const id = currentId.value;
  return id === null || !view.value ? undefined : kept.get(id)?.conversation;
}

/** What a subagent was started for, '' if that is not known. */
export function taskName(agentId: string): string {
  const id = currentId.value;
  return (id !== null && kept.get(id)?.conversation.taskName(agentId)) || '';
}

/** Bytes of a message on its way to the hub, but for a few that are the same for all. */
function bytesOf(content: Content): number {
  return new TextEncoder().encode(JSON.stringify(content)).length;
}

/** Why the hub would not take this message, '' if it will. */
export function tooLarge(content: Content): string {
  // What surrounds the content: type, ids.
  const bytes = bytesOf(content) + 400;
  return bytes > LARGEST_MESSAGE ? words.tooLarge(bytes, LARGEST_MESSAGE) : '';
}

/** Sends a message, which also starts an agent that does not run. */
export function send(content: Content): void {
  const id = currentId.value;
  if (id === null) return;
  const { clientId } = outbox.add(id, content, randomUuid());
  socket.send({ type: 'send', session: id, client_id: clientId, content });
  onSent();
  publishSoon();
}

/** The time by the hub's clock. */
export function hubTime(): number {
  return Date.now() - (Number.isFinite(ahead) ? ahead : 0);
}

/** Texts that the user has sent in this session, the last one first. */
export function sentTexts(): string[] {
  const id = currentId.value;
  const items = id === null ? [] : (kept.get(id)?.conversation.items ?? []);
  const texts = items.flatMap((item) => (item.kind === 'prompt' ? [textOf(item.content)] : []));
  return [...new Set(texts.filter(Boolean).reverse())];
}

/** Asks for a message that waits; its text comes back once the hub says that it has not run. */
export function withdraw(clientId: string, content: Content): void {
  const id = currentId.value;
  if (id === null) return;
  withdrawing.set(clientId, content);
  socket.send({ type: 'take_back', session: id, client_id: clientId });
}

/** Forgets a message that never reached the hub, or was refused. */
export function discard(clientId: string, content: Content): void {
  outbox.remove(clientId);
  returned.value = content;
  publishSoon();
}

export function answer({ id: request_id, seq }: PendingRequest, answer: Answer): void {
  const session = currentId.value;
  if (session === null || answering.value.has(request_id)) return;
  answering.value = new Map(answering.value).set(request_id, { answer, seq });
  socket.send({ type: 'answer', session, request_id, answer });
}

/** Runs a request of the API and shows its failure; undefined if it failed. */
export async function attempt<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    problem.value = error instanceof Error ? error.message : String(error);
    return undefined;
  }
}
