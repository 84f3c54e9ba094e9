// The address of a session is in the fragment, so that reload, back and a bookmark work under any path.
import { open } from '../store.ts';

const PREFIX = '#/s/';

export function addressOf(id: string | null): string {
  return id === null ? '#/' : `${PREFIX}${encodeURIComponent(id)}`;
}

function follow(): void {
  const hash = location.hash;
  open(hash.startsWith(PREFIX) ? decodeURIComponent(hash.slice(PREFIX.length)) : null);
}

export function go(id: string | null): void {
  location.hash = addressOf(id);
}

export function startRouting(): void {
  window.addEventListener('hashchange', follow);
  follow();
}
