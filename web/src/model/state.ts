// All that the page knows of a session, and what is only needed to understand its next event. It
// follows from the events alone: reduce.ts changes it, everybody else only reads it.
import type { SessionState } from '../protocol/contract.ts';
import type { Content, ModelUsage, ToolRequest } from '../protocol/wire.ts';
import type { FileChange, Item, MarkerItem, Task, ToolItem } from './items.ts';
import { LiveBlocks } from './live_blocks.ts';
import type { Todo } from './todos.ts';

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

/** What the agent says about itself when a turn begins. */
export interface About {
  commands: string[];
  tools: string[];
  agents: string[];
  skills: string[];
  plugins: string[];
  outputStyle: string;
  version: string;
}

/** What the turn that runs has done so far. */
export interface Turn {
  files: FileChange[];
  interrupted: boolean;
  /** The row that says that the agent tries again, while it does. */
  retry: MarkerItem | null;
  /** Milliseconds for which it waited for a person, and since when it waits now. */
  waitedMs: number;
  waitsSince: number | null;
}

export interface State {
  /** The rows of the transcript. */
  items: Item[];
  facts: Facts;
  /** Requests that wait for a person, by their id. */
  pending: Map<string, PendingRequest>;
  /** The number of the last event that changed `pending`. */
  askedSeq: number;
  /** What was sent and the agent has not begun with. */
  queue: QueuedPrompt[];
  /** A turn is going on: what is sent now waits. */
  busy: boolean;
  /** Every prompt that was accepted, by its client id, and those that were withdrawn again. */
  promptIds: Set<string>;
  withdrawnIds: Set<string>;
  tools: Map<string, ToolItem>;
  /** Subagents and commands in the background, by their id; those that have ended, too. */
  tasks: Map<string, Task>;
  /** The row about a task that has ended since the last turn, which may be why the next one begins. */
  taskNotice: MarkerItem | null;
  /** The agent's own list of what it has to do. */
  todos: Todo[];
  /** Those without a result, which the end of a turn makes abandoned ones. */
  unfinished: Set<ToolItem>;
  /** The answer that streams. */
  live: LiveBlocks;
  turn: Turn;
  about: About | null;
  /** What the process that runs has used, by model. */
  usage: { [model: string]: ModelUsage };
  /** What the agents before the one that runs have cost: each counts from nothing. */
  costBefore: number;
  /** The uuid of the last message of the conversation itself, '' if it has none. */
  lastUuid: string;
  /** The number and the time of the last event. */
  seq: number;
  time: number;
  /** How many items the last event has made: with its number, a name that stays. */
  made: number;
}

export function emptyTurn(): Turn {
  return { files: [], interrupted: false, retry: null, waitedMs: 0, waitsSince: null };
}

/** Of a session of which no event is known. */
export function emptyState(): State {
  return {
    items: [],
    facts: {
      state: 'starting',
      model: null,
      mode: null,
      title: null,
      costUsd: 0,
      contextTokens: 0,
      contextWindow: 0,
    },
    pending: new Map(),
    askedSeq: 0,
    queue: [],
    busy: false,
    promptIds: new Set(),
    withdrawnIds: new Set(),
    tools: new Map(),
    tasks: new Map(),
    taskNotice: null,
    todos: [],
    unfinished: new Set(),
    live: new LiveBlocks(),
    turn: emptyTurn(),
    about: null,
    usage: {},
    costBefore: 0,
    lastUuid: '',
    seq: 0,
    time: 0,
    made: 0,
  };
}
