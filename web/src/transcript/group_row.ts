// Calls that only look, many in a row: one line that says how many, and opens to them.
import { h } from '../dom.ts';
import type { Item, ToolItem } from '../model/items.ts';
import { blocksOf } from '../protocol/wire.ts';
import { words } from '../words.ts';
import { RowList } from './row_list.ts';
import { statusOf } from './tools/tool_row.ts';

/** What reads, and what searches. */
const READS = new Set(['Read', 'NotebookRead']);
const SEARCHES = new Set(['Glob', 'Grep', 'LS', 'WebSearch', 'ToolSearch']);
/** Fewer stand by themselves. */
const FEWEST = 3;

/** Several calls that are shown as one row. */
export interface Group {
  id: string;
  version: number;
  kind: 'group';
  items: ToolItem[];
}

function joins(item: Item): item is ToolItem {
  if (item.kind !== 'tool' || !(READS.has(item.name) || SEARCHES.has(item.name))) return false;
  // A picture is worth a row.
  const picture = blocksOf(item.result?.content).some(({ type }) => type === 'image');
  return statusOf(item) === 'done' && !picture;
}

/** The rows to show: runs of calls that only looked become one each. */
export function grouped(items: readonly Item[]): (Item | Group)[] {
  const rows: (Item | Group)[] = [];
  for (let at = 0; at < items.length;) {
    let end = at;
    while (end < items.length && joins(items[end] as Item)) end += 1;
    if (end - at >= FEWEST) {
      const run = items.slice(at, end) as ToolItem[];
      const version = run.reduce((sum, item) => sum + item.version + 1, 0);
      rows.push({ id: `group:${run[0]?.id}`, version, kind: 'group', items: run });
      at = end;
    } else {
      end = Math.max(end, at + 1);
      rows.push(...items.slice(at, end));
      at = end;
    }
  }
  return rows;
}

export class GroupRow {
  readonly element = h('section', { class: 'row tool group', 'data-status': 'done' });
  private label = h('span', { class: 'name' });
  private names = h('span', { class: 'summary' });
  private head = h(
    'button',
    { class: 'tool-head', type: 'button', 'aria-expanded': 'false' },
    h('span', { class: 'status', 'aria-hidden': 'true' }),
    this.label,
    this.names,
    h('span', { class: 'chevron', 'aria-hidden': 'true' }),
  );
  private list: RowList | null = null;
  private group: Group;

  constructor(group: Group) {
    this.group = group;
    this.head.addEventListener('click', () => this.open(this.list === null));
    this.element.appendChild(h('div', { class: 'tool-line' }, this.head));
    this.update(group);
  }

  open(wanted: boolean): void {
    if (wanted === (this.list !== null)) return;
    this.list?.element.parentElement?.remove();
    this.list = wanted ? new RowList() : null;
    this.head.setAttribute('aria-expanded', String(wanted));
    if (this.list) this.element.appendChild(h('div', { class: 'tool-body' }, this.list.element));
    this.list?.show(this.group.items, false);
  }

  update(group: Group): void {
    this.group = group;
    const { items } = group;
    const reads = items.filter(({ name }) => READS.has(name));
    this.label.textContent = words.looked(reads.length, items.length - reads.length);
    const paths = reads.map(({ input }) =>
      String(input['file_path'] ?? '')
        .split('/')
        .at(-1),
    );
    this.names.textContent = [...new Set(paths)].filter(Boolean).join(', ');
    this.list?.show(items, false);
  }
}
