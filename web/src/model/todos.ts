// The agent's list of what it has to do, from whichever tools it keeps it with: TodoWrite writes the
// whole of it each time, TaskCreate and TaskUpdate change one entry. For the reducer only.
import { field, isObject } from '../protocol/wire.ts';
import type { ToolItem } from './items.ts';
import type { State } from './state.ts';

export interface Todo {
  /** Of TaskCreate; '' in lists that are written as a whole. */
  id: string;
  text: string;
  /** What to say while it is being done. */
  activeText: string;
  status: 'pending' | 'in_progress' | 'completed';
  /** The ids of those that have to be done before. */
  after: string[];
}

function statusOf(value: string): Todo['status'] {
  return value === 'in_progress' || value === 'completed' ? value : 'pending';
}

/** The entries of a TodoWrite. */
export function todosOf(input: unknown): Todo[] {
  const list = isObject(input) && Array.isArray(input['todos']) ? input['todos'] : [];
  return list.flatMap((entry): Todo[] => {
    const text = field(entry, 'content');
    if (!text) return [];
    const activeText = field(entry, 'activeForm') || text;
    return [{ id: '', text, activeText, status: statusOf(field(entry, 'status')), after: [] }];
  });
}

/** What a call that went well changes in the list. */
export function noteTodos(state: State, tool: ToolItem): void {
  if (tool.parent !== null || tool.result?.isError) return;
  if (tool.name === 'TodoWrite') state.todos = todosOf(tool.input);
  else if (tool.name === 'TaskCreate') create(state, tool);
  else if (tool.name === 'TaskUpdate') update(state, tool);
}

function create(state: State, tool: ToolItem): void {
  const { structured } = tool.result ?? {};
  const made = isObject(structured) ? structured['task'] : undefined;
  const id = field(made, 'id');
  const text = field(made, 'subject') || field(tool.input, 'subject');
  if (!id || !text || state.todos.some((todo) => todo.id === id)) return;
  const activeText = field(tool.input, 'activeForm') || text;
  state.todos = [...state.todos, { id, text, activeText, status: 'pending', after: [] }];
}

function update(state: State, tool: ToolItem): void {
  const id = field(tool.input, 'taskId');
  const status = field(tool.input, 'status');
  const after = tool.input['addBlockedBy'];
  if (status === 'deleted') {
    state.todos = state.todos.filter((todo) => todo.id !== id);
    return;
  }
  state.todos = state.todos.map((todo) =>
    todo.id !== id
      ? todo
      : {
          ...todo,
          text: field(tool.input, 'subject') || todo.text,
          activeText: field(tool.input, 'activeForm') || todo.activeText,
          status: status ? statusOf(status) : todo.status,
          after: [...todo.after, ...(Array.isArray(after) ? after.map(String) : [])],
        },
  );
}
