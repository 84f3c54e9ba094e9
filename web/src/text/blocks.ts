// Splits markdown that is still growing into blocks that can no longer change and a tail that can.
// Only the tail is parsed again when more text comes; that makes a long answer cheap to stream.
import type { Token } from 'marked';

export interface Split {
  /** Source of each finished block, in order. */
  finished: string[];
  tail: string;
}

/** `tokens` are those of the tail so far; the last one with content may still grow. */
export function splitBlocks(tokens: Token[]): Split {
  let last = tokens.length - 1;
  while (last >= 0 && tokens[last]?.type === 'space') last -= 1;
  const raw = (part: Token[]) => part.map((token) => token.raw).join('');
  const finished: string[] = [];
  for (const token of tokens.slice(0, Math.max(0, last))) {
    // Empty lines belong to the block before them.
    if (token.type === 'space' && finished.length > 0) finished[finished.length - 1] += token.raw;
    else finished.push(token.raw);
  }
  return { finished, tail: raw(tokens.slice(Math.max(0, last))) };
}

/** A link whose address stands elsewhere makes a block depend on another: such text is not split. */
export function hasReferences(source: string): boolean {
  return /^ {0,3}\[[^\]]+\]:\s*\S/m.test(source);
}
