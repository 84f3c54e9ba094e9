// A tool call: one line that opens on demand, and by itself if the call failed.
import { h } from '../dom.ts';
import type { Item, ToolItem } from '../model/items.ts';
import { blocksOf } from '../protocol/wire.ts';
import { visible } from '../text/visible.ts';
import { words } from '../words.ts';
import { countsElement } from './counts.ts';
import { RowList } from './row_list.ts';
import type { Row } from './rows.ts';
import { changedLines, toolLabel, viewOf } from './tools.ts';

/** Their results are what the user wants to see. */
const OPEN_WHEN_DONE = new Set(['Edit', 'MultiEdit', 'Write', 'TodoWrite', 'ExitPlanMode']);

type Status = 'preparing' | 'running' | 'asks' | 'denied' | 'failed' | 'stopped' | 'done';

function statusOf(tool: ToolItem): Status {
  if (tool.result?.isError) return tool.denied ? 'denied' : 'failed';
  if (tool.result) return 'done';
  if (tool.abandoned) return 'stopped';
  if (tool.asked) return 'asks';
  return tool.streaming ? 'preparing' : 'running';
}

function stateWord(status: Exclude<Status, 'done'>, tool: string): string {
  const own = status === 'denied' && Object.hasOwn(words.deniedTools, tool);
  return (own && words.deniedTools[tool]) || words[status];
}

function duration(tool: ToolItem): string {
  if (tool.finishedAt === null) return '';
  const seconds = (tool.finishedAt - tool.time) / 1000;
  return seconds >= 2 ? `${Math.round(seconds)} s` : '';
}

export class ToolRow implements Row {
  readonly element = h('section', { class: 'row tool' });
  private head = h('button', { class: 'tool-head', type: 'button', 'aria-expanded': 'false' });
  private body: HTMLElement | null = null;
  private own = h('div');
  private drawn: Pick<ToolItem, 'input' | 'result'> | null = null;
  private nested: RowList | null = null;
  private item: ToolItem;
  /** What the user chose; null as long as the row decides by itself. */
  private chosen: boolean | null = null;

  constructor(item: ToolItem) {
    this.item = item;
    this.head.addEventListener('click', () => {
      this.chosen = !this.isOpen();
      this.update(this.item);
    });
    this.element.appendChild(this.head);
    this.update(item);
  }

  update(next: Item): void {
    const item = next as ToolItem;
    this.item = item;
    const status = statusOf(item);
    this.element.dataset['status'] = status;
    this.drawHead(status);
    const open = this.isOpen();
    this.head.setAttribute('aria-expanded', String(open));
    if (open) this.drawBody();
    else this.dropBody();
  }

  private isOpen(): boolean {
    if (this.chosen !== null) return this.chosen;
    const { result, name, children } = this.item;
    if (result?.isError) return true;
    if (result) {
      const picture = blocksOf(result.content).some((block) => block.type === 'image');
      return picture || OPEN_WHEN_DONE.has(name);
    }
    return children.length > 0;
  }

  private drawHead(status: Status): void {
    const view = viewOf(this.item.name);
    const lines = changedLines(this.item);
    const fact = this.item.result ? (view.fact?.(this.item) ?? '') : '';
    const state = status === 'done' ? '' : stateWord(status, this.item.name);
    this.head.replaceChildren(
      h('span', { class: 'status', 'aria-hidden': 'true' }),
      h('span', { class: 'name' }, toolLabel(this.item.name)),
      h('span', { class: 'summary' }, visible(this.item.progress || view.summary(this.item.input))),
      lines ? countsElement(lines) : '',
      h(
        'span',
        { class: 'fact' },
        [fact, duration(this.item)].filter(Boolean).join(' · ') || state,
      ),
    );
  }

  private drawBody(): void {
    const { input, result, children } = this.item;
    if (!this.body) {
      this.own = h('div');
      this.body = this.element.appendChild(h('div', { class: 'tool-body' }, this.own));
      this.drawn = null;
    }
    // What a subagent does inside must not disturb what the user reads or has open here.
    if (this.drawn?.input !== input || this.drawn.result !== result) {
      this.drawn = { input, result };
      this.own.replaceChildren(
        ...viewOf(this.item.name)
          .body(this.item)
          .filter((node) => node !== null),
      );
    }
    if (children.length === 0) return;
    this.nested ??= new RowList();
    this.nested.show(children);
    if (!this.nested.element.isConnected) this.body.appendChild(this.nested.element);
  }

  private dropBody(): void {
    this.body?.remove();
    this.body = null;
    this.nested = null;
  }
}
