// What the user said: shown at once while the agent is idle, else queued until it begins with it.
// For the reducer only.
import type { QueuedPrompt, State } from './state.ts';
import { addItem } from './item_list.ts';

export function addPrompt(state: State, prompt: QueuedPrompt): void {
  if (state.promptIds.has(prompt.clientId)) return;
  state.promptIds.add(prompt.clientId);
  if (state.busy || state.queue.length > 0) {
    state.queue.push(prompt);
  } else {
    showPrompt(state, prompt);
  }
}

/** Moves what waits into the transcript: all of it, or the one message named. */
export function startQueued(state: State, clientId?: string): void {
  const starting = state.queue.filter((prompt) => !clientId || prompt.clientId === clientId);
  state.queue = state.queue.filter((prompt) => !starting.includes(prompt));
  for (const prompt of starting) showPrompt(state, prompt);
}

export function dropQueued(state: State, clientId: string | undefined): void {
  state.queue = state.queue.filter((prompt) => prompt.clientId !== clientId);
}

function showPrompt(state: State, { clientId, content, time }: QueuedPrompt): void {
  state.busy = true;
  addItem(state, {
    id: `prompt:${clientId}`,
    version: 0,
    time,
    kind: 'prompt',
    clientId,
    content,
    before: state.lastUuid,
  });
}
