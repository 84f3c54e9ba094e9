// What the buttons inside of the conversation do. Rows come and go; one listener hears for all of them.
import type { Item } from '../model/items.ts';
import { textOf } from '../protocol/wire.ts';
import { words } from '../words.ts';

export interface ActionHooks {
  /** The items that are shown, in order. */
  items(): readonly Item[];
  /** Brings the row of a call into view, opened. */
  showTool(toolId: string): void;
  stopTask(taskId: string): void;
  /** Another session with all up to a message; `draft` is to be said there next. */
  fork(upTo: string, draft: string): void;
  /** Puts files back to before a prompt. */
  rewind(promptId: string): void;
}

const SAID_MS = 1500;

export function listenForActions(scroller: HTMLElement, hooks: ActionHooks): void {
  scroller.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button) return;
    const { show, task, action } = button.dataset;
    if (button.matches('.copy')) copyCode(button);
    else if (show) hooks.showTool(show);
    else if (task) {
      button.disabled = true;
      hooks.stopTask(task);
    } else if (action === 'fork' || action === 'fork-before') {
      fork(hooks, button);
    } else if (action === 'rewind') {
      const item = itemOf(hooks, button);
      if (item?.kind === 'prompt') hooks.rewind(item.clientId);
    } else if (action === 'copy-prompt' || action === 'copy-answer') {
      const row = button.closest<HTMLElement>('[data-item]');
      copy(button, textFor(hooks.items(), row?.dataset['item'] ?? '', action));
    }
  });
}

function itemOf(hooks: ActionHooks, button: HTMLElement): Item | undefined {
  const id = button.closest<HTMLElement>('[data-item]')?.dataset['item'];
  return hooks.items().find((candidate) => candidate.id === id);
}

function fork(hooks: ActionHooks, button: HTMLElement): void {
  const item = itemOf(hooks, button);
  if (item?.kind === 'turn') hooks.fork(item.last, '');
  else if (item?.kind === 'prompt') hooks.fork(item.before, textOf(item.content));
}

/** A prompt as it was sent, or all that was answered before the end of a turn, as it was written. */
function textFor(items: readonly Item[], id: string, action: string): string {
  const at = items.findIndex((item) => item.id === id);
  const found = items[at];
  if (action === 'copy-prompt') return found?.kind === 'prompt' ? textOf(found.content) : '';
  const texts: string[] = [];
  for (let index = at - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.kind === 'prompt' || item?.kind === 'turn') break;
    if (item?.kind === 'text') texts.unshift(item.text);
  }
  return texts.join('\n\n');
}

function copyCode(button: HTMLButtonElement): void {
  const pre = button.closest('.code')?.querySelector('pre');
  if (!pre) return;
  // Without a secure connection there is no clipboard for scripts: select it for the user's own hand.
  if ('clipboard' in navigator) copy(button, pre.textContent ?? '');
  else getSelection()?.selectAllChildren(pre);
}

function copy(button: HTMLButtonElement, text: string): void {
  if (!('clipboard' in navigator) || !text) return;
  const before = button.textContent;
  void navigator.clipboard.writeText(text).then(() => {
    button.textContent = words.copied;
    setTimeout(() => (button.textContent = before), SAID_MS);
  });
}
