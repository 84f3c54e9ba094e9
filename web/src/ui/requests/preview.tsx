// What would happen if a request were allowed, before it happens.
import { h } from '../../dom.ts';
import type { PendingRequest } from '../../model/state.ts';
import { field } from '../../protocol/wire.ts';
import { current } from '../../store.ts';
import { isInside } from '../../text/edits.ts';
import { foldBlankLines } from '../../text/folding.ts';
import { visible } from '../../text/visible.ts';
import { terminalElement } from '../../transcript/output_view.ts';
import { words } from '../../words.ts';
import { Mount } from '../mount.tsx';
import { EditPreview } from './edit_preview.tsx';

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
  const command = input['command'];
  if (tool_name === 'Bash' && typeof command === 'string') return commandElement(command);
  return terminalElement(visible(JSON.stringify(input, null, 2)));
}

export function Preview({ pending }: { pending: PendingRequest }) {
  const { tool_name, input } = pending.request;
  if (['Edit', 'MultiEdit', 'Write'].includes(tool_name)) return <EditPreview pending={pending} />;
  const path = field(input, 'file_path') || field(input, 'notebook_path');
  return (
    <>
      {path && !isInside(path, current.value?.cwd ?? '/') && (
        <p class="note warns">{words.outsideFolder}</p>
      )}
      <Mount class="preview" make={() => previewElement(pending)} of={pending.id} />
    </>
  );
}
