// Commands, the web, subagents, and what the agent says to a person through a tool.
import { h } from '../../dom.ts';
import type { ToolItem } from '../../model/items.ts';
import { todosOf } from '../../model/todos.ts';
import { field, isObject, textOf } from '../../protocol/wire.ts';
import type { Content } from '../../protocol/wire.ts';
import { safeAddress } from '../../text/markdown.ts';
import { visible } from '../../text/visible.ts';
import { words } from '../../words.ts';
import { clampedText } from '../clamp.ts';
import { jsonElement, terminalElement } from '../output_view.ts';
import { firstLine, imagesOf, plainResult, prose, resultText, text } from './view.ts';
import type { ToolView } from './view.ts';

export const bash: ToolView = {
  summary: (input) => firstLine(text(input, 'command')) || text(input, 'bash_id', 'task_id'),
  fact: (tool) => {
    const code = /^Exit code (\d+)/.exec(resultText(tool));
    return code ? words.exitCode(Number(code[1])) : '';
  },
  body: (tool) => {
    const command = text(tool.input, 'command');
    return [
      command ? h('pre', { class: 'command', tabindex: 0 }, visible(command)) : null,
      ...imagesOf(tool.result?.content),
      ...outputOf(tool),
    ];
  },
};

function outputOf(tool: ToolItem): Node[] {
  if (!tool.result || tool.denied) return plainResult(tool);
  const { structured } = tool.result;
  const printed = isObject(structured)
    ? [field(structured, 'stdout'), field(structured, 'stderr')].filter(Boolean).join('\n')
    : '';
  if (printed) return [terminalElement(printed)];
  // What is left says to the model where the output goes, or that it is to wait.
  if (tool.stopped || field(structured, 'backgroundTaskId')) return [];
  return [terminalElement(resultText(tool).replace(/^Exit code \d+\n?/, ''))];
}

function linkElement(url: string, label: string): HTMLElement {
  const address = safeAddress(url);
  if (address === null) return h('span', {}, visible(label));
  const host = new URL(address).host;
  return h(
    'span',
    { class: 'link' },
    h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, visible(label)),
    h('span', { class: 'note' }, host),
  );
}

export const fetched: ToolView = {
  summary: (input) => text(input, 'url'),
  fact: (tool) => {
    const structured = tool.result?.structured;
    const code = isObject(structured) ? structured['code'] : undefined;
    return typeof code === 'number' && code !== 200 ? `HTTP ${code}` : '';
  },
  body: (tool) => {
    if (tool.result?.isError) return plainResult(tool);
    const url = text(tool.input, 'url');
    return [
      url ? linkElement(url, url) : null,
      text(tool.input, 'prompt') ? clampedText('quoted', text(tool.input, 'prompt')) : null,
      prose(field(tool.result?.structured, 'result') || resultText(tool)),
    ];
  },
};

export const searched: ToolView = {
  summary: (input) => text(input, 'query'),
  fact: (tool) => {
    const links = linksOf(tool);
    return links.length > 0 ? words.links(links.length) : '';
  },
  body: (tool) => {
    const links = linksOf(tool);
    if (tool.result?.isError || links.length === 0)
      return tool.result ? [prose(resultText(tool))] : [];
    return [
      h(
        'ul',
        { class: 'links' },
        ...links.map(({ url, title }) => h('li', {}, linkElement(url, title || url))),
      ),
    ];
  },
};

function linksOf(tool: ToolItem): { url: string; title: string }[] {
  const structured = tool.result?.structured;
  const results = isObject(structured) ? structured['results'] : undefined;
  if (!Array.isArray(results)) return [];
  return results
    .flatMap((entry: unknown) =>
      isObject(entry) && Array.isArray(entry['content']) ? entry['content'] : [],
    )
    .map((entry: unknown) => ({ url: field(entry, 'url'), title: field(entry, 'title') }))
    .filter(({ url }) => url);
}

export const agent: ToolView = {
  summary: (input) => text(input, 'description', 'subagent_type'),
  fact: (tool) => {
    const structured = tool.result?.structured;
    const count = isObject(structured) ? structured['totalToolUseCount'] : undefined;
    return typeof count === 'number' && count > 0 ? words.toolUses(count) : '';
  },
  body: (tool) => [clampedText('quoted', text(tool.input, 'prompt'))],
  after: (tool) => {
    if (tool.result?.isError) return plainResult(tool);
    const report = reportOf(tool);
    // The last thing that the subagent said stands there already.
    const said = tool.children.flatMap((child) => (child.kind === 'text' ? [child.text] : []));
    if (!report || said.at(-1)?.trim() === report.trim()) return [];
    return [prose(report)];
  },
};

/** What a subagent has brought back; the text of the result has notes for the model around it. */
function reportOf(tool: ToolItem): string {
  if (tool.task?.background) return tool.task.status === 'running' ? '' : tool.task.summary;
  const structured = tool.result?.structured;
  const content = isObject(structured) ? structured['content'] : undefined;
  return textOf(content as Content | undefined).replace(/^<tools-used[^]*?>\n*/, '');
}

const MARKS = { completed: '✓', in_progress: '▸', pending: '○' };

export const todo: ToolView = {
  summary: (input) => {
    const todos = todosOf(input);
    const done = todos.filter(({ status }) => status === 'completed').length;
    return todos.length ? `${done}/${todos.length}` : '';
  },
  body: (tool) => {
    if (tool.result?.isError) return plainResult(tool);
    const entries = todosOf(tool.input).map(({ status, text: what }) =>
      h(
        'li',
        { class: status },
        h('span', { 'aria-hidden': 'true' }, MARKS[status]),
        h('span', { class: 'sr-only' }, `${words.todoStates[status]}: `),
        what,
      ),
    );
    return [h('ul', { class: 'todos' }, ...entries)];
  },
};

export const task: ToolView = {
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

export const question: ToolView = {
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

export const plan: ToolView = {
  summary: (input) => firstLine(text(input, 'plan')).replace(/^#+\s*/, ''),
  body: (tool) => [
    prose(text(tool.input, 'plan')),
    ...(tool.result?.isError ? plainResult(tool) : []),
  ],
};

/** Any tool, as readable JSON: a new tool is never invisible. */
export const unknown: ToolView = {
  summary: (input) =>
    text(input, 'description', 'file_path', 'path', 'query', 'name', 'command') ||
    firstLine(Object.keys(input).length ? JSON.stringify(input) : ''),
  body: (tool) => [
    Object.keys(tool.input).length ? h('div', { class: 'label' }, words.input) : null,
    Object.keys(tool.input).length ? jsonElement(tool.input) : null,
    tool.result && !tool.stopped && !tool.denied
      ? h('div', { class: 'label' }, words.output)
      : null,
    ...plainResult(tool),
  ],
};
