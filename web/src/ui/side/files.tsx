// The files of the session's folder: found by a few letters, looked at, and named in the message.
import { useEffect, useState } from 'preact/hooks';
import { suggestFiles } from '../../commands.ts';
import { api } from '../../net/api.ts';
import { currentId, returned } from '../../store.ts';
import { languageOf } from '../../text/highlight.ts';
import { numberedElement } from '../../transcript/output_view.ts';
import { words } from '../../words.ts';
import { Mount } from '../mount.tsx';
import { uncover } from '../panels.ts';

const PAUSE_MS = 150;

function Text({ path }: { path: string }) {
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const id = currentId.value;
    if (id === null) return;
    api.text(id, path).then(
      (found) => setText(found.text),
      (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
    );
  }, [path]);
  if (problem) return <p class="note warns">{problem}</p>;
  if (text === null) return <p class="hint">{words.loading}</p>;
  return <Mount make={() => numberedElement(text, 1, languageOf(path))} of={path} />;
}

export function Files() {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<string[] | null>(null);
  const [problem, setProblem] = useState('');
  const [open, setOpen] = useState('');
  const id = currentId.value;
  useEffect(() => {
    if (id === null) return undefined;
    let left = false;
    const timer = setTimeout(() => {
      suggestFiles(id, typed).then(
        (paths) => !left && (setFound(paths), setProblem('')),
        () => !left && (setFound([]), setProblem(words.notRunning)),
      );
    }, PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [id, typed]);
  if (open) {
    return (
      <>
        <div class="file-head">
          <button type="button" class="quiet" onClick={() => setOpen('')}>
            ← {words.back}
          </button>
          <code>{open}</code>
          <button
            type="button"
            class="quiet"
            onClick={() => (uncover(), (returned.value = `@${open} `))}
          >
            {words.mention}
          </button>
        </div>
        <Text path={open} />
      </>
    );
  }
  return (
    <>
      <input
        class="search"
        type="search"
        placeholder={words.findFile}
        aria-label={words.findFile}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {problem && <p class="hint">{problem}</p>}
      {found === null && <p class="hint">{words.loading}</p>}
      <ul class="found-files">
        {(found ?? []).map((path) => (
          <li key={path}>
            <button
              type="button"
              onClick={() => (path.endsWith('/') ? setTyped(path) : setOpen(path))}
            >
              <span class="path">{path}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
