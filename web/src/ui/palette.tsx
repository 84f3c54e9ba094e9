// Everything that can be done, and every session, by a few letters of its name.
import { useEffect, useRef, useState } from 'preact/hooks';
import { sessions } from '../store.ts';
import { words } from '../words.ts';
import { actionsNow } from './actions.ts';
import type { Action } from './actions.ts';
import { palette } from './panels.ts';
import { go } from './route.ts';

const MOST_SHOWN = 60;

/** The sessions as things to do: go there. */
function sessionActions(): Action[] {
  return [...sessions.value.values()]
    .sort((a, b) => b.prompted - a.prompted)
    .map(({ id, title, cwd }) => ({
      title: title || words.untitled,
      about: cwd,
      run: () => go(id),
    }));
}

/** Those that have every word; where a title begins with what was typed, it comes first. */
function matching(all: Action[], typed: string): Action[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = ({ title, about = '' }: Action) => `${title} ${about}`.toLowerCase();
  const begins = ({ title }: Action) =>
    title.toLowerCase().startsWith(typed.toLowerCase()) ? 0 : 1;
  return all
    .filter((action) => wanted.every((word) => text(action).includes(word)))
    .sort((a, b) => (typed ? begins(a) - begins(b) : 0))
    .slice(0, MOST_SHOWN);
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen, typed]);
  const shown = matching([...actionsNow(), ...sessionActions()], typed.trim());
  const run = (action: Action | undefined) => {
    if (!action) return;
    dialog.current?.close();
    action.run();
  };
  return (
    <dialog
      class="palette"
      ref={dialog}
      aria-label={words.palette}
      onClose={() => (palette.value = false)}
      onClick={(event) => {
        // Beside it: on what the browser draws behind.
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label={words.palette}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={shown.length > 0 ? `palette-${chosen}` : undefined}
        placeholder={words.palettePlaceholder}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step && shown.length > 0) {
            setChosen((chosen + step + shown.length) % shown.length);
            event.preventDefault();
          } else if (event.key === 'Enter' && !event.repeat) {
            event.preventDefault();
            run(shown[chosen]);
          }
        }}
      />
      <ul id="palette-list" role="listbox" aria-label={words.palette} ref={list}>
        {shown.map((action, index) => (
          <li
            key={index}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(action)}
          >
            <span class="title">{action.title}</span>
            {action.about && <span class="note">{action.about}</span>}
            {action.key && <kbd>{action.key}</kbd>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="hint">{words.nothingFound}</p>}
    </dialog>
  );
}
