// What the transcript shows, one item per row. Items are made and changed by the reducer only; an item
// keeps its id for life, and `version` grows with each change so that a view redraws what changed.
import type { Content, JsonObject } from '../protocol/wire.ts';
import type { EndDetail } from '../protocol/contract.ts';

interface Base {
  id: string;
  version: number;
  time: number;
}

export interface PromptItem extends Base {
  kind: 'prompt';
  clientId: string;
  content: Content;
  /** The last message before it, '' if there is none: where a fork without it begins. */
  before: string;
}

export interface TextItem extends Base {
  kind: 'text';
  messageId: string;
  text: string;
  streaming: boolean;
  /** Words of the agent itself, such as a table of costs, whose line breaks count. */
  plain: boolean;
}

export interface ThinkingItem extends Base {
  kind: 'thinking';
  messageId: string;
  text: string;
  streaming: boolean;
  durationMs: number | null;
}

/** What goes on beside the conversation: a command in the background, a subagent. */
export interface Task {
  id: string;
  toolId: string;
  kind: 'agent' | 'command';
  description: string;
  /** What it is doing, in its own words. */
  progress: string;
  /** The turn does not wait for it. */
  background: boolean;
  status: 'running' | 'completed' | 'failed' | 'stopped';
  summary: string;
  startedAt: number;
  endedAt: number | null;
}

export interface ToolItem extends Base {
  kind: 'tool';
  messageId: string;
  toolId: string;
  /** The call inside which it runs, if a subagent made it. */
  parent: string | null;
  name: string;
  input: JsonObject;
  /** The input as it streams, until the whole of it is known. */
  partialInput: string;
  streaming: boolean;
  result: { content: Content | undefined; isError: boolean; structured: unknown } | null;
  /** Ended without a result: the turn was interrupted, or the agent is gone. */
  abandoned: boolean;
  /** Its turn has not come: calls before it have to end first. */
  waits: boolean;
  /** It was stopped while it ran; what its result says is meant for the model. */
  stopped: boolean;
  /** A person is asked whether it may run. */
  asked: boolean;
  /** The answer was no. */
  denied: boolean;
  /** What the person said along with that. */
  denial: string;
  task: Task | null;
  finishedAt: number | null;
  children: Item[];
}

export type MarkerKind =
  | 'interrupted'
  | 'retry'
  | 'compacted'
  | 'cleared'
  | 'notice'
  | 'warning'
  | 'command'
  | 'denied'
  | 'task'
  | 'woke';

export interface MarkerItem extends Base {
  kind: 'marker';
  marker: MarkerKind;
  text: string;
}

export interface FileChange {
  path: string;
  /** The call that changed it last. */
  toolId: string;
  added: number;
  removed: number;
}

export interface TurnItem extends Base {
  kind: 'turn';
  costUsd: number;
  durationMs: number;
  files: FileChange[];
  /** The last message of it, '' if it is not known. */
  last: string;
}

export interface FailureItem extends Base {
  kind: 'failure';
  title: 'turn' | 'agent';
  text: string;
  detail: EndDetail | null;
}

export type Item =
  PromptItem | TextItem | ThinkingItem | ToolItem | MarkerItem | TurnItem | FailureItem;

type NewTool = Pick<ToolItem, 'time' | 'messageId' | 'streaming' | 'toolId' | 'name' | 'input'>;

/** A call that has only just been made. */
export function newTool({ time, messageId, streaming, toolId, name, input }: NewTool): ToolItem {
  return {
    id: `tool:${toolId}`,
    version: 0,
    time,
    kind: 'tool',
    messageId,
    toolId,
    parent: null,
    name,
    input,
    partialInput: '',
    streaming,
    result: null,
    abandoned: false,
    waits: false,
    stopped: false,
    asked: false,
    denied: false,
    denial: '',
    task: null,
    finishedAt: null,
    children: [],
  };
}
