// What lies over the page at the moment: at most one thing, which Escape closes first.
import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { notice, problem } from '../store.ts';
import { closeCompletion } from './composer/completion.tsx';

export const drawer = signal(false);
export const menu = signal(false);
export const folderList = signal(false);
export const palette = signal(false);
export const help = signal(false);
export const settings = signal(false);

/** The tabs of the panel at the right. */
export const TABS = ['changes', 'work', 'context', 'mcp', 'files'] as const;
export type Tab = (typeof TABS)[number];

const SIDE = 'parley.side';

function storedTab(): Tab | null {
  const value = localStorage.getItem(SIDE);
  // Where it would lie over the conversation it is not opened by itself.
  if (!isBeside()) return null;
  return TABS.find((tab) => tab === value) ?? null;
}

/** The tab that is shown at the right, null if none is. */
export const side = signal<Tab | null>(storedTab());

/** Whether the panel has a place beside the conversation, or lies over it. */
function isBeside(): boolean {
  return matchMedia('(min-width: 1180px)').matches;
}

/** What was chosen in the panel is in the conversation: it must not be covered. */
export function uncover(): void {
  if (!isBeside()) side.value = null;
}

export function showSide(tab: Tab | null): void {
  side.value = tab;
  localStorage.setItem(SIDE, tab ?? '');
}

/** Closes what is open; false if nothing was. */
export function closeOpen(): boolean {
  if (closeCompletion()) return true;
  const open = [menu, folderList, drawer].find((panel) => panel.value);
  if (open) {
    open.value = false;
    return true;
  }
  const told = [problem, notice].find((toast) => toast.value);
  if (told) {
    told.value = '';
    return true;
  }
  // Beside the conversation it is in nobody's way.
  if (side.value === null || isBeside()) return false;
  showSide(null);
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
