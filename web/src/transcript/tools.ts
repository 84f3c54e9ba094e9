// How each tool is shown: what its one line says, and what it opens to. Tools that are not listed are
// shown as readable JSON, so a new tool is never invisible.
import { h } from '../dom.ts';
import { hunksOf, changeOf, countLines } from '../model/changes.ts';
import type { ToolItem } from '../model/items.ts';
import { blocksOf, field, isObject, textOf } from '../protocol/wire.ts';
import type { Content, JsonObject } from '../protocol/wire.ts';
import { rowsOfHunks, rowsOfTexts } from '../text/diff.ts';
import { shortPath } from '../text/paths.ts';
import { visible } from '../text/visible.ts';
import { words } from '../words.ts';
import { diffElement } from './diff_view.ts';
import { jsonElement, numberedElement, terminalElement } from './output_view.ts';
import { renderProse } from './prose.ts';

interface ToolView {
  /** The one thing that tells this call from others of its kind. */
  summary(input: JsonObject): string;
  /** A short fact about the result, '' if there is none. */
  fact?(tool: ToolItem): string;
  /** What the open row shows; what was asked is known, the result may not be. */
  body(tool: ToolItem): (Node | null)[];
}

export interface LineCounts {
  added: number;
  removed: number;
}

const text = (input: JsonObject, ...names: string[]): string => {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value) return value;
  }
  return '';
};

const firstLine = (value: string): string => value.trim().split('\n')[0] ?? '';

/** Images of a result; their bytes are in the message, nothing is loaded. */
export function imagesOf(content: Content | undefined): HTMLElement[] {
  return blocksOf(content).flatMap(({ type, source }) => {
    const media = source?.media_type ?? '';
    if (type !== 'image' || !source?.data || !/^image\/(png|jpeg|gif|webp)$/.test(media)) return [];
    if (!/^[A-Za-z0-9+/=]+$/.test(source.data)) return [];
    return [
      h('img', { class: 'picture', alt: words.image, src: `data:${media};base64,${source.data}` }),
    ];
  });
}

function errorText(tool: ToolItem): string {
  return textOf(tool.result?.content).replace(/^<tool_use_error>([^]*)<\/tool_use_error>$/, '$1');
}

function plainResult(tool: ToolItem): Node[] {
  if (!tool.result) return [];
  const images = imagesOf(tool.result.content);
  const output = errorText(tool);
  return images.length > 0 && !output ? images : [...images, terminalElement(output)];
}

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

