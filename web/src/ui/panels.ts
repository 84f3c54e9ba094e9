// What lies over the page at the moment: at most one thing, which Escape closes first.
import { signal } from '@preact/signals';

export const drawer = signal(false);
export const menu = signal(false);

/** Closes what is open; false if nothing was. */
export function closeOpen(): boolean {
  if (menu.value) {
    menu.value = false;
    return true;
  }
  if (drawer.value) {
    drawer.value = false;
    return true;
  }
  return false;
}
