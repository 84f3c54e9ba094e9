// A tool call: one line that opens on demand, and by itself if the call failed.
import { h } from '../../dom.ts';
import type { Item, ToolItem } from '../../model/items.ts';
import { blocksOf } from '../../protocol/wire.ts';
import { visible } from '../../text/visible.ts';
import { words } from '../../words.ts';
import { countsElement } from '../counts.ts';
import { RowList } from '../row_list.ts';
import type { Row } from '../rows.ts';
import { changedLines, toolLabel, viewOf } from './tools.ts';

/** Their results are what the user wants to see. */
const OPEN_WHEN_DONE = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'ExitPlanMode']);
/** A shorter time is nothing to tell. */
const TOLD_MS = 2000;

type Status =
  | 'preparing'
  | 'queued'
  | 'running'
  | 'background'
  | 'asks'
  | 'denied'
  | 'failed'
  | 'stopped'
  | 'done';

export function statusOf(tool: ToolItem): Status {
  if (tool.task?.status === 'running' && tool.task.background) return 'background';
  if (tool.task?.background && tool.task.status === 'failed') return 'failed';
  if (tool.stopped || tool.task?.status === 'stopped') return 'stopped';
  if (tool.result?.isError) return tool.denied ? 'denied' : 'failed';
  if (tool.result) return 'done';
  if (tool.abandoned) return 'stopped';
  if (tool.asked) return 'asks';
  if (tool.waits) return 'queued';
  return tool.streaming ? 'preparing' : 'running';
}

function stateWord(status: Exclude<Status, 'done'>, tool: string): string {
  const own = status === 'denied' && Object.hasOwn(words.deniedTools, tool);
  return (own && words.deniedTools[tool]) || words.toolStates[status];
}

/** How long it took, or when it began if it goes on: then the page counts. */
function timeElement(tool: ToolItem, status: Status): HTMLElement | null {
  const from = tool.task?.startedAt ?? tool.time;
  if (status === 'running' || status === 'background') {
    return h('span', { class: 'time', 'data-since': from });
  }
  const end = tool.task?.background ? tool.task.endedAt : tool.finishedAt;
  if (end === null || end - from < TOLD_MS || status === 'denied') return null;
  return h('span', { class: 'time' }, words.seconds(end - from));
}

export class ToolRow implements Row {
  readonly element = h('section', { class: 'row tool' });
  private head = h('button', { class: 'tool-head', type: 'button', 'aria-expanded': 'false' });
  private line = h('div', { class: 'tool-line' }, this.head);
  private stop: HTMLElement | null = null;
  private body: HTMLElement | null = null;
  private own = h('div');
  private after = h('div');
  private drawn: Pick<ToolItem, 'input' | 'result' | 'task'> | null = null;
  private nested: RowList | null = null;
  private item: ToolItem;
  /** What the user chose; null as long as the row decides by itself. */
  private chosen: boolean | null = null;

  constructor(item: ToolItem) {
    this.item = item;
    this.head.addEventListener('click', () => this.open(!this.isOpen()));
    this.element.dataset['tool'] = item.toolId;
    this.element.appendChild(this.line);
    this.update(item);
  }

  open(wanted: boolean): void {
    this.chosen = wanted;
    this.update(this.item);
  }

  update(next: Item): void {
    const item = next as ToolItem;
    this.item = item;
    const status = statusOf(item);
    this.element.dataset['status'] = status;
    this.drawHead(status);
    this.drawStop();
    const open = this.isOpen();
    this.head.setAttribute('aria-expanded', String(open));
    if (open) this.drawBody();
    else this.dropBody();
  }

  private isOpen(): boolean {
    if (this.chosen !== null) return this.chosen;
    const { result, name, children, stopped } = this.item;
    if (result?.isError) return !stopped;
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
    const progress = this.item.task?.status === 'running' ? this.item.task.progress : '';
    this.head.replaceChildren(
      h('span', { class: 'status', 'aria-hidden': 'true' }),
      h('span', { class: 'name' }, toolLabel(this.item.name)),
      h('span', { class: 'summary' }, visible(progress || view.summary(this.item.input))),
    );
    for (const part of [
      lines ? countsElement(lines) : null,
      fact ? h('span', { class: 'fact' }, fact) : null,
      state ? h('span', { class: 'fact state' }, state) : null,
      timeElement(this.item, status),
    ]) {
      if (part) this.head.append(' ', part);
    }
    this.head.append(h('span', { class: 'chevron', 'aria-hidden': 'true' }));
  }

  /** What runs beside the turn is stopped by itself; the turn has a button of its own. */
  private drawStop(): void {
    const { task } = this.item;
    const wanted = task?.status === 'running' ? task.id : '';
    if (wanted === (this.stop?.dataset['task'] ?? '')) return;
    this.stop?.remove();
    this.stop = wanted
      ? h('button', { class: 'stop-task', type: 'button', 'data-task': wanted }, words.stop)
      : null;
    if (!this.stop || !task) return;
    this.stop.setAttribute('aria-label', words.stopTask(task.description));
    this.line.appendChild(this.stop);
  }

  private drawBody(): void {
    const { input, result, children } = this.item;
    const task = this.item.task && { ...this.item.task };
    if (!this.body) {
      this.own = h('div');
      this.after = h('div');
      this.body = this.element.appendChild(h('div', { class: 'tool-body' }, this.own, this.after));
      this.drawn = null;
    }
    // What a subagent does inside must not disturb what the user reads or has open here.
    const ended = this.drawn?.task?.status !== task?.status;
    if (this.drawn?.input !== input || this.drawn.result !== result || ended) {
      this.drawn = { input, result, task };
      const view = viewOf(this.item.name);
      this.own.replaceChildren(...view.body(this.item).filter((node) => node !== null));
      this.after.replaceChildren(
        ...(view.after?.(this.item) ?? []).filter((node) => node !== null),
      );
    }
    if (children.length === 0) return;
    this.nested ??= new RowList();
    this.nested.show(children);
    if (!this.nested.element.isConnected) this.after.before(this.nested.element);
  }

  private dropBody(): void {
    this.body?.remove();
    this.body = null;
    this.nested = null;
  }
}
