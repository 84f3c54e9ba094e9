// What a file would say after an edit, so that it can be shown with its true lines before it happens.
import type { JsonObject } from '../protocol/wire.ts';
import { field, isObject } from '../protocol/wire.ts';

export interface Edited {
  text: string;
  /** How many places were changed. */
  places: number;
  /** What was to be replaced is not there, or there more than once and only one was meant. */
  problem: '' | 'missing' | 'ambiguous';
}

/** Applies the edits of an Edit or MultiEdit to the text of a file. */
export function applyEdits(text: string, input: JsonObject): Edited {
  const edits: unknown[] = Array.isArray(input['edits']) ? input['edits'] : [input];
  const edited: Edited = { text, places: 0, problem: '' };
  for (const edit of edits) {
    const before = field(edit, 'old_string');
    const after = field(edit, 'new_string');
    const all = isObject(edit) && edit['replace_all'] === true;
    const pieces = before ? edited.text.split(before) : [edited.text];
    if (pieces.length < 2) {
      // Without anything to replace it is the beginning of a file.
      if (before === '' && edited.text === '') edited.text = after;
      else edited.problem = 'missing';
      continue;
    }
    if (pieces.length > 2 && !all) edited.problem = 'ambiguous';
    const count = all ? pieces.length - 1 : 1;
    edited.places += count;
    edited.text = all ? pieces.join(after) : pieces[0] + after + pieces.slice(1).join(before);
  }
  return edited;
}

/** Whether an absolute path lies in a folder, by its name: links are the hub's to follow. */
export function isInside(path: string, folder: string): boolean {
  if (!path.startsWith('/')) return !path.split('/').includes('..');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  const plain = `/${parts.join('/')}`;
  return plain === folder || plain.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
