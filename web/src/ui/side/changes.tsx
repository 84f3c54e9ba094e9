// The files that this session has changed: all of them, and turn by turn. Each leads to its last change.
import type { FileChange } from '../../model/items.ts';
import { addChange } from '../../model/changes.ts';
import { hasOlder, shownConversation } from '../../store.ts';
import { shortPath } from '../../text/paths.ts';
import { words } from '../../words.ts';
import { uncover } from '../panels.ts';
import { scrolling } from '../scrolling.ts';

function FileList({ files }: { files: FileChange[] }) {
  return (
    <ul class="changed-files">
      {files.map(({ path, toolId, added, removed }) => (
        <li key={path}>
          <button type="button" title={path} onClick={() => (uncover(), scrolling.toTool(toolId))}>
            <span class="path">{shortPath(path)}</span>
            <span class="counts">
              {(added > 0 || removed === 0) && <ins>+{added}</ins>}
              {removed > 0 && <del>−{removed}</del>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Changes() {
  const items = shownConversation()?.items ?? [];
  const turns = items.flatMap((item) =>
    item.kind === 'turn' && item.files.length > 0 ? [item] : [],
  );
  const all: FileChange[] = [];
  for (const { files } of turns) for (const file of files) addChange(all, file);
  if (all.length === 0) return <p class="hint">{words.noChanges}</p>;
  const sum = { added: 0, removed: 0 };
  for (const { added, removed } of all) {
    sum.added += added;
    sum.removed += removed;
  }
  return (
    <>
      <h2>{words.changesOf(all.length, sum.added, sum.removed)}</h2>
      <FileList files={all} />
      {turns.length > 1 && (
        <>
          <h2>{words.byTurn}</h2>
          {turns
            .map(({ id, time, files }) => (
              <section key={id}>
                <h3>{new Date(time).toLocaleTimeString([], { timeStyle: 'short' })}</h3>
                <FileList files={files} />
              </section>
            ))
            .reverse()}
        </>
      )}
      {hasOlder() && <p class="hint">{words.onlyLoaded}</p>}
    </>
  );
}
