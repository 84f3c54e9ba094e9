// The rows of the transcript, one class or function per kind of item.
import { h } from '../dom.ts';
import type {
  FailureItem,
  Item,
  MarkerItem,
  PromptItem,
  TextItem,
  ThinkingItem,
  TurnItem,
} from '../model/items.ts';
import { textOf } from '../protocol/wire.ts';
import { stripAnsi } from '../text/ansi.ts';
import { shortPath } from '../text/paths.ts';
import { words } from '../words.ts';
import { countsElement } from './counts.ts';
import { terminalElement } from './output_view.ts';
import { GrowingProse } from './prose.ts';
import { ToolRow } from './tool_row.ts';
import { imagesOf } from './tools.ts';

export interface Row {
  readonly element: HTMLElement;
  /** The item has another version; it has the same kind as before. */
  update(item: Item): void;
}

/** A row that is drawn anew whenever its item changes. */
class PlainRow<T extends Item> implements Row {
  readonly element: HTMLElement;

  constructor(
    item: T,
    readonly draw: (item: T) => HTMLElement,
  ) {
    this.element = draw(item);
  }

  update(item: Item): void {
    this.element.replaceChildren(...this.draw(item as T).childNodes);
  }
}

class TextRow implements Row {
  private prose = new GrowingProse();
  readonly element = h('div', { class: 'row answer' }, this.prose.element);

  constructor(item: TextItem) {
    this.update(item);
  }

  update(item: Item): void {
    const { text, streaming } = item as TextItem;
    this.element.classList.toggle('streaming', streaming);
    this.prose.update(text, !streaming);
  }
}

class ThinkingRow implements Row {
  private head = h('button', { class: 'thinking-head', type: 'button', 'aria-expanded': 'false' });
  private body = h('div', { class: 'thinking-body' });
  readonly element = h('section', { class: 'row thinking' }, this.head);
  private open = false;
  private item: ThinkingItem;

  constructor(item: ThinkingItem) {
    this.item = item;
    this.head.addEventListener('click', () => {
      this.open = !this.open;
      this.update(this.item);
    });
    this.update(item);
  }

  update(item: Item): void {
    this.item = item as ThinkingItem;
    const { streaming, durationMs, text } = this.item;
    this.element.classList.toggle('streaming', streaming);
    this.head.textContent = streaming
      ? words.thinking
      : words.thought(Math.round((durationMs ?? 0) / 1000));
    this.head.setAttribute('aria-expanded', String(this.open));
    if (this.open) {
      this.body.textContent = text;
      this.element.appendChild(this.body);
    } else {
      this.body.remove();
    }
  }
}

function prompt(item: PromptItem): HTMLElement {
  return h(
    'article',
    { class: 'row prompt', 'aria-label': words.you },
    h('div', { class: 'bubble' }, ...imagesOf(item.content), textOf(item.content)),
  );
}

function marker(item: MarkerItem): HTMLElement {
  if (item.marker === 'command') {
    return h('div', { class: 'row command-output' }, terminalElement(item.text));
  }
  const fixed = { interrupted: words.interrupted, cleared: words.cleared };
  const label = item.marker in fixed ? fixed[item.marker as keyof typeof fixed] : item.text;
  return h('div', { class: `row marker ${item.marker}` }, h('span', {}, stripAnsi(label)));
}

function seconds(ms: number): string {
  const total = Math.round(ms / 1000);
  if (total === 0) return '<1 s';
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

function turn(item: TurnItem): HTMLElement {
  const files = item.files.map((file) =>
    h(
      'li',
      {},
      h('span', { class: 'path', title: file.path }, shortPath(file.path)),
      countsElement(file),
    ),
  );
  return h(
    'div',
    { class: 'row turn' },
    files.length > 0 ? h('ul', { 'aria-label': words.turnFiles }, ...files) : '',
    h('span', { class: 'sum' }, words.turnDone(seconds(item.durationMs), words.cost(item.costUsd))),
  );
}

function failure(item: FailureItem): HTMLElement {
  const { title, text, detail } = item;
  const stderr = detail?.stderr?.trim();
  const exited = typeof detail?.exit_code === 'number' || Boolean(detail?.signal);
  return h(
    'div',
    { class: 'row failure', role: 'group' },
    h('strong', {}, title === 'agent' ? words.agentFailed : words.turnFailed),
    detail && exited ? h('p', {}, words.exitDetail(detail.exit_code, detail.signal)) : '',
    detail?.error ? h('p', {}, stripAnsi(detail.error)) : '',
    text ? h('p', {}, stripAnsi(text)) : '',
    stderr ? terminalElement(stderr) : '',
  );
}

export function makeRow(item: Item): Row {
  switch (item.kind) {
    case 'prompt':
      return new PlainRow(item, prompt);
    case 'text':
      return new TextRow(item);
    case 'thinking':
      return new ThinkingRow(item);
    case 'tool':
      return new ToolRow(item);
    case 'marker':
      return new PlainRow(item, marker);
    case 'turn':
      return new PlainRow(item, turn);
    case 'failure':
      return new PlainRow(item, failure);
  }
}
