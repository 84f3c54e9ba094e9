// An edit before it happens: against the file as it lies there now, with its true lines.
import { useEffect, useState } from 'preact/hooks';
import { h } from '../../dom.ts';
import { countLines } from '../../model/changes.ts';
import type { PendingRequest } from '../../model/state.ts';
import { api, ApiError } from '../../net/api.ts';
import type { FileState } from '../../protocol/contract.ts';
import { field } from '../../protocol/wire.ts';
import type { JsonObject } from '../../protocol/wire.ts';
import { current, currentId } from '../../store.ts';
import { rowsOfTexts } from '../../text/diff.ts';
import { applyEdits, isInside } from '../../text/edits.ts';
import { visible, visibleInside } from '../../text/visible.ts';
import { diffElement } from '../../transcript/diff_view.ts';
import { editDiff } from '../../transcript/tools/files.ts';
import { words } from '../../words.ts';
import { Mount } from '../mount.tsx';

/** What the hub has said about the file, as far as it is known. */
interface Known {
  state: FileState | 'asked' | 'outside' | 'unknown';
  /** Null if it cannot be shown. */
  text: string | null;
}

async function look(session: string, path: string): Promise<Known> {
  try {
    const state = await api.file(session, path);
    if (state.kind !== 'file') return { state, text: state.kind === 'none' ? '' : null };
    const text = await api.text(session, path).then(
      (found) => found.text,
      () => null,
    );
    return { state, text };
  } catch (error) {
    const outside = error instanceof ApiError && error.status === 403;
    return { state: outside ? 'outside' : 'unknown', text: null };
  }
}

/** Whether a file would be made or replaced. Only the hub can know, and it looks at the file itself. */
function noteOnWrite({ state }: Known, content: string): [text: string, warns: boolean] {
  const after = countLines(content);
  if (state === 'asked') return [words.writeAsked, false];
  if (state === 'outside' || state === 'unknown') return [words.writeUnknown, true];
  if (state.kind === 'none') return [words.writeCreates(after), false];
  if (state.kind !== 'file') return [words.writeNoFile, true];
  return [words.writeReplaces(state.lines, state.bytes, after), true];
}

function noteOnEdit({ state, text }: Known, input: JsonObject): [text: string, warns: boolean] {
  if (state === 'asked' || text === null) return ['', false];
  const { places, problem } = applyEdits(text, input);
  if (problem) return [words.editProblems[problem], true];
  return [places > 1 ? words.editPlaces(places) : '', false];
}

function diffOf(name: string, input: JsonObject, { text }: Known): HTMLElement {
  const shown = visibleInside(input);
  if (text !== null) {
    const before = visible(text);
    if (name === 'Write') {
      return diffElement(rowsOfTexts(before, field(shown, 'content'), true));
    }
    const { text: after, problem } = applyEdits(before, shown);
    if (!problem) return diffElement(rowsOfTexts(before, after, true));
  }
  return editDiff(name, shown, null) ?? h('div');
}

export function EditPreview({ pending }: { pending: PendingRequest }) {
  const { tool_name: name, input } = pending.request;
  const path = field(input, 'file_path');
  const session = currentId.value;
  const [known, setKnown] = useState<Known>({ state: 'asked', text: null });
  useEffect(() => {
    if (session !== null) void look(session, path).then(setKnown);
  }, []);
  const [note, warns] =
    name === 'Write' ? noteOnWrite(known, field(input, 'content')) : noteOnEdit(known, input);
  const outside = known.state === 'outside' || !isInside(path, current.value?.cwd ?? '/');
  return (
    <>
      {outside && <p class="note warns">{words.outsideFolder}</p>}
      {note && <p class={warns ? 'note warns' : 'note'}>{note}</p>}
      <Mount
        class="preview"
        make={() => diffOf(name, input, known)}
        of={`${pending.id} ${known.state === 'asked'}`}
      />
    </>
  );
}
