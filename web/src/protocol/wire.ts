// The parts of the agent's messages that the page looks at. Agents are newer, older and stranger than
// this file: every field is optional unless nothing can be shown without it, and unknown types pass.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface Block {
  type: string;
  text?: string;
  thinking?: string;
  id?: string;
  name?: string;
  input?: JsonObject;
  tool_use_id?: string;
  content?: Content;
  is_error?: boolean;
  source?: { type?: string; media_type?: string; data?: string; url?: string };
}

export type Content = string | Block[];

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
}

export interface StreamEvent {
  type: string;
  index?: number;
  message?: { id?: string; usage?: Usage };
  content_block?: Block;
  delta?: { type?: string; text?: string; thinking?: string; partial_json?: string };
}

export interface ModelUsage {
  contextWindow?: number;
  costUSD?: number;
  inputTokens?: number;
  outputTokens?: number;
  cacheReadInputTokens?: number;
  cacheCreationInputTokens?: number;
}

export interface AgentMessage {
  type: string;
  subtype?: string;
  uuid?: string;
  parent_tool_use_id?: string | null;
  message?: { id?: string; role?: string; model?: string; content?: Content; usage?: Usage };
  event?: StreamEvent;
  isSynthetic?: boolean;
  isReplay?: boolean;
  tool_use_result?: unknown;
  thinking_duration_ms?: number;
  // result
  is_error?: boolean;
  result?: string;
  errors?: string[];
  total_cost_usd?: number;
  duration_ms?: number;
  modelUsage?: { [model: string]: ModelUsage };
  // system
  model?: string;
  permissionMode?: string;
  cwd?: string;
  tools?: string[];
  slash_commands?: string[];
  agents?: string[];
  skills?: string[];
  plugins?: { name: string }[];
  mcp_servers?: { name: string; status: string }[];
  output_style?: string;
  claude_code_version?: string;
  title?: string;
  content?: string;
  level?: string;
  text?: string;
  status?: string | null;
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  error?: string;
  compact_metadata?: { trigger?: string; pre_tokens?: number; post_tokens?: number };
  hook_name?: string;
  outcome?: string;
  stderr?: string;
  tool_name?: string;
  tool_use_id?: string;
  description?: string;
  // tasks
  task_id?: string;
  task_type?: string;
  is_backgrounded?: boolean;
  summary?: string;
  patch?: { status?: string; error?: string };
  tasks?: { task_id: string }[];
  // command_lifecycle
  command_uuid?: string;
  state?: string;
}

/** A can_use_tool request, as the agent sent it. */
export interface ToolRequest {
  subtype?: string;
  tool_name: string;
  display_name?: string;
  input: JsonObject;
  description?: string;
  permission_suggestions?: import('./contract.ts').PermissionUpdate[];
  blocked_path?: string;
  decision_reason?: string;
  tool_use_id?: string;
  agent_id?: string;
}

export interface Question {
  question: string;
  header?: string;
  multiSelect?: boolean;
  options: { label: string; description?: string }[];
}

export interface PatchHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The blocks of a content that may be a plain string. */
export function blocksOf(content: Content | undefined): Block[] {
  if (typeof content === 'string') return content ? [{ type: 'text', text: content }] : [];
  return Array.isArray(content) ? content.filter(isObject as (value: Block) => boolean) : [];
}

/** All text of a content, one block per line. */
export function textOf(content: Content | undefined): string {
  return blocksOf(content)
    .map((block) => (typeof block.text === 'string' ? block.text : ''))
    .filter(Boolean)
    .join('\n');
}

/** A string member of something unknown, or ''. */
export function field(value: unknown, name: string): string {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '';
}
