// Keys of the whole page. Escape does one thing at a time, and never more than stop the turn.
import { interrupt } from '../commands.ts';
import { busy } from '../store.ts';
import { enter, entered, ready } from './requests/asking.ts';
import { searchSessions, togglePalette } from './actions.ts';
import { closeOpen, help, showSide, side } from './panels.ts';
import { go } from './route.ts';
import { scrolling } from './scrolling.ts';

function isText(target: EventTarget | null): target is HTMLTextAreaElement | HTMLInputElement {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && ['text', 'search'].includes(target.type))
  );
}

/**
 * Presses the button of the request that shows this key; false if there is none. Only inside of a
 * request that the user has gone into, and that has stood still; a key that is held down says nothing.
 */
function answerByKey(event: KeyboardEvent, key: string): boolean {
  const dock = event.target instanceof Element ? event.target.closest('.requests') : null;
  const target = dock?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (!target || !entered.value || !ready.value || event.repeat) return false;
  target.click();
  return true;
}

/** Empties a field as if the user had done it: the browser's undo brings the text back. */
function clearText(field: EventTarget | null): boolean {
  if (!isText(field) || !field.value) return false;
  field.focus();
  field.select();
  document.execCommand('delete');
  return true;
}

function escape(event: KeyboardEvent): void {
  const done =
    closeOpen() ||
    clearText(event.target) ||
    answerByKey(event, 'n') ||
    clearText(document.querySelector('textarea#message')) ||
    (busy.value && (interrupt(), true));
  if (done) event.preventDefault();
}

/** By their place: with Alt, some systems make other characters of these keys. */
const WITH_ALT: Record<string, () => boolean | void> = {
  KeyN: () => go(null),
  KeyR: () => enter(),
  KeyS: () => searchSessions(),
  KeyP: () => showSide(side.value === null ? 'changes' : null),
  ArrowUp: () => scrolling.toLastPrompt(),
  ArrowDown: () => scrolling.toEnd(),
};

/** Does what a key does together with Alt, Ctrl or Cmd; false if that is nothing of the page. */
function withModifier(event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  if (command && !event.altKey && !event.shiftKey && event.code === 'KeyK') {
    togglePalette();
    return true;
  }
  if (command || event.shiftKey || !Object.hasOwn(WITH_ALT, event.code)) return false;
  // Some systems go through a text with these.
  const writes = isText(event.target) && event.target.value !== '';
  if (event.code.startsWith('Arrow') && writes) return false;
  return WITH_ALT[event.code]?.() !== false;
}

export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    // A dialog has all keys to itself.
    if (document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') return escape(event);
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (withModifier(event)) event.preventDefault();
      return;
    }
    if (isText(event.target) || event.target instanceof HTMLSelectElement) return;
    if (/^[yn1-9]$/.test(event.key) && answerByKey(event, event.key)) {
      event.preventDefault();
    } else if (event.key === '?') {
      event.preventDefault();
      help.value = true;
    } else if (event.key === '/') {
      event.preventDefault();
      document.querySelector<HTMLTextAreaElement>('textarea#message')?.focus();
    }
  });
}
