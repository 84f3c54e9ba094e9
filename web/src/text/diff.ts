// Differences as rows: from the hunks that a tool reports, or computed from two texts before an edit
// has happened. Changed words inside a replaced line are marked.
import type { PatchHunk } from '../protocol/wire.ts';

export type Mark = { text: string; changed: boolean };

export interface DiffRow {
  kind: 'same' | 'added' | 'removed' | 'gap';
  oldLine: number | null;
  newLine: number | null;
  marks: Mark[];
}

const CONTEXT_LINES = 3;
/** Beyond this many cells a table of the longest common subsequence costs too much for a glance. */
const MOST_CELLS = 1_000_000;

type Step = { kind: 'same' | 'added' | 'removed'; text: string };

/** The shortest way from one list to the other, by a table of the longest common subsequence. */
export function compare(before: string[], after: string[]): Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  const left = before.slice(head, before.length - tail);
  const right = after.slice(head, after.length - tail);
  const same = (text: string): Step => ({ kind: 'same', text });
  return [
    ...before.slice(0, head).map(same),
    ...middle(left, right),
    ...before.slice(before.length - tail).map(same),
  ];
}

function middle(left: string[], right: string[]): Step[] {
  const removed = (text: string): Step => ({ kind: 'removed', text });
  const added = (text: string): Step => ({ kind: 'added', text });
  if (left.length * right.length > MOST_CELLS || !left.length || !right.length) {
    return [...left.map(removed), ...right.map(added)];
  }
  const width = right.length + 1;
  const table = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      table[at] =
        left[row] === right[column]
          ? (table[at + width + 1] ?? 0) + 1
          : Math.max(table[at + width] ?? 0, table[at + 1] ?? 0);
    }
  }
  const steps: Step[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    const at = row * width + column;
    if (left[row] === right[column]) {
      steps.push({ kind: 'same', text: left[row] ?? '' });
      row += 1;
      column += 1;
    } else if ((table[at + width] ?? 0) >= (table[at + 1] ?? 0)) {
      steps.push(removed(left[row++] ?? ''));
    } else {
      steps.push(added(right[column++] ?? ''));
    }
  }
  steps.push(...left.slice(row).map(removed), ...right.slice(column).map(added));
  return steps;
}

const splitWords = (line: string): string[] => line.match(/\w+|\s+|[^\w\s]/g) ?? [];

/** Both lines in marks, or whole if they have too little in common for marks to help. */
function markWords(removed: string, added: string): [Mark[], Mark[]] {
  const steps = compare(splitWords(removed), splitWords(added));
  const kept = steps.reduce(
    (sum, step) => sum + (step.kind === 'same' ? step.text.trim().length : 0),
    0,
  );
  if (kept * 3 < Math.max(removed.trim().length, added.trim().length)) {
    return [[{ text: removed, changed: false }], [{ text: added, changed: false }]];
  }
  const side = (skip: Step['kind']): Mark[] => {
    const marks: Mark[] = [];
    for (const step of steps) {
      if (step.kind === skip) continue;
      const changed = step.kind !== 'same';
      const last = marks.at(-1);
      if (last && last.changed === changed) last.text += step.text;
      else marks.push({ text: step.text, changed });
    }
    return marks;
  };
  return [side('added'), side('removed')];
}

/** Compares the lines of each removed run with the added run that replaces it, one to one. */
function markRows(rows: DiffRow[]): DiffRow[] {
  for (let at = 0; at < rows.length;) {
    if (rows[at]?.kind !== 'removed') {
      at += 1;
      continue;
    }
    let middle = at;
    while (rows[middle]?.kind === 'removed') middle += 1;
    let end = middle;
    while (rows[end]?.kind === 'added') end += 1;
    if (middle - at === end - middle) {
      for (let offset = 0; offset < middle - at; offset += 1) {
        const removed = rows[at + offset];
        const added = rows[middle + offset];
        if (!removed || !added) continue;
        const text = (row: DiffRow) => row.marks.map((mark) => mark.text).join('');
        [removed.marks, added.marks] = markWords(text(removed), text(added));
      }
    }
    at = end;
  }
  return rows;
}

function row(kind: DiffRow['kind'], text: string, oldLine: number | null, newLine: number | null) {
  return { kind, oldLine, newLine, marks: [{ text, changed: false }] };
}

const GAP: DiffRow = { kind: 'gap', oldLine: null, newLine: null, marks: [] };

export function rowsOfHunks(hunks: PatchHunk[]): DiffRow[] {
  const rows: DiffRow[] = [];
  hunks.forEach((hunk, index) => {
    if (index > 0) rows.push(GAP);
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith('+')) rows.push(row('added', text, null, newLine++));
      else if (line.startsWith('-')) rows.push(row('removed', text, oldLine++, null));
      else if (!line.startsWith('\\')) rows.push(row('same', text, oldLine++, newLine++));
    }
  });
  return markRows(rows);
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** The difference of two texts with a few lines of context; line numbers only if they are known. */
export function rowsOfTexts(before: string, after: string, numbered: boolean): DiffRow[] {
  const steps = compare(linesOf(before), linesOf(after));
  const near = steps.map((_, index) =>
    steps
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some((step) => step.kind !== 'same'),
  );
  const rows: DiffRow[] = [];
  let oldLine = 1;
  let newLine = 1;
  steps.forEach((step, index) => {
    const left = step.kind === 'added' ? null : oldLine++;
    const right = step.kind === 'removed' ? null : newLine++;
    if (near[index]) {
      rows.push(row(step.kind, step.text, numbered ? left : null, numbered ? right : null));
    } else if (rows.at(-1)?.kind !== 'gap') {
      rows.push(GAP);
    }
  });
  return markRows(rows);
}
