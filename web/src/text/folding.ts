// Runs of blank lines push what follows them out of sight. Where a person decides about a text, such a
// run is one line that says how long it was.

/** A run shorter than this is how people write. */
const FEWEST = 3;

/** The text in pieces, with the number of lines in place of a long run of blank ones. */
export function foldBlankLines(text: string): (string | number)[] {
  const pieces: (string | number)[] = [];
  let kept: string[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end]?.trim() === '') end += 1;
    if (end - at >= FEWEST) {
      if (kept.length > 0) pieces.push(kept.join('\n'));
      kept = [];
      pieces.push(end - at);
      at = end;
    } else {
      end = Math.max(end, at + 1);
      kept.push(...lines.slice(at, end));
      at = end;
    }
  }
  if (kept.length > 0) pieces.push(kept.join('\n'));
  return pieces;
}
