// Subagents and commands in the background: when they began, what they are doing, how they ended. For
// the reducer only.
import type { AgentMessage } from '../protocol/wire.ts';
import { words } from '../words.ts';
import { addMarker, findTool, touch } from './item_list.ts';
import type { Task, ToolItem } from './items.ts';
import type { State } from './state.ts';

/** True if the message was about a task. */
export function reduceTask(state: State, message: AgentMessage): boolean {
  switch (message.subtype) {
    case 'task_started':
      start(state, message);
      return true;
    case 'task_progress':
      change(state, message.task_id, (task) => (task.progress = message.description ?? ''));
      return true;
    case 'task_updated':
      end(state, message.task_id, message.patch?.status, message.patch?.error ?? '');
      return true;
    case 'task_notification':
      notify(state, message);
      return true;
    case 'background_tasks_changed':
      keepOnly(state, new Set((message.tasks ?? []).map(({ task_id }) => task_id)));
      return true;
    default:
      return false;
  }
}

/** The agent's process is gone, and with it all that it had started. */
export function stopTasks(state: State): void {
  for (const { id } of state.tasks.values()) end(state, id, 'stopped', '');
}

/** Whether a call is part of something that the turn does not wait for. */
export function isInBackground(state: State, tool: ToolItem): boolean {
  for (let at: ToolItem | undefined = tool; at; at = findTool(state, at.parent)) {
    if (at.task?.background && at.task.status === 'running') return true;
  }
  return false;
}

function start(state: State, message: AgentMessage): void {
  if (!message.task_id) return;
  const tool = findTool(state, message.tool_use_id);
  const task: Task = {
    id: message.task_id,
    toolId: message.tool_use_id ?? '',
    kind: message.task_type === 'local_bash' ? 'command' : 'agent',
    description: message.description ?? '',
    progress: '',
    background: message.is_backgrounded === true,
    status: 'running',
    summary: '',
    startedAt: state.time,
    endedAt: null,
  };
  state.tasks.set(task.id, task);
  if (!tool) return;
  tool.task = task;
  touch(state, tool);
}

function change(state: State, id: string | undefined, apply: (task: Task) => void): void {
  const task = state.tasks.get(id ?? '');
  if (!task) return;
  apply(task);
  const tool = findTool(state, task.toolId);
  if (tool) touch(state, tool);
}

function end(state: State, id: string | undefined, status: string | undefined, why: string): void {
  if (status === undefined || status === 'running' || status === 'pending') return;
  change(state, id, (task) => {
    if (why) task.summary = why;
    if (task.status !== 'running') return;
    task.status = status === 'completed' ? 'completed' : status === 'failed' ? 'failed' : 'stopped';
    task.progress = '';
    task.endedAt = state.time;
  });
}

function notify(state: State, message: AgentMessage): void {
  end(state, message.task_id, message.status ?? 'completed', message.summary ?? '');
  const task = state.tasks.get(message.task_id ?? '');
  if (task && !task.background) return;
  const { kind = 'command', description = '', status = 'completed' } = task ?? {};
  state.taskNotice = addMarker(
    state,
    'task',
    words.taskEnded(kind, description, status as Exclude<Task['status'], 'running'>),
  );
}

/** The agent's own list of what runs in the background is the truth about that. */
function keepOnly(state: State, ids: Set<string>): void {
  for (const task of state.tasks.values()) {
    if (task.background && !ids.has(task.id)) end(state, task.id, 'completed', '');
  }
}

/** A turn begins that nobody has asked for: the task that has ended is why. */
export function wake(state: State): void {
  const notice = state.taskNotice;
  if (!notice) return;
  notice.marker = 'woke';
  notice.text = words.wokeBy(notice.text);
  touch(state, notice);
}
