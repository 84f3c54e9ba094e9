// Plain and terminal output: coloured by classes, cut to what a person reads, the rest on demand.
import { h } from '../dom.ts';
import { parseAnsi } from '../text/ansi.ts';
import { showLines } from '../text/highlight.ts';
import { words } from '../words.ts';

const MOST_LINES = 200;

/** Output of a command. */
export function terminalElement(output: string): HTMLElement {
  const box = h('div', { class: 'terminal' });
  const pre = h('pre', { tabindex: 0 });
  box.appendChild(pre);
  const show = (text: string) => {
    pre.replaceChildren();
    for (const piece of parseAnsi(text)) {
      pre.append(piece.style ? h('span', { class: piece.style }, piece.text) : piece.text);
    }
  };
  const lines = output.replace(/\n+$/, '').split('\n');
  if (lines.length <= MOST_LINES) {
    show(lines.join('\n') || words.noOutput);
    return box;
  }
  show(lines.slice(0, MOST_LINES).join('\n'));
  const more = h(
    'button',
    {
      class: 'more',
      type: 'button',
      click: () => {
        show(lines.join('\n'));
        more.remove();
      },
    },
    words.showMore(lines.length - MOST_LINES),
  );
  box.appendChild(more);
  return box;
}

/** A file as it was read, with the line numbers it came with. */
export function numberedElement(content: string, start: number, language = ''): HTMLElement {
  const box = h('div', { class: 'listing', tabindex: 0 });
  let whole = false;
  showLines(content.replace(/\n$/, ''), language, (lines) => {
    const line = (text: DocumentFragment, index: number) => {
      const cell = h('span', { class: 'text' });
      cell.appendChild(text);
      return h('div', {}, h('span', { class: 'line' }, String(start + index)), cell);
    };
    box.replaceChildren(...lines.slice(0, whole ? undefined : MOST_LINES).map(line));
    const rest = whole ? [] : lines.slice(MOST_LINES);
    if (rest.length === 0) return;
    const showRest = () => {
      whole = true;
      more.replaceWith(...rest.map((text, index) => line(text, index + MOST_LINES)));
    };
    const label = words.showMore(rest.length);
    const more = h('button', { class: 'more', type: 'button', click: showRest }, label);
    box.appendChild(more);
  });
  return box;
}

/** Any value as readable JSON. */
export function jsonElement(value: unknown): HTMLElement {
  return terminalElement(JSON.stringify(value, null, 2) ?? '');
}
