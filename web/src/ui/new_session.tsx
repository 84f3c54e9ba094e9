// The page for a new session: what to do, in which folder, with which model and permissions.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../net/api.ts';
import { randomUuid } from '../net/uuid.ts';
import type { Folders } from '../protocol/contract.ts';
import { attempt, create, info, problem, sessions, tooLarge } from '../store.ts';
import { words } from '../words.ts';
import { Choice, modelOptions, modeOptions } from './composer/chips.tsx';
import { folderList, useReturnedFocus } from './panels.ts';
import { go } from './route.ts';
import { SendIcon } from './composer/send_icon.tsx';

/** Where the user worked last, else the first folder that the hub allows. */
function usualFolder(): string {
  const newest = [...sessions.value.values()].sort((a, b) => b.updated - a.updated)[0];
  const roots = info.value?.roots ?? [];
  const allowed =
    newest && roots.some((root) => newest.cwd === root || newest.cwd.startsWith(`${root}/`));
  return allowed ? newest.cwd : (roots[0] ?? '');
}

/** The end of a long path says more than its beginning. */
function folderLabel(path: string): string {
  const parts = path.split('/').filter(Boolean);
  return path.length <= 28 || parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`;
}

function FolderChoice({ folder, choose }: { folder: string; choose: (folder: string) => void }) {
  const [shown, setShown] = useState<Folders | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const open = folderList.value;
  useReturnedFocus(open, button);
  // The next folder is a key away, also after the list has changed.
  useLayoutEffect(() => list.current?.querySelector('button')?.focus(), [open, shown]);
  useEffect(() => () => void (folderList.value = false), []);
  const look = async (path: string) => {
    const found = await attempt(() => api.folders(path));
    if (!found) return;
    setShown(found);
    choose(found.path);
    folderList.value = true;
  };
  return (
    <div class="folder">
      <button
        ref={button}
        type="button"
        class="chip opens"
        title={folder}
        aria-expanded={open}
        aria-label={`${words.chooseFolder}: ${folder}`}
        onClick={() => (open ? (folderList.value = false) : void look(folder))}
      >
        {folder ? folderLabel(folder) : words.chooseFolder}
      </button>
      {open && shown && (
        <ul class="folders" ref={list}>
          {shown.parent !== null && (
            <li>
              <button type="button" onClick={() => void look(shown.parent ?? folder)}>
                ↑ {words.folderUp}
              </button>
            </li>
          )}
          {shown.folders.map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => void look(`${shown.path.replace(/\/$/, '')}/${name}`)}
              >
                {name}
              </button>
            </li>
          ))}
          {shown.folders.length === 0 && <li class="hint">{words.noFolders}</li>}
        </ul>
      )}
    </div>
  );
}

export function NewSession() {
  const [text, setText] = useState('');
  const [folder, setFolder] = useState('');
  const [model, setModel] = useState('');
  const [mode, setMode] = useState('default');
  const [starting, setStarting] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const usual = usualFolder();
  useEffect(() => {
    // On a phone the focus would bring up the keyboard, over half of the page.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, []);
  useEffect(() => {
    if (!folder && usual) setFolder(usual);
  }, [usual]);

  const begin = async (prompt: string) => {
    if (starting || !folder) return;
    const trimmed = prompt.trim();
    problem.value = tooLarge(trimmed);
    if (problem.value) return;
    setStarting(true);
    const id = await create({
      cwd: folder,
      mode,
      ...(model ? { model } : {}),
      ...(trimmed ? { prompt: trimmed, client_id: randomUuid() } : {}),
    });
    setStarting(false);
    if (id) go(id);
  };
  const demo = info.value?.demo ?? false;
  return (
    <div class="new-session">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void begin(text);
        }}
      >
        <h2>{words.newTitle}</h2>
        <div class="composer">
          <div class="field">
            <textarea
              id="message"
              rows={3}
              ref={field}
              aria-label={words.message}
              placeholder={words.firstPrompt}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
                event.preventDefault();
                void begin(text);
              }}
            />
            <button
              class="send"
              type="submit"
              aria-label={words.start}
              disabled={starting || !folder}
            >
              <SendIcon />
            </button>
          </div>
          <div class="chips">
            <FolderChoice folder={folder} choose={setFolder} />
            {modelOptions().length > 0 && (
              <Choice
                label={words.model}
                value={model}
                options={[['', words.defaultModel], ...modelOptions()]}
                onChange={setModel}
              />
            )}
            <Choice
              label={words.mode}
              value={mode}
              options={modeOptions(mode)}
              onChange={setMode}
            />
          </div>
        </div>
      </form>
      {demo && (
        <section class="demo">
          <p>
            <strong>{words.demoTitle}</strong> {words.demoText}
          </p>
          <div class="samples">
            {words.demoPrompts.map((prompt) => (
              <button
                key={prompt}
                type="button"
                class="chip"
                disabled={starting}
                onClick={() => void begin(prompt)}
              >
                {prompt}
              </button>
            ))}
          </div>
        </section>
      )}
    </div>
  );
}
