// Which file a finished tool changed, and by how many lines.
import { field, isObject } from '../protocol/wire.ts';
import type { PatchHunk } from '../protocol/wire.ts';
import type { FileChange } from './items.ts';

/** The hunks of a tool's structured result, or [] if it has none in the right shape. */
export function hunksOf(structured: unknown): PatchHunk[] {
  const patch = isObject(structured) ? structured['structuredPatch'] : undefined;
  if (!Array.isArray(patch)) return [];
  return patch.filter(
    (hunk): hunk is PatchHunk =>
      isObject(hunk) &&
      Array.isArray(hunk['lines']) &&
      hunk['lines'].every((line) => typeof line === 'string') &&
      typeof hunk['oldStart'] === 'number' &&
      typeof hunk['newStart'] === 'number',
  );
}

/** The number of lines of a text; a newline at its end does not begin another one. */
export function countLines(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

export function changeOf(structured: unknown, toolId = ''): FileChange | null {
  const path = field(structured, 'filePath');
  if (!path || !isObject(structured) || !('structuredPatch' in structured)) return null;
  if (structured['type'] === 'create') {
    return { path, toolId, added: countLines(field(structured, 'content')), removed: 0 };
  }
  const change = { path, toolId, added: 0, removed: 0 };
  for (const hunk of hunksOf(structured)) {
    for (const line of hunk.lines) {
      if (line.startsWith('+')) change.added += 1;
      else if (line.startsWith('-')) change.removed += 1;
    }
  }
  return change;
}

/** Adds a change to those of a turn, one entry per file. */
export function addChange(changes: FileChange[], change: FileChange): void {
  const known = changes.find((entry) => entry.path === change.path);
  if (known) {
    known.added += change.added;
    known.removed += change.removed;
    known.toolId = change.toolId;
  } else {
    changes.push({ ...change });
  }
}
