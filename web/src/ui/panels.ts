// What lies over the page at the moment: at most one thing, which Escape closes first.
import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { problem } from '../store.ts';
import { closeCompletion } from './composer/completion.tsx';

export const drawer = signal(false);
export const menu = signal(false);
export const folderList = signal(false);

/** Closes what is open; false if nothing was. */
export function closeOpen(): boolean {
  if (closeCompletion()) return true;
  const open = [menu, folderList, drawer].find((panel) => panel.value);
  if (open) {
    open.value = false;
    return true;
  }
  if (!problem.value) return false;
  problem.value = '';
  return true;
}

/** A click beside a list that hangs on a button closes it. */
export function closeBeside(target: Element): void {
  if (!target.closest('.menu-box')) menu.value = false;
  if (!target.closest('.folder')) folderList.value = false;
}

/** What had the focus in a list is gone when the list closes: then its button gets it. */
export function useReturnedFocus(open: boolean, button: RefObject<HTMLElement | null>): void {
  const before = useRef(open);
  useLayoutEffect(() => {
    const closed = before.current && !open;
    before.current = open;
    if (closed && document.activeElement === document.body) button.current?.focus();
  }, [open]);
}
