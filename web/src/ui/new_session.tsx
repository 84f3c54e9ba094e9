// The page for a new session: what to do, in which folder, with which model and permissions.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { create } from '../commands.ts';
import { api } from '../net/api.ts';
import { randomUuid } from '../net/uuid.ts';
import type { Folders } from '../protocol/contract.ts';
import type { Content } from '../protocol/wire.ts';
import { attempt, info, problem, sessions, tooLarge } from '../store.ts';
import { words } from '../words.ts';
import { Choice, modelOptions, modeOptions } from './composer/chips.tsx';
import { NEW_DRAFT } from '../drafts.ts';
import { MessageField } from './composer/message_field.tsx';
import { folderList, useReturnedFocus } from './panels.ts';
import { go } from './route.ts';

/** Where the user worked last, else the first folder that the hub allows. */
function usualFolder(): string {
  const newest = [...sessions.value.values()].sort((a, b) => b.prompted - a.prompted)[0];
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
  const [folder, setFolder] = useState('');
  const [model, setModel] = useState('');
  const [mode, setMode] = useState('default');
  const [starting, setStarting] = useState(false);
  const usual = usualFolder();
  useEffect(() => {
    if (!folder && usual) setFolder(usual);
  }, [usual]);

  const begin = async (prompt: Content): Promise<boolean> => {
    if (starting || !folder) return false;
    problem.value = tooLarge(prompt);
    if (problem.value) return false;
    setStarting(true);
    const id = await create({
      cwd: folder,
      mode,
      ...(model ? { model } : {}),
      prompt,
      client_id: randomUuid(),
    });
    setStarting(false);
    if (id) go(id);
    return id !== undefined;
  };
  const demo = info.value?.demo ?? false;
  return (
    <div class="new-session">
      <h2>{words.newTitle}</h2>
      <MessageField
        draft={NEW_DRAFT}
        rows={3}
        placeholder={words.firstPrompt}
        sendLabel={words.start}
        blocked={starting || !folder}
        onSend={begin}
      >
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
          <Choice label={words.mode} value={mode} options={modeOptions(mode)} onChange={setMode} />
        </div>
      </MessageField>
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
