// What page and hub say to each other: docs/server.md in types. Wire messages of the agent are
// described, loosely, in wire.ts.
import type { AgentMessage, Content, ToolRequest } from './wire.ts';

export type SessionState =
  'starting' | 'idle' | 'running' | 'waiting' | 'ended' | 'failed' | 'stored';

export interface Summary {
  id: string;
  title: string;
  cwd: string;
  state: SessionState;
  /** Milliseconds since 1970, as all times here. */
  created: number;
  updated: number;
  /** When a person last said something. */
  prompted: number;
  model: string | null;
  mode: string | null;
  cost_usd: number;
  /** How many requests wait for a person. */
  pending: number;
  /** How many tasks run beside the conversation. */
  background: number;
  last_seq: number;
  stored: boolean;
}

export interface ModelChoice {
  value: string;
  /** The full name of what `value` stands for. */
  resolvedModel?: string;
  displayName: string;
  description?: string;
}

export interface Info {
  version: string;
  demo: boolean;
  agent: { command: string; version: string | null };
  roots: string[];
  models: ModelChoice[];
  /** The hub starts agents that may be told to allow everything. */
  bypass: boolean;
}

/** What the agent of a session has said about itself. */
export interface AgentInfo {
  commands?: { name: string; description?: string; argumentHint?: string }[];
  agents?: { name: string; description?: string; model?: string }[];
  output_style?: string;
  available_output_styles?: string[];
  claude_code_version?: string;
}

/** Where a text was found in all that was said. */
export interface Found {
  hits: {
    session: string;
    kind: string;
    timestamp: string;
    before: string;
    match: string;
    after: string;
  }[];
  count: number;
}

/** What lies at a path that a tool would write to. */
export interface FileState {
  kind: 'none' | 'file' | 'folder' | 'other';
  bytes: number;
  /** Null if it is too long to be counted, or no file. */
  lines: number | null;
}

/** Bytes of a message to the hub; it ends the connection over more. */
export const LARGEST_MESSAGE = 8 * 1024 * 1024;

export interface Folders {
  path: string;
  parent: string | null;
  folders: string[];
}

export interface PermissionUpdate {
  type: string;
  mode?: string;
  behavior?: string;
  destination?: string;
  rules?: { toolName: string; ruleContent?: string }[];
  directories?: string[];
}

export type Answer =
  | { behavior: 'allow'; updatedInput?: unknown; updatedPermissions?: PermissionUpdate[] }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

export interface EndDetail {
  exit_code?: number | null;
  signal?: string | number | null;
  stderr?: string;
  /** What went wrong, if there is no exit to tell of. */
  error?: string;
  /** Why it ended, if nobody asked for it. */
  reason?: string;
}

export type HubEvent =
  | { kind: 'agent'; message: AgentMessage }
  | { kind: 'prompt'; client_id: string; content: Content; by: string }
  | { kind: 'taken_back'; client_id: string }
  | { kind: 'request'; request_id: string; request: ToolRequest }
  | { kind: 'resolved'; request_id: string; answer: Answer | null; reason: string }
  | { kind: 'state'; state: SessionState; detail?: EndDetail }
  | { kind: 'settings'; model?: string; mode?: string; title?: string }
  | { kind: 'left_out'; reason: string; detail?: string; beginning?: string };

/** A browser that is signed in. */
export interface SignIn {
  id: string;
  browser: string;
  created: number;
  used: number;
  ends: number;
  current: boolean;
}

export interface Numbered {
  seq: number;
  time: number;
  event: HubEvent;
}

export interface NewSession {
  cwd: string;
  model?: string;
  mode?: string;
  prompt?: Content;
  client_id?: string;
  resume?: string;
  title?: string;
}

export type ToHub =
  | { type: 'attach'; session: string; after: number }
  | { type: 'detach'; session: string }
  | { type: 'send'; session: string; client_id: string; content: Content }
  | { type: 'answer'; session: string; request_id: string; answer: Answer }
  | { type: 'take_back'; session: string; client_id: string };

export type FromHub =
  | { type: 'hello'; sessions: Summary[] }
  | { type: 'sessions'; sessions: Summary[] }
  | { type: 'gone'; session: string }
  | { type: 'attached'; session: string; after: number; last: number; more: boolean }
  | ({ type: 'event'; session: string } & Numbered)
  | { type: 'ack'; client_id: string; session: string; seq: number }
  | { type: 'error'; re?: unknown; message: string };
