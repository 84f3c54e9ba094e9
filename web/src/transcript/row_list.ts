// Rows for items, kept by id: showing a list again touches only what is new, changed or gone.
import { h } from '../dom.ts';
import type { Item } from '../model/items.ts';
import { grouped, GroupRow } from './group_row.ts';
import type { Group } from './group_row.ts';
import { makeRow } from './rows.ts';

type Drawn = Item | Group;

interface AnyRow {
  readonly element: HTMLElement;
  update(item: Drawn): void;
}

interface Shown {
  row: AnyRow;
  version: number;
  item: Drawn;
}

export class RowList {
  readonly element = h('div', { class: 'rows' });
  private shown = new Map<string, Shown>();

  get size(): number {
    return this.shown.size;
  }

  /** `group`: calls that only look are shown together. */
  show(items: readonly Item[], group = true): void {
    const rows: readonly Drawn[] = group ? grouped(items) : items;
    const wanted = new Set(rows.map((item) => item.id));
    for (const [id, { row }] of this.shown) {
      if (wanted.has(id)) continue;
      row.element.remove();
      this.shown.delete(id);
    }
    let after: Element | null = null;
    for (const item of rows) {
      const { element } = this.draw(item);
      const place: ChildNode | null = after ? after.nextSibling : this.element.firstChild;
      if (place !== element) this.element.insertBefore(element, place);
      after = element;
    }
  }

  /** The element of the row that shows this item, opened if it was part of a group. */
  reveal(id: string): HTMLElement | null {
    for (const { row, item } of this.shown.values()) {
      if (item.id === id) return row.element;
      if (item.kind !== 'group' || !item.items.some((inner) => inner.id === id)) continue;
      (row as unknown as GroupRow).open(true);
      return row.element;
    }
    return null;
  }

  private draw(item: Drawn): AnyRow {
    const known = this.shown.get(item.id);
    if (!known) {
      const row = (item.kind === 'group' ? new GroupRow(item) : makeRow(item)) as AnyRow;
      this.shown.set(item.id, { row, version: item.version, item });
      return row;
    }
    if (known.version !== item.version || known.item !== item) {
      known.version = item.version;
      known.item = item;
      known.row.update(item);
    }
    return known.row;
  }
}
