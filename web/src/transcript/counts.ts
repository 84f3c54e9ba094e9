// How many lines were added and removed; nothing is said about what did not happen.
import { h } from '../dom.ts';

export function countsElement({ added, removed }: { added: number; removed: number }): HTMLElement {
  return h(
    'span',
    { class: 'counts' },
    added > 0 || removed === 0 ? h('ins', {}, `+${added}`) : '',
    removed > 0 ? h('del', {}, `−${removed}`) : '',
  );
}
