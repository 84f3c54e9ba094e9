// Colours for finished code. A language that is not known stays plain; guessing costs more time than it
// is worth. The languages are a third of all code of the page, and come when they are wanted.
import DOMPurify from 'dompurify';
import type { HLJSApi } from 'highlight.js';

let hljs: HLJSApi | null = null;
let loading: Promise<void> | null = null;

/** Runs at once if the languages are here, else when they are; never if they cannot be loaded. */
function whenLoaded(run: () => void): void {
  if (hljs) return run();
  loading ??= import('./languages.ts').then(
    (loaded) => {
      hljs = loaded.default;
    },
    () => {
      // Code stays plain; the next time may be luckier.
      loading = null;
    },
  );
  void loading.then(() => hljs && run());
}

/** Longer code is shown without colours: a person does not read it, and the page must not stall. */
const MOST_CHARACTERS = 60_000;

/** The text in colours, null if its language is not known or it is too long. */
function coloured(text: string, language: string): DocumentFragment | null {
  if (!hljs?.getLanguage(language) || text.length > MOST_CHARACTERS) return null;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  return DOMPurify.sanitize(value, {
    ALLOWED_TAGS: ['span'],
    ALLOWED_ATTR: ['class'],
    RETURN_DOM_FRAGMENT: true,
  });
}

export function highlight(code: HTMLElement, language: string): void {
  if (!language) return;
  whenLoaded(() => {
    const colours = coloured(code.textContent ?? '', language);
    if (colours) code.replaceChildren(colours);
  });
}

/** Extensions whose name is not that of their language. */
// prettier-ignore
const EXTENSIONS: Record<string, string> = {
  bash: 'bash', cc: 'cpp', cjs: 'javascript', cxx: 'cpp', h: 'cpp', hh: 'cpp', hpp: 'cpp', htm: 'xml',
  html: 'xml', js: 'javascript', jsx: 'javascript', md: 'markdown', mjs: 'javascript', patch: 'diff',
  py: 'python', rb: 'ruby', rs: 'rust', sh: 'bash', svg: 'xml', toml: 'ini', ts: 'typescript',
  tsx: 'typescript', yml: 'yaml', zsh: 'bash',
};

/** The language of a file by its name; it may be one that has no colours here. */
export function languageOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : extension) ?? '';
}

/**
 * Shows each line of a text by itself: plain at once, and in colours as soon as that is possible.
 */
export function showLines(
  text: string,
  language: string,
  show: (lines: DocumentFragment[]) => void,
): void {
  const plain = () =>
    text.split('\n').map((line) => {
      const fragment = document.createDocumentFragment();
      fragment.append(line);
      return fragment;
    });
  const ready = hljs !== null;
  if (!language || !ready) show(plain());
  if (!language) return;
  whenLoaded(() => {
    const colours = coloured(text, language);
    if (colours) show(splitLines(colours));
    else if (ready) show(plain());
  });
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
