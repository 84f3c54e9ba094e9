// A diff as a table: line numbers, sign, text.
import { h } from '../dom.ts';
import type { DiffRow } from '../text/diff.ts';
import { words } from '../words.ts';

const MOST_ROWS = 400;
const SIGNS = { same: ' ', added: '+', removed: '−', gap: '' };

function rowElement(row: DiffRow): HTMLElement {
  if (row.kind === 'gap')
    return h('div', { class: 'diff-row gap' }, h('span', { class: 'text' }, '⋯'));
  const text = h('span', { class: 'text' });
  for (const mark of row.marks) {
    text.append(mark.changed ? h('mark', {}, mark.text) : mark.text);
  }
  return h(
    'div',
    { class: `diff-row ${row.kind}` },
    h('span', { class: 'line' }, row.oldLine === null ? '' : String(row.oldLine)),
    h('span', { class: 'line' }, row.newLine === null ? '' : String(row.newLine)),
    h('span', { class: 'sign' }, SIGNS[row.kind]),
    text,
  );
}

export function diffElement(rows: DiffRow[]): HTMLElement {
  const hasOld = rows.some((row) => row.oldLine !== null);
  const hasNew = rows.some((row) => row.newLine !== null);
  const columns = hasOld ? '' : hasNew ? ' created' : ' unnumbered';
  const table = h('div', { class: `diff${columns}`, tabindex: 0 });
  for (const row of rows.slice(0, MOST_ROWS)) table.appendChild(rowElement(row));
  const rest = rows.slice(MOST_ROWS);
  if (rest.length > 0) {
    const more = h(
      'button',
      {
        class: 'more',
        type: 'button',
        click: () => more.replaceWith(...rest.map(rowElement)),
      },
      words.showMore(rest.length),
    );
    table.appendChild(more);
  }
  return table;
}
