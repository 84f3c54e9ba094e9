// Which request is shown, and whether it may be answered yet: the one place that knows. The dock, its
// buttons and the keys all ask here, so that none of them can think of another request than the user.
import { computed, effect, signal } from '@preact/signals';
import type { PendingRequest } from '../../model/state.ts';
import type { Answer } from '../../protocol/contract.ts';
import { answer, view } from '../../store.ts';

/** What has not stood still for this long has not been read: a click or key meant something else. */
const STILL_MS = 500;

const shownKey = signal('');
/** The request that is shown has stood still and may be answered. */
export const ready = signal(false);
/** The user has gone into the request that is shown: its bare keys answer it. */
export const entered = signal(false);

let timer = 0;
/** The pointer went down on a request that could be answered then. */
let pressed = false;
let answered = '';

/** Tells requests apart, also those of agents that begin to count again. */
export function keyOf(request: PendingRequest): string {
  return `${view.value?.session ?? ''} ${request.seq}`;
}

/** The oldest, or the one the user has gone to, for as long as it waits. */
export const shown = computed<PendingRequest | null>(
  () => view.value?.pending.find((request) => keyOf(request) === shownKey.value) ?? null,
);

effect(() => {
  const keys = (view.value?.pending ?? []).map(keyOf);
  if (!keys.includes(shownKey.peek())) shownKey.value = keys[0] ?? '';
});

effect(() => {
  entered.value = false;
  settle(shownKey.value !== '');
});

/** Something has moved, or may have been covered: the time begins again. */
function settle(waits = shownKey.peek() !== ''): void {
  clearTimeout(timer);
  ready.value = false;
  pressed = false;
  if (waits) timer = window.setTimeout(() => (ready.value = true), STILL_MS);
}

/** Shows the request after this one, because the user wants to see it. */
export function showNext(): void {
  const keys = (view.value?.pending ?? []).map(keyOf);
  shownKey.value = keys[(keys.indexOf(shownKey.peek()) + 1) % keys.length] ?? '';
  // Its element is there with the next frame.
  requestAnimationFrame(enter);
}

/** Takes the user to the request that is shown; false if there is none. */
export function enter(): boolean {
  const dock = document.querySelector<HTMLElement>('.requests');
  if (!dock) return false;
  dock.focus({ preventScroll: true });
  entered.value = true;
  return true;
}

/** Answers a request, if it is the one that is shown and the user had the time to read it. */
export function give(request: PendingRequest, given: Answer): void {
  if (!ready.peek() || keyOf(request) !== shownKey.peek()) return;
  answered = shownKey.peek();
  answer(request, given);
}

/** Whether the request with this key was answered here; asked once, when it has gone. */
export function wasAnsweredHere(key: string): boolean {
  return key !== '' && key === answered;
}

/** Watches over the element of the request that is shown; returns what ends that. */
export function watch(dock: HTMLElement): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  const inside = (target: EventTarget | null) => target instanceof Node && dock.contains(target);
  const moved = new ResizeObserver(() => settle());
  moved.observe(dock);
  if (dock.parentElement) moved.observe(dock.parentElement);
  const changed = new MutationObserver(() => settle());
  changed.observe(dock, { childList: true, subtree: true });

  // A press elsewhere may be the first half of a double click on what lay over the request.
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (!inside(target)) return settle();
      pressed = ready.peek();
      if (pressed) entered.value = true;
    },
    { capture: true, signal },
  );
  document.addEventListener('visibilitychange', () => settle(), { signal });
  // What lay over everything is closed: the key that did it was not meant for this.
  document.addEventListener(
    'close',
    () => {
      settle();
      entered.value = false;
    },
    { capture: true, signal },
  );
  dock.addEventListener('focusin', () => (entered.value ||= ready.peek()), { signal });
  dock.addEventListener(
    'focusout',
    ({ relatedTarget }) => {
      if (!inside(relatedTarget)) entered.value = false;
    },
    { signal },
  );
  // `detail` counts the clicks of a pointer; a key that presses a button has none.
  dock.addEventListener(
    'click',
    (event) => {
      const answers = event.target instanceof Element && event.target.closest('.choices, .option');
      if (!answers || (ready.peek() && (event.detail === 0 || pressed))) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, signal },
  );
  return () => {
    ends.abort();
    moved.disconnect();
    changed.disconnect();
  };
}
