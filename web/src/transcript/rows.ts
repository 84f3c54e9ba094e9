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
import { clampedText } from './clamp.ts';
import { countsElement } from './counts.ts';
import { terminalElement } from './output_view.ts';
import { GrowingProse } from './prose.ts';
import { ToolRow } from './tools/tool_row.ts';
import { imagesOf } from './tools/view.ts';

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
    const { text, streaming, plain } = item as TextItem;
    this.element.classList.toggle('streaming', streaming);
    if (plain) this.prose.element.replaceChildren(terminalElement(text));
    else this.prose.update(text, !streaming);
  }
}

class ThinkingRow implements Row {
  private head = h('button', { class: 'thinking-head', type: 'button', 'aria-expanded': 'false' });
  private prose = new GrowingProse();
  private body = h('div', { class: 'thinking-body' }, this.prose.element);
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
      this.prose.update(text, !streaming);
      this.element.appendChild(this.body);
    } else {
      this.body.remove();
    }
  }
}

function prompt(item: PromptItem): HTMLElement {
  return h(
    'article',
    { class: 'row prompt', 'aria-label': words.you, 'data-item': item.id },
    h(
      'div',
      { class: 'bubble' },
      ...imagesOf(item.content),
      clampedText('said', textOf(item.content)),
    ),
    h(
      'div',
      { class: 'row-actions' },
      actionButton('copy-prompt', words.copy),
      item.before ? actionButton('fork-before', words.forkBefore) : '',
      actionButton('rewind', words.rewind),
    ),
  );
}

/** A button whose click the transcript knows what to do with. */
function actionButton(action: string, label: string): HTMLElement {
  return h('button', { type: 'button', class: 'action', 'data-action': action }, label);
}

function marker(item: MarkerItem): HTMLElement {
  if (item.marker === 'command') {
    return h('div', { class: 'row command-output' }, terminalElement(item.text));
  }
  const fixed = { interrupted: words.interrupted, cleared: words.cleared };
  const label = item.marker in fixed ? fixed[item.marker as keyof typeof fixed] : item.text;
  return h('div', { class: `row marker ${item.marker}` }, h('span', {}, stripAnsi(label)));
}

function turn(item: TurnItem): HTMLElement {
  const files = item.files.map((file) =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'file', title: file.path, 'data-show': file.toolId },
        h('span', { class: 'path' }, shortPath(file.path)),
        countsElement(file),
      ),
    ),
  );
  return h(
    'div',
    { class: 'row turn', 'data-item': item.id },
    files.length > 0 ? h('ul', { 'aria-label': words.turnFiles }, ...files) : '',
    h(
      'div',
      { class: 'sum' },
      h('span', {}, words.turnDone(words.seconds(item.durationMs), words.cost(item.costUsd))),
      actionButton('copy-answer', words.copyAnswer),
      item.last ? actionButton('fork', words.fork) : '',
    ),
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
