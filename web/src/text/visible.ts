// Makes characters visible that change how a text looks without being seen: what a person approves
// must be what will run.

/** Controls but tab and newline, formats, separators and spaces but the plain one, and what fonts leave
    out or draw as nothing. */
const HIDDEN =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Replaces each of them by ⟨U+202E⟩ and the like. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The same for every text inside of a value. */
export function visibleInside<T>(value: T): T {
  if (typeof value === 'string') return visible(value) as T;
  if (Array.isArray(value)) return value.map(visibleInside) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [name, visibleInside(inner)])) as T;
}
