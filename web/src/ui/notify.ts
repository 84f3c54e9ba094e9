// Tells the user, while the page is hidden, that a session needs them or has ended its turn. Only after
// they have wished so: the browser asks them then.
import { effect, signal } from '@preact/signals';
import type { Summary } from '../protocol/contract.ts';
import { sessions } from '../store.ts';
import { words } from '../words.ts';
import { go } from './route.ts';

const PLACE = 'parley.notify';

export const canNotify = 'Notification' in window;

/** The user wants to be told, and the browser lets us. */
export const notifies = signal(
  canNotify && localStorage.getItem(PLACE) === 'yes' && Notification.permission === 'granted',
);

/** Turns it on or off; stays off if the browser does not let us. */
export async function setNotifies(wanted: boolean): Promise<void> {
  const granted = wanted && (await Notification.requestPermission()) === 'granted';
  notifies.value = granted;
  localStorage.setItem(PLACE, granted ? 'yes' : '');
}

/** What has happened between two words on a session that somebody should know of; '' if nothing. */
function newsOf(before: Summary | undefined, after: Summary): string {
  if (!before) return '';
  if (after.pending > before.pending) return words.notifyAsks;
  const worked = before.state === 'running' || before.state === 'waiting';
  if (worked && after.state === 'failed') return words.notifyFailed;
  if (worked && (after.state === 'idle' || after.state === 'ended')) return words.notifyEnded;
  return '';
}

function tell(summary: Summary, body: string): void {
  // One per session: the last one counts.
  const notification = new Notification(summary.title || words.untitled, { body, tag: summary.id });
  notification.onclick = () => {
    window.focus();
    go(summary.id);
    notification.close();
  };
}

export function startNotifying(): void {
  let before: ReadonlyMap<string, Summary> = new Map();
  effect(() => {
    const now = sessions.value;
    if (notifies.value && document.visibilityState === 'hidden') {
      for (const summary of now.values()) {
        const news = newsOf(before.get(summary.id), summary);
        if (news) tell(summary, news);
      }
    }
    before = now;
  });
}
