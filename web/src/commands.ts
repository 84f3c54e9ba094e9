// What the user can have done to a session beyond saying something: each asks the hub, and shows the
// problem if there is one.
import { signal } from '@preact/signals';
import { keepText } from './drafts.ts';
import { api } from './net/api.ts';
import type { AgentInfo, NewSession } from './protocol/contract.ts';
import { attempt, busy, currentId, shownConversation } from './store.ts';

export async function create(wanted: NewSession): Promise<string | undefined> {
  return (await attempt(() => api.create(wanted)))?.id;
}

export function resume(): void {
  const id = currentId.value;
  if (id !== null) void attempt(() => api.resume(id));
}

export function interrupt(): void {
  const id = currentId.value;
  if (id && busy.value) void attempt(() => api.interrupt(id));
}

/** Ends one subagent, or one command in the background; the turn goes on. */
export function stopTask(taskId: string): void {
  const id = currentId.value;
  if (id !== null) void attempt(() => api.ask(id, { subtype: 'stop_task', task_id: taskId }));
}

/** Agents look through their folder when they are asked first, and find nothing until they have. */
const LOOKING_MS = [300, 700];

/** Files and folders that fit what was typed of a path, best first; throws if no agent can say. */
export async function suggestFiles(id: string, typed: string): Promise<string[]> {
  for (let round = 0; ; round += 1) {
    const { response } = await api.ask<{ suggestions?: { path: string }[] }>(id, {
      subtype: 'file_suggestions',
      query: typed,
    });
    const paths = (response.suggestions ?? []).map(({ path }) => path);
    const wait = LOOKING_MS[round];
    if (paths.length > 0 || wait === undefined) return paths;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Makes another session of this one up to a message; its id, if that went well. */
export async function fork(upTo: string, draft: string): Promise<string | undefined> {
  const id = currentId.value;
  if (id === null) return undefined;
  const made = (await attempt(() => api.fork(id, upTo)))?.id;
  if (made && draft) keepText(made, draft);
  return made;
}

/** What agents have said that they can do, by session; '' is the one that said so last. */
export const agents = signal<ReadonlyMap<string, AgentInfo>>(new Map());

/** The commands of the session that is shown; one that does not run has those of another. */
export function knownCommands(): NonNullable<AgentInfo['commands']> {
  const known = agents.value.get(currentId.value ?? '') ?? agents.value.get('');
  const described = known?.commands ?? [];
  // Some agents only say their names, when a turn begins.
  const names = shownConversation()?.about?.commands ?? [];
  const others = names.filter((name) => !described.some((command) => command.name === name));
  return [...described, ...others.map((name) => ({ name }))];
}

/** Learns what the agent of a session can do; one that does not run is not asked. */
export async function learnAbout(id: string): Promise<void> {
  try {
    const found = await api.agent(id);
    agents.value = new Map(agents.value).set(id, found).set('', found);
  } catch {
    // It has ended meanwhile; what others have said is good enough.
  }
}
