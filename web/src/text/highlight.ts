// Colours for finished code blocks. A language that is not here stays plain; guessing costs more time
// than it is worth.
import DOMPurify from 'dompurify';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

// prettier-ignore
const LANGUAGES = {
  bash, c, cpp, css, diff, go, ini, java, javascript, json, markdown, python, ruby, rust, sql,
  typescript, xml, yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer code is shown without colours: a person does not read it, and the page must not stall. */
const MOST_CHARACTERS = 60_000;

/** The text in colours, null if its language is not known or it is too long. */
function coloured(text: string, language: string): DocumentFragment | null {
  if (!hljs.getLanguage(language) || text.length > MOST_CHARACTERS) return null;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  return DOMPurify.sanitize(value, {
    ALLOWED_TAGS: ['span'],
    ALLOWED_ATTR: ['class'],
    RETURN_DOM_FRAGMENT: true,
  });
}

export function highlight(code: HTMLElement, language: string): void {
  const colours = coloured(code.textContent ?? '', language);
  if (colours) code.replaceChildren(colours);
}

/** Extensions whose name is not that of their language. */
// prettier-ignore
const EXTENSIONS: Record<string, string> = {
  bash: 'bash', cc: 'cpp', cjs: 'javascript', cxx: 'cpp', h: 'cpp', hh: 'cpp', hpp: 'cpp', htm: 'xml',
  html: 'xml', js: 'javascript', jsx: 'javascript', md: 'markdown', mjs: 'javascript', patch: 'diff',
  py: 'python', rb: 'ruby', rs: 'rust', sh: 'bash', svg: 'xml', toml: 'ini', ts: 'typescript',
  tsx: 'typescript', yml: 'yaml', zsh: 'bash',
};

/** The language of a file by its name, '' if it is not one that is known here. */
export function languageOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const name = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : extension;
  return name && hljs.getLanguage(name) ? name : '';
}

/** Each line of a text by itself, in colours where that is possible. */
export function highlightedLines(text: string, language: string): DocumentFragment[] {
  const plain = (line: string) => {
    const fragment = document.createDocumentFragment();
    fragment.append(line);
    return fragment;
  };
  const colours = coloured(text, language);
  return colours ? splitLines(colours) : text.split('\n').map(plain);
}

/** Cuts at line breaks, also inside of elements: those go on in the next line. */
function splitLines(source: Node): DocumentFragment[] {
  const lines = [document.createDocumentFragment()];
  let open: Node[] = [];
  const at = () => open.at(-1) ?? (lines.at(-1) as DocumentFragment);
  const walk = (node: Node) => {
    if (node.nodeType !== Node.TEXT_NODE) {
      open.push(at().appendChild(node.cloneNode(false)));
      node.childNodes.forEach(walk);
      open.pop();
      return;
    }
    (node.textContent ?? '').split('\n').forEach((piece, index) => {
      if (index > 0) {
        lines.push(document.createDocumentFragment());
        const before = open;
        open = [];
        for (const element of before) open.push(at().appendChild(element.cloneNode(false)));
      }
      if (piece) at().appendChild(document.createTextNode(piece));
    });
  };
  source.childNodes.forEach(walk);
  return lines;
}
