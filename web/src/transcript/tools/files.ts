// Tools that read and change files.
import { h } from '../../dom.ts';
import { hunksOf } from '../../model/changes.ts';
import type { ToolItem } from '../../model/items.ts';
import { field, isObject } from '../../protocol/wire.ts';
import type { JsonObject } from '../../protocol/wire.ts';
import { rowsOfHunks, rowsOfTexts } from '../../text/diff.ts';
import { languageOf } from '../../text/highlight.ts';
import { shortPath } from '../../text/paths.ts';
import { words } from '../../words.ts';
import { diffElement } from '../diff_view.ts';
import { numberedElement, terminalElement } from '../output_view.ts';
import { imageElement, plainResult, prose, text } from './view.ts';
import type { ToolView } from './view.ts';

/** The difference an edit makes: as it happened, or as the request describes it. */
export function editDiff(name: string, input: JsonObject, structured: unknown): HTMLElement | null {
  const hunks = hunksOf(structured);
  if (hunks.length > 0) return diffElement(rowsOfHunks(hunks));
  const content = text(input, 'content', 'file_text');
  if (name === 'Write') return diffElement(rowsOfTexts('', content, true));
  const edits = Array.isArray(input['edits']) ? input['edits'] : [input];
  const rows = edits.flatMap((edit) => {
    const before = field(edit, 'old_string');
    const after = field(edit, 'new_string');
    return before || after ? rowsOfTexts(before, after, false) : [];
  });
  return rows.length > 0 ? diffElement(rows) : null;
}

export const edit: ToolView = {
  summary: (input) => shortPath(text(input, 'file_path', 'notebook_path')),
  fact: (tool) => (field(tool.result?.structured, 'type') === 'create' ? words.created : ''),
  // What was denied is shown along with the denial; what failed says why.
  body: (tool) => {
    const failed = tool.result?.isError === true;
    return [
      failed && !tool.denied ? null : editDiff(tool.name, tool.input, tool.result?.structured),
      ...(failed ? plainResult(tool) : []),
    ];
  },
};

function fileOf(tool: ToolItem): Record<string, unknown> | null {
  const structured = tool.result?.structured;
  const file = isObject(structured) ? structured['file'] : undefined;
  return isObject(file) ? file : null;
}

export const read: ToolView = {
  summary: (input) => shortPath(text(input, 'file_path', 'notebook_path', 'path')),
  fact: (tool) => {
    const file = fileOf(tool);
    const cells = file?.['cells'];
    if (Array.isArray(cells)) return words.cells(cells.length);
    const count = file?.['numLines'];
    return typeof count === 'number' ? words.lines(count) : '';
  },
  body: (tool) => {
    const file = fileOf(tool);
    if (file && Array.isArray(file['cells'])) return file['cells'].map(cellElement);
    if (file && typeof file['content'] === 'string') {
      const start = typeof file['startLine'] === 'number' ? file['startLine'] : 1;
      const language = languageOf(field(file, 'filePath') || text(tool.input, 'file_path'));
      return [numberedElement(file['content'], start, language)];
    }
    return plainResult(tool);
  },
};

/** A cell of a notebook, with what it printed. */
function cellElement(cell: unknown): HTMLElement {
  const source = field(cell, 'source');
  const outputs = isObject(cell) && Array.isArray(cell['outputs']) ? cell['outputs'] : [];
  const isText = field(cell, 'cellType') === 'markdown';
  return h(
    'div',
    { class: 'cell' },
    h('div', { class: 'label' }, field(cell, 'cell_id')),
    isText ? prose(source) : numberedElement(source, 1, field(cell, 'language') || 'python'),
    ...outputs.flatMap((output) => {
      const image = isObject(output) ? output['image'] : undefined;
      const shown = imageElement(field(image, 'media_type'), field(image, 'image_data'));
      const printed = field(output, 'text');
      return printed ? [...shown, terminalElement(printed)] : shown;
    }),
  );
}

export const notebook: ToolView = {
  summary: (input) =>
    [shortPath(text(input, 'notebook_path')), text(input, 'cell_id')].filter(Boolean).join('  '),
  fact: (tool) => {
    const mode = text(tool.input, 'edit_mode');
    return mode === 'insert' ? words.cellAdded : mode === 'delete' ? words.cellRemoved : '';
  },
  body: (tool) => {
    if (tool.result?.isError && !tool.denied) return plainResult(tool);
    const structured = tool.result?.structured;
    const removed = text(tool.input, 'edit_mode') === 'delete';
    const after = removed ? '' : text(tool.input, 'new_source');
    const rows = rowsOfTexts(field(structured, 'old_source'), after, true);
    return [rows.length > 0 ? diffElement(rows) : null, ...(tool.denied ? plainResult(tool) : [])];
  },
};

export const find: ToolView = {
  summary: (input) =>
    [text(input, 'pattern', 'query'), shortPath(text(input, 'path', 'glob'))]
      .filter(Boolean)
      .join('  '),
  fact: (tool) => {
    const structured = tool.result?.structured;
    const count = isObject(structured) ? structured['numFiles'] : undefined;
    return typeof count === 'number' && count > 0 ? words.files(count) : '';
  },
  body: (tool) => {
    const structured = tool.result?.structured;
    const names = isObject(structured) ? structured['filenames'] : undefined;
    const content = field(structured, 'content');
    if (content || !Array.isArray(names) || names.length === 0) return plainResult(tool);
    return [terminalElement(names.map((name) => shortPath(String(name))).join('\n'))];
  },
};
