// What can be completed in a message: commands of the agent at its beginning, files after an @.
import { signal } from '@preact/signals';
import { knownCommands, suggestFiles } from '../../commands.ts';
import { words } from '../../words.ts';

export interface Suggestion {
  /** What is put in the place of what was typed. */
  insert: string;
  label: string;
  hint: string;
  note: string;
}

export interface Completion {
  /** The part of the text that a suggestion takes the place of. */
  from: number;
  to: number;
  list: Suggestion[];
  chosen: number;
}

const MOST_SHOWN = 8;

/** What is offered at the moment, null if nothing is. */
export const completion = signal<Completion | null>(null);

/** Each question makes the answers to those before it worthless. */
let asked = 0;

/** Looks at what stands before the cursor; `session` is null where there is none yet. */
export async function complete(
  text: string,
  cursor: number,
  session: string | null,
): Promise<void> {
  asked += 1;
  const question = asked;
  const before = text.slice(0, cursor);
  const command = /^\/([\w:.-]*)$/.exec(before);
  if (command) return offer(0, cursor, commandsFor(command[1] ?? ''));
  const file = /(^|\s)@(\S*)$/.exec(before);
  if (!file || session === null) {
    completion.value = null;
    return;
  }
  const typed = file[2] ?? '';
  const found = await filesFor(typed, session);
  if (question === asked) offer(cursor - typed.length - 1, cursor, found);
}

export function closeCompletion(): boolean {
  asked += 1;
  if (!completion.value) return false;
  completion.value = null;
  return true;
}

export function moveChoice(by: number): void {
  const at = completion.value;
  if (!at) return;
  completion.value = { ...at, chosen: (at.chosen + by + at.list.length) % at.list.length };
}

function offer(from: number, to: number, list: Suggestion[]): void {
  completion.value = list.length > 0 ? { from, to, list, chosen: 0 } : null;
}

function commandsFor(typed: string): Suggestion[] {
  const wanted = typed.toLowerCase();
  const rank = (name: string) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return knownCommands()
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((a, b) => rank(a.name) - rank(b.name))
    .slice(0, MOST_SHOWN)
    .map(({ name, argumentHint = '', description = '' }) => ({
      insert: `/${name} `,
      label: `/${name}`,
      hint: argumentHint,
      note: description,
    }));
}

async function filesFor(typed: string, session: string): Promise<Suggestion[]> {
  try {
    return (await suggestFiles(session, typed)).slice(0, MOST_SHOWN).map((path) => ({
      insert: `@${path}${path.endsWith('/') ? '' : ' '}`,
      label: path,
      hint: '',
      note: '',
    }));
  } catch {
    // No agent runs that could look, or it does not know how.
    return [];
  }
}

export function Completions({ choose }: { choose: (suggestion: Suggestion) => void }) {
  const shown = completion.value;
  if (!shown) return null;
  return (
    <ul class="completions" id="completions" role="listbox" aria-label={words.completions}>
      {shown.list.map((suggestion, index) => (
        <li
          key={suggestion.insert}
          id={`completion-${index}`}
          role="option"
          aria-selected={index === shown.chosen}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(suggestion)}
        >
          <span class="label">
            {suggestion.label} {suggestion.hint && <span class="hint">{suggestion.hint}</span>}
          </span>
          {suggestion.note && <span class="note">{suggestion.note}</span>}
        </li>
      ))}
    </ul>
  );
}
