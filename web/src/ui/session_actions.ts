// Renaming and deleting a session, each with its question.
import { api } from '../net/api.ts';
import { attempt } from '../store.ts';
import { words } from '../words.ts';
import { askSure, askText } from './dialog.tsx';
import { go } from './route.ts';

export async function renameSession(id: string, title: string): Promise<void> {
  const wanted = (await askText(words.askTitle, title))?.trim();
  if (wanted) void attempt(() => api.setTitle(id, wanted));
}

const EXTENSIONS = { markdown: 'md', html: 'html', jsonl: 'jsonl' };
export type ExportFormat = keyof typeof EXTENSIONS;

/** Saves the session as a file. */
export async function exportSession(
  id: string,
  title: string,
  format: ExportFormat,
): Promise<void> {
  const text = await attempt(() => api.exported(id, format));
  if (text === undefined) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const name = (title || words.untitled).replace(/[^\p{L}\p{N}._-]+/gu, ' ').trim();
  link.download = `${name.slice(0, 80) || 'session'}.${EXTENSIONS[format]}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

export async function removeSession(id: string, title: string): Promise<void> {
  if (!(await askSure(words.confirmRemove(title || words.untitled), words.remove))) return;
  const done = await attempt(() => api.remove(id));
  if (done !== undefined) go(null);
}
