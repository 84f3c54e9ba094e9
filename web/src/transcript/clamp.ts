// Long texts of which the beginning is shown, and the rest when it is wanted: a pasted log must not be
// a hundred screens of the conversation, nor be laid out by the browser before anybody asks for it.
import { h } from '../dom.ts';
import { words } from '../words.ts';

const MOST_CHARACTERS = 1500;
const MOST_LINES = 16;

/** The beginning of a text that is too long to be shown whole, null if it is not. */
export function beginningOf(text: string): string | null {
  let end = -1;
  for (let line = 0; line < MOST_LINES; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) break;
  }
  const cut = Math.min(end < 0 ? text.length : end, MOST_CHARACTERS);
  return cut >= text.length ? null : text.slice(0, cut);
}

export function clampedText(className: string, text: string): HTMLElement {
  const beginning = beginningOf(text);
  if (beginning === null) return h('div', { class: className }, text);
  const body = h('div', { class: 'clamped' }, `${beginning}…`);
  const box = h('div', { class: className }, body);
  let whole = false;
  const more = h('button', {
    class: 'more',
    type: 'button',
    click: () => {
      whole = !whole;
      show();
    },
  });
  const show = () => {
    body.textContent = whole ? text : `${beginning}…`;
    body.classList.toggle('whole', whole);
    if (whole) body.tabIndex = 0;
    else body.removeAttribute('tabindex');
    more.textContent = whole ? words.showLess : words.showAll(text.length);
    more.setAttribute('aria-expanded', String(whole));
  };
  show();
  box.appendChild(more);
  return box;
}
