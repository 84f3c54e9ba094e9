// Which sessions have something that the user has not seen: their turn ended while another one was
// looked at. Known to this browser only.
import { effect, signal } from '@preact/signals';
import type { Summary } from '../../protocol/contract.ts';
import { current } from '../../store.ts';

const PLACE = 'parley.seen';
/** More are forgotten, the oldest first: they count as seen when `since` is later. */
const MOST_KEPT = 500;

interface Seen {
  /** What happened before this browser came here first is not new to it. */
  since: number;
  /** When a session was looked at last, by its own time. */
  at: Record<string, number>;
}

function stored(): Seen {
  try {
    const value = JSON.parse(localStorage.getItem(PLACE) ?? '') as Seen;
    if (typeof value.since === 'number' && typeof value.at === 'object') return value;
  } catch {
    // Nothing was kept, or something else.
  }
  return { since: Date.now(), at: {} };
}

const seen = signal(stored());

effect(() => {
  const summary = current.value;
  if (!summary || document.visibilityState !== 'visible') return;
  const { at, since } = seen.peek();
  if ((at[summary.id] ?? 0) >= summary.updated) return;
  const entries = Object.entries({ ...at, [summary.id]: summary.updated });
  const kept = entries.sort(([, a], [, b]) => b - a).slice(0, MOST_KEPT);
  seen.value = { since, at: Object.fromEntries(kept) };
});

effect(() => {
  try {
    localStorage.setItem(PLACE, JSON.stringify(seen.value));
  } catch {
    // Then it is forgotten with the page.
  }
});

export function isUnread({ id, state, updated }: Summary): boolean {
  if (!['idle', 'ended', 'failed'].includes(state) || id === current.value?.id) return false;
  return updated > (seen.value.at[id] ?? seen.value.since);
}
