// The events of a session that the page has, in order and each once. Pieces of an answer that follow
// each other are kept as one piece, which means the same and takes a fraction of the memory.
import type { Numbered } from '../protocol/contract.ts';
import type { AgentMessage, StreamEvent } from '../protocol/wire.ts';

export class EventLog {
  private events: Numbered[] = [];
  private last = 0;
  /** The last event, if it is a piece of an answer; it grows by those that follow. */
  private piece: Piece | null = null;

  /** The number of the first event, 0 if there is none. */
  get firstSeq(): number {
    return this.events[0]?.seq ?? 0;
  }

  get lastSeq(): number {
    return this.last;
  }

  all(): readonly Numbered[] {
    return this.events;
  }

  /** Adds what comes after the last event. */
  append(numbered: Numbered): void {
    this.last = numbered.seq;
    const piece = pieceOf(numbered);
    if (piece && this.piece && grow(this.piece, piece)) return;
    this.piece = piece;
    this.events.push(
      piece ? { ...numbered, event: { kind: 'agent', message: piece.message } } : numbered,
    );
  }

  /** Adds a page that comes before the first event. */
  prepend(older: readonly Numbered[]): void {
    const page = new EventLog();
    for (const numbered of older) page.append(numbered);
    this.events = page.events.concat(this.events);
  }
}

interface Piece {
  index: number | undefined;
  delta: NonNullable<StreamEvent['delta']>;
  /** The message that it is the whole content of. */
  message: AgentMessage;
}

/** The piece of an answer that an event is, as a copy that may grow; null for other events. */
function pieceOf({ event }: Numbered): Piece | null {
  if (event.kind !== 'agent' || event.message.type !== 'stream_event') return null;
  const { event: inner, parent_tool_use_id: parent } = event.message;
  if (parent || inner?.type !== 'content_block_delta' || !inner.delta) return null;
  const delta = { ...inner.delta };
  return { index: inner.index, delta, message: { ...event.message, event: { ...inner, delta } } };
}

/** Adds a piece to the one before it; false if they are not pieces of the same text. */
function grow(before: Piece, { index, delta }: Piece): boolean {
  if (before.index !== index) return false;
  const kinds = ['text', 'thinking', 'partial_json'] as const;
  const [kind, another] = kinds.filter((name) => delta[name] !== undefined);
  if (!kind || another || before.delta[kind] === undefined) return false;
  before.delta[kind] += delta[kind] ?? '';
  return true;
}