const edit: ToolView = {
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

const bash: ToolView = {
  summary: (input) => firstLine(text(input, 'command')),
  fact: (tool) => {
    const code = /^Exit code (\d+)/.exec(errorText(tool));
    return code ? words.exitCode(Number(code[1])) : '';
  },
  body: (tool) => {
    const structured = tool.result?.structured;
    const output = isObject(structured)
      ? [field(structured, 'stdout'), field(structured, 'stderr')].filter(Boolean).join('\n')
      : errorText(tool).replace(/^Exit code \d+\n?/, '');
    return [
      h('pre', { class: 'command', tabindex: 0 }, visible(text(tool.input, 'command'))),
      ...imagesOf(tool.result?.content),
      tool.result ? terminalElement(output || errorText(tool)) : null,
    ];
  },
};

const read: ToolView = {
  summary: (input) => shortPath(text(input, 'file_path', 'notebook_path', 'path')),
  fact: (tool) => {
    const file = isObject(tool.result?.structured) ? tool.result.structured['file'] : undefined;
    const count = isObject(file) ? file['numLines'] : undefined;
    return typeof count === 'number' ? words.lines(count) : '';
  },
  body: (tool) => {
    const file = isObject(tool.result?.structured) ? tool.result.structured['file'] : undefined;
    if (isObject(file) && typeof file['content'] === 'string') {
      const start = typeof file['startLine'] === 'number' ? file['startLine'] : 1;
      return [numberedElement(file['content'], start)];
    }
    return plainResult(tool);
  },
};

const find: ToolView = {
  summary: (input) =>
    [text(input, 'pattern', 'query'), text(input, 'path', 'glob')].filter(Boolean).join('  '),
  fact: (tool) => {
    const structured = tool.result?.structured;
    const count = isObject(structured) ? structured['numFiles'] : undefined;
    return typeof count === 'number' && count > 0 ? words.files(count) : '';
  },
  body: plainResult,
};

const web: ToolView = {
  summary: (input) => text(input, 'url', 'query'),
  body: (tool) => [prose(errorText(tool))],
};

function prose(source: string): HTMLElement | null {
  return source ? h('div', { class: 'prose' }, renderProse(source)) : null;
}

const agent: ToolView = {
  summary: (input) => text(input, 'description', 'subagent_type'),
  // The calls and words of the subagent stand between, put there by the row.
  body: (tool) => [h('div', { class: 'quoted' }, text(tool.input, 'prompt'))],
};

const MARKS: Record<string, string> = { completed: '✓', in_progress: '▸', pending: '○' };

const todo: ToolView = {
  summary: (input) => {
    const todos = Array.isArray(input['todos']) ? input['todos'] : [];
    const done = todos.filter((entry) => field(entry, 'status') === 'completed').length;
    return todos.length ? `${done}/${todos.length}` : '';
  },
  body: (tool) => {
    if (tool.result?.isError) return plainResult(tool);
    const todos = Array.isArray(tool.input['todos']) ? tool.input['todos'] : [];
    return [
      h(
        'ul',
        { class: 'todos' },
        ...todos.map((entry) => {
          const status = field(entry, 'status');
          return h(
            'li',
            { class: status },
            h('span', {}, MARKS[status] ?? '○'),
            field(entry, 'content'),
          );
        }),
      ),
    ];
  },
};

const task: ToolView = {
  summary: (input) =>
    [
      text(input, 'taskId') && `#${text(input, 'taskId')}`,
      text(input, 'subject'),
      text(input, 'status'),
    ]
      .filter(Boolean)
      .join('  '),
  body: plainResult,
};

const question: ToolView = {
  summary: (input) => {
    const questions = Array.isArray(input['questions']) ? input['questions'] : [];
    return field(questions[0], 'question');
  },
  body: (tool) => {
    const structured = tool.result?.structured;
    const answers =
      isObject(structured) && isObject(structured['answers']) ? structured['answers'] : {};
    const rows = Object.entries(answers);
    if (rows.length === 0) return plainResult(tool);
    return [
      h(
        'dl',
        { class: 'answers' },
        ...rows.flatMap(([asked, answer]) => [h('dt', {}, asked), h('dd', {}, String(answer))]),
      ),
    ];
  },
};

const plan: ToolView = {
  summary: (input) => firstLine(text(input, 'plan')).replace(/^#+\s*/, ''),
  body: (tool) => [
    prose(text(tool.input, 'plan')),
    ...(tool.result?.isError ? plainResult(tool) : []),
  ],
};

const unknown: ToolView = {
  summary: (input) =>
    text(input, 'description', 'file_path', 'path', 'query', 'name', 'command') ||
    firstLine(Object.keys(input).length ? JSON.stringify(input) : ''),
  body: (tool) => [
    Object.keys(tool.input).length ? h('div', { class: 'label' }, words.input) : null,
    Object.keys(tool.input).length ? jsonElement(tool.input) : null,
    tool.result ? h('div', { class: 'label' }, words.output) : null,
    ...plainResult(tool),
  ],
};

const VIEWS: Record<string, ToolView> = {
  Edit: edit,
  MultiEdit: edit,
  Write: edit,
  NotebookEdit: unknown,
  Bash: bash,
  BashOutput: bash,
  Read: read,
  Glob: find,
  Grep: find,
  WebFetch: web,
  WebSearch: web,
  Task: agent,
  Agent: agent,
  TaskCreate: task,
  TaskGet: task,
  TaskUpdate: task,
  TodoWrite: todo,
  AskUserQuestion: question,
  ExitPlanMode: plan,
};

export function viewOf(name: string): ToolView {
  return Object.hasOwn(VIEWS, name) ? (VIEWS[name] ?? unknown) : unknown;
}

/** The name a person reads: `mcp__calc__add` is "calc › add". */
export function toolLabel(name: string): string {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name);
  if (mcp) return `${mcp[1]} › ${mcp[2]}`;
  return Object.hasOwn(words.toolNames, name) ? (words.toolNames[name] ?? name) : name;
}

/** Lines that a finished tool added and removed, null if it changed no file. */
export function changedLines(tool: ToolItem): LineCounts | null {
  if (!tool.result || tool.result.isError) return null;
  const change = changeOf(tool.result.structured);
  if (change) return change;
  return tool.name === 'Write'
    ? { added: countLines(text(tool.input, 'content')), removed: 0 }
    : null;
}
