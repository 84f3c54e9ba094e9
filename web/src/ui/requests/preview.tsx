// What would happen if a request were allowed, before it happens.
import { useEffect, useState } from 'preact/hooks';
import { h } from '../../dom.ts';
import { countLines } from '../../model/changes.ts';
import type { PendingRequest } from '../../model/state.ts';
import { api } from '../../net/api.ts';
import type { FileState } from '../../protocol/contract.ts';
import { field } from '../../protocol/wire.ts';
import { foldBlankLines } from '../../text/folding.ts';
import { visible, visibleInside } from '../../text/visible.ts';
import { terminalElement } from '../../transcript/output_view.ts';
import { editDiff } from '../../transcript/tools.ts';
import { currentId } from '../../store.ts';
import { words } from '../../words.ts';
import { Mount } from '../mount.tsx';

/** A command, with nothing in it that takes room and shows nothing. */
function commandElement(command: string): HTMLElement {
  return h(
    'pre',
    { class: 'command' },
    ...foldBlankLines(visible(command)).map((piece) =>
      typeof piece === 'string'
        ? piece
        : h('span', { class: 'fold' }, words.blankLinesFolded(piece)),
    ),
  );
}

function previewElement({ request: { tool_name, input } }: PendingRequest): HTMLElement {
  const diff = ['Edit', 'MultiEdit', 'Write'].includes(tool_name)
    ? editDiff(tool_name, visibleInside(input), null)
    : null;
  if (diff) return diff;
  const command = input['command'];
  if (tool_name === 'Bash' && typeof command === 'string') return commandElement(command);
  return terminalElement(visible(JSON.stringify(input, null, 2)));
}

/** Whether a file would be made or replaced. Only the hub can know, and it looks at the file itself. */
function WriteNote({ pending }: { pending: PendingRequest }) {
  const { input } = pending.request;
  const path = field(input, 'file_path');
  const after = countLines(field(input, 'content'));
  const session = currentId.value;
  const [state, setState] = useState<FileState | 'asked' | 'unknown'>('asked');
  useEffect(() => {
    if (session === null) return;
    api.file(session, path).then(setState, () => setState('unknown'));
  }, []);
  if (state === 'asked') return <p class="note">{words.writeAsked}</p>;
  if (state === 'unknown') return <p class="note warns">{words.writeUnknown}</p>;
  if (state.kind === 'none') return <p class="note">{words.writeCreates(after)}</p>;
  if (state.kind !== 'file') return <p class="note warns">{words.writeNoFile}</p>;
  return <p class="note warns">{words.writeReplaces(state.lines, state.bytes, after)}</p>;
}

export function Preview({ pending }: { pending: PendingRequest }) {
  return (
    <>
      {pending.request.tool_name === 'Write' && <WriteNote pending={pending} />}
      <Mount class="preview" make={() => previewElement(pending)} of={pending.id} />
    </>
  );
}
