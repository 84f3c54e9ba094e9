// Which tool is shown how.
import { changeOf, countLines } from '../../model/changes.ts';
import type { ToolItem } from '../../model/items.ts';
import { words } from '../../words.ts';
import { edit, find, notebook, read } from './files.ts';
import { agent, bash, fetched, plan, question, searched, task, todo, unknown } from './others.ts';
import { text } from './view.ts';
import type { ToolView } from './view.ts';

export interface LineCounts {
  added: number;
  removed: number;
}

const VIEWS: Record<string, ToolView> = {
  Edit: edit,
  MultiEdit: edit,
  Write: edit,
  NotebookEdit: notebook,
  Bash: bash,
  BashOutput: bash,
  Read: read,
  Glob: find,
  Grep: find,
  WebFetch: fetched,
  WebSearch: searched,
  Task: agent,
  Agent: agent,
  TaskCreate: task,
  TaskGet: task,
  TaskUpdate: task,
  TodoWrite: todo,
  AskUserQuestion: question,
  ExitPlanMode: plan,
};

export function viewOf(name: string): ToolView {
  return Object.hasOwn(VIEWS, name) ? (VIEWS[name] ?? unknown) : unknown;
}

/** The name a person reads: `mcp__calc__add` is "calc › add". */
export function toolLabel(name: string): string {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name);
  if (mcp) return `${mcp[1]} › ${mcp[2]}`;
  return Object.hasOwn(words.toolNames, name) ? (words.toolNames[name] ?? name) : name;
}

/** Lines that a finished tool added and removed, null if it changed no file. */
export function changedLines(tool: ToolItem): LineCounts | null {
  if (!tool.result || tool.result.isError) return null;
  const change = changeOf(tool.result.structured);
  if (change) return change;
  return tool.name === 'Write'
    ? { added: countLines(text(tool.input, 'content')), removed: 0 }
    : null;
}
