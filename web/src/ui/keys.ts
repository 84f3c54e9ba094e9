// Keys of the whole page. Escape does one thing at a time, and never more than stop the turn.
import { busy, currentId, interrupt, view } from '../store.ts';
import { closeOpen } from './panels.ts';
import { go } from './route.ts';

/** Before this much time a key was meant for what had been there before the request came. */
const TOO_FAST_MS = 350;

let requestShownAt = 0;
let lastRequest = '';

function noteRequest(): void {
  const id = view.value?.pending[0]?.id ?? '';
  if (id !== lastRequest) {
    lastRequest = id;
    requestShownAt = performance.now();
  }
}

function isText(target: EventTarget | null): target is HTMLTextAreaElement | HTMLInputElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && ['text', 'search'].includes(target.type))
  );
}

/** Presses the button of the request that shows this key; false if there is none. */
function answerByKey(key: string): boolean {
  const dock = document.querySelector('.requests');
  const target = dock?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (!target || performance.now() - requestShownAt < TOO_FAST_MS) return false;
  target.click();
  return true;
}

function clearText(field: EventTarget | null): boolean {
  if (!isText(field) || !field.value) return false;
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}

function escape(event: KeyboardEvent): void {
  const dock = document.querySelector('.requests');
  const inDock = dock?.contains(event.target as Node) ?? false;
  const done =
    closeOpen() ||
    clearText(event.target) ||
    (inDock && answerByKey('n')) ||
    clearText(document.querySelector('textarea#message')) ||
    (busy.value && (interrupt(), true));
  if (done) event.preventDefault();
}

export function startKeys(): void {
  view.subscribe(noteRequest);
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    // A dialog has all keys to itself.
    if (document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') return escape(event);
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.altKey && event.key.toLowerCase() === 'n') {
        event.preventDefault();
        go(null);
      }
      return;
    }
    if (isText(event.target) || event.target instanceof HTMLSelectElement) return;
    if (/^[yn1-9]$/.test(event.key) && currentId.value !== null && answerByKey(event.key)) {
      event.preventDefault();
    } else if (event.key === '/') {
      event.preventDefault();
      document.querySelector<HTMLTextAreaElement>('textarea#message')?.focus();
    }
  });
}
