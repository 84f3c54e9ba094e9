// A markdown text in the page, also while it grows.
import { h } from '../dom.ts';
import { hasReferences, splitBlocks } from '../text/blocks.ts';
import { highlight } from '../text/highlight.ts';
import { lex, renderMarkdown } from '../text/markdown.ts';
import { words } from '../words.ts';

function decorateCode(root: ParentNode): void {
  for (const pre of root.querySelectorAll('pre')) {
    const code = pre.querySelector('code');
    if (!code) continue;
    const language = pre.getAttribute('data-language') ?? '';
    highlight(code, language);
    const copy = h('button', { class: 'copy', type: 'button' }, words.copy);
    // Without a language there is no line to put the button into: it lies over the first one.
    const head = h('div', { class: 'code-head' }, language ? h('span', {}, language) : '', copy);
    const box = h('div', { class: language ? 'code' : 'code unnamed' }, head);
    pre.replaceWith(box);
    box.appendChild(pre);
    pre.tabIndex = 0;
  }
  for (const table of root.querySelectorAll('table')) {
    const box = h('div', { class: 'table', tabindex: 0 });
    table.replaceWith(box);
    box.appendChild(table);
  }
}

/** A finished markdown text. */
export function renderProse(source: string): DocumentFragment {
  const fragment = renderMarkdown(source);
  decorateCode(fragment);
  return fragment;
}

/** Shows a text that is appended to. The element is the caller's to place. */
export class GrowingProse {
  readonly element = h('div', { class: 'prose' });
  private source = '';
  /** How much of the source stands in the page for good. */
  private frozen = 0;
  private tail = h('div', { class: 'tail' });

  constructor() {
    this.element.appendChild(this.tail);
  }

  /** Shows `source`; `final` once nothing more will come. */
  update(source: string, final: boolean): void {
    const over = !this.tail.parentNode;
    if (over && source === this.source) return;
    if (over || !source.startsWith(this.source.slice(0, this.frozen))) this.restart();
    this.source = source;
    if (final) return this.finish();
    const { finished, tail } = splitBlocks(lex(source.slice(this.frozen)));
    for (const block of finished) {
      this.tail.before(renderProse(block));
      this.frozen += block.length;
    }
    this.tail.replaceChildren(renderMarkdown(tail));
  }

  private restart(): void {
    this.frozen = 0;
    this.element.replaceChildren(this.tail);
  }

  private finish(): void {
    if (hasReferences(this.source)) this.restart();
    // The tail goes, so that the last block is the last child and has no margin below it.
    this.tail.replaceWith(renderProse(this.source.slice(this.frozen)));
    this.frozen = this.source.length;
  }
}
