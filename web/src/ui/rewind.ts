// Puts files back to where they were before a prompt, after the user has seen which ones.
import { api } from '../net/api.ts';
import { attempt, currentId, notice, problem } from '../store.ts';
import { shortPath } from '../text/paths.ts';
import { words } from '../words.ts';
import { askSure } from './dialog.tsx';

interface Rewound {
  canRewind?: boolean;
  error?: string;
  filesChanged?: string[];
}

export async function rewindFiles(promptId: string): Promise<void> {
  const id = currentId.value;
  if (id === null) return;
  const ask = (dry_run: boolean) =>
    attempt(() =>
      api.ask<Rewound>(id, { subtype: 'rewind_files', user_message_id: promptId, dry_run }),
    );
  const looked = await ask(true);
  if (!looked) return;
  const { canRewind, error, filesChanged = [] } = looked.response;
  if (!canRewind) {
    problem.value = error || words.rewindImpossible;
    return;
  }
  if (filesChanged.length === 0) {
    notice.value = words.rewindNothing;
    return;
  }
  const question = words.confirmRewind(filesChanged.map(shortPath));
  if (!(await askSure(question, words.rewindConfirm))) return;
  if (await ask(false)) notice.value = words.rewound(filesChanged.length);
}
