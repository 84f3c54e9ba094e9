// The blocks of the answer that is being streamed. A block starts, grows by deltas and is finished by
// the whole message, which is the truth. A page that joins in the middle of a block sees its rest grow
// and then the whole of it.
import type { Block, StreamEvent } from '../protocol/wire.ts';
import { newTool } from './items.ts';
import type { TextItem, ThinkingItem, ToolItem } from './items.ts';

export type LiveItem = TextItem | ThinkingItem | ToolItem;

const KINDS: Record<string, LiveItem['kind']> = {
  text: 'text',
  thinking: 'thinking',
  tool_use: 'tool',
  server_tool_use: 'tool',
  mcp_tool_use: 'tool',
};

export class LiveBlocks {
  /** The item that the last event changed, if it had been there before. */
  touched: LiveItem | null = null;

  private messageId = '';
  private open = new Map<number, LiveItem>();
  private ended = new Set<number>();

  /** Returns the item if the event made a new one. */
  apply(event: StreamEvent, time: number): LiveItem | null {
    this.touched = null;
    const index = event.index ?? 0;
    switch (event.type) {
      case 'message_start':
        this.messageId = event.message?.id ?? '';
        return null;
      case 'content_block_start':
        this.ended.delete(index);
        return event.content_block ? this.start(index, event.content_block, time) : null;
      case 'content_block_delta':
        return this.delta(index, event.delta ?? {}, time);
      case 'content_block_stop':
        // The whole block comes before its end, or never: then it stays open until it is discarded.
        this.ended.add(index);
        return null;
      default:
        return null;
    }
  }

  /** Gives the oldest open item of this kind its final content; undefined if none streams. */
  finish(messageId: string, block: Block): LiveItem | undefined {
    const kind = KINDS[block.type];
    for (const [index, item] of this.open) {
      if (item.kind !== kind || !item.streaming) continue;
      if (item.messageId && messageId && item.messageId !== messageId) continue;
      if (item.kind === 'tool' && item.toolId !== block.id) continue;
      item.streaming = false;
      if (item.kind === 'text') item.text = block.text ?? item.text;
      else if (item.kind === 'thinking') item.text = block.thinking ?? item.text;
      else {
        item.input = block.input ?? {};
        item.partialInput = '';
      }
      this.ended.add(index);
      return item;
    }
    return undefined;
  }

  /**
   * Another message begins. What of an earlier one never became whole was cut off on its way, and the
   * agent asked again: it is no part of the conversation, and returned so that it can be taken out.
   */
  discardBefore(messageId: string, keepUnnamed: boolean): LiveItem[] {
    const cut = [...this.open].filter(
      ([, item]) =>
        item.streaming && item.messageId !== messageId && (item.messageId !== '' || !keepUnnamed),
    );
    for (const [index] of cut) this.open.delete(index);
    return cut.map(([, item]) => item);
  }

  /** The turn is over: what still streams stays as it is. */
  end(): LiveItem[] {
    const cut = [...this.open.values()].filter((item) => item.streaming);
    for (const item of cut) item.streaming = false;
    this.open.clear();
    this.ended.clear();
    return cut;
  }

  private start(index: number, block: Block, time: number): LiveItem | null {
    const kind = KINDS[block.type];
    if (!kind) return null;
    const base = {
      id: `${this.messageId}#${index}`,
      version: 0,
      time,
      messageId: this.messageId,
      streaming: true,
    };
    let item: LiveItem;
    if (kind === 'text') {
      item = { ...base, kind, text: block.text ?? '', plain: false };
    } else if (kind === 'thinking') {
      item = { ...base, kind, text: block.thinking ?? '', durationMs: null };
    } else {
      if (!block.id) return null;
      const { id: toolId, name = block.type } = block;
      const { messageId } = this;
      item = newTool({ time, messageId, streaming: true, toolId, name, input: {} });
    }
    this.open.delete(index);
    this.open.set(index, item);
    return item;
  }

  private delta(index: number, delta: NonNullable<StreamEvent['delta']>, time: number) {
    let item = this.open.get(index);
    let made: LiveItem | null = null;
    if (!item) {
      // Text that arrives after its own whole message says nothing new.
      const type =
        delta.text !== undefined ? 'text' : delta.thinking !== undefined ? 'thinking' : '';
      if (!type || this.ended.has(index)) return null;
      made = this.start(index, { type }, time);
      if (!made) return null;
      item = made;
    }
    if (!item.streaming) return null;
    if (item.kind === 'text') item.text += delta.text ?? '';
    else if (item.kind === 'thinking') item.text += delta.thinking ?? '';
    else item.partialInput += delta.partial_json ?? '';
    if (!made) this.touched = item;
    return made;
  }
}
