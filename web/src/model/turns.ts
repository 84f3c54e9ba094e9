// Ends of turns: what they cost and changed, what failed, and what was left unfinished. For the
// reducer only.
import type { AgentMessage } from '../protocol/wire.ts';
import { addFailure, addItem, addMarker, newId, touch } from './item_list.ts';
import { emptyTurn } from './state.ts';
import { isInBackground } from './tasks.ts';
import type { State } from './state.ts';

/** The agent's own word that a turn is over. */
export function reduceResult(state: State, message: AgentMessage): void {
  const { facts } = state;
  const total = state.costBefore + (message.total_cost_usd ?? facts.costUsd - state.costBefore);
  const costUsd = Math.max(0, total - facts.costUsd);
  facts.costUsd = Math.max(total, facts.costUsd);
  const window = Math.max(
    0,
    ...Object.values(message.modelUsage ?? {}).map((usage) => usage.contextWindow ?? 0),
  );
  if (window > 0) facts.contextWindow = window;
  if (message.modelUsage) state.usage = message.modelUsage;
  const { interrupted, files, waitedMs } = state.turn;
  endTurn(state);
  const failed = message.is_error === true || (message.subtype ?? '').startsWith('error');
  if (failed && !interrupted) {
    if (message.subtype === 'error_during_execution' && !message.errors?.length) {
      addMarker(state, 'interrupted', '');
    } else {
      failTurn(state, message.result ?? message.errors?.join('\n') ?? message.subtype ?? '');
    }
  }
  // The time that a person took to answer is not the agent's.
  const durationMs = Math.max(0, (message.duration_ms ?? 0) - waitedMs);
  const { time, lastUuid: last } = state;
  addItem(state, {
    id: newId(state),
    version: 0,
    time,
    kind: 'turn',
    costUsd,
    durationMs,
    files,
    last,
  });
  state.busy = false;
}

/** Nothing streams or runs any more, whether the agent said so or is gone. */
export function endTurn(state: State): void {
  for (const item of state.live.end()) touch(state, item);
  for (const tool of state.unfinished) {
    if (isInBackground(state, tool)) continue;
    tool.abandoned = true;
    tool.asked = false;
    tool.waits = false;
    touch(state, tool);
    state.unfinished.delete(tool);
  }
  state.turn = emptyTurn();
}

/** An API error comes as an answer and again as the result: it is shown once, as a failure. */
function failTurn(state: State, text: string): void {
  const last = state.items.at(-1);
  if (last?.kind === 'text' && last.text.trim() === text.trim()) state.items.pop();
  addFailure(state, 'turn', text, null);
}
