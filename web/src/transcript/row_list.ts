// Rows for items, kept by id: showing a list again touches only what is new, changed or gone.
import { h } from '../dom.ts';
import type { Item } from '../model/items.ts';
import { makeRow } from './rows.ts';
import type { Row } from './rows.ts';

interface Shown {
  row: Row;
  version: number;
  item: Item;
}

export class RowList {
  readonly element = h('div', { class: 'rows' });
  private shown = new Map<string, Shown>();

  get size(): number {
    return this.shown.size;
  }

  show(items: readonly Item[]): void {
    const wanted = new Set(items.map((item) => item.id));
    for (const [id, { row }] of this.shown) {
      if (wanted.has(id)) continue;
      row.element.remove();
      this.shown.delete(id);
    }
    let after: Element | null = null;
    for (const item of items) {
      const { element } = this.draw(item);
      const place: ChildNode | null = after ? after.nextSibling : this.element.firstChild;
      if (place !== element) this.element.insertBefore(element, place);
      after = element;
    }
  }

  /** Draws one item again, which is there already or comes last. */
  draw(item: Item): Row {
    const known = this.shown.get(item.id);
    if (!known) {
      const row = makeRow(item);
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
