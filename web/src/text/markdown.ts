// Markdown of an agent as safe DOM. The agent's text is hostile: HTML in it is shown as text, links
// keep only harmless addresses, images are never loaded but become links, and what the parser made
// passes a sanitizer that knows only the few elements markdown can produce.
import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import type { Token } from 'marked';
import { words } from '../words.ts';

// prettier-ignore
const ALLOWED_TAGS = [
  'a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'input',
  'li', 'ol', 'p', 'pre', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
];
// prettier-ignore
const ALLOWED_ATTR = ['align', 'checked', 'class', 'data-language', 'disabled', 'href', 'start', 'title', 'type'];

function escape(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** The address if a click on it can do no harm, else null. */
export function safeAddress(href: string): string | null {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

const marked = new Marked({ gfm: true, breaks: false });
marked.use({
  renderer: {
    html({ text }) {
      return /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escape(text);
    },
    link({ href, title, tokens }) {
      const address = safeAddress(href);
      const label = this.parser.parseInline(tokens);
      if (address === null) return label;
      return `<a href="${escape(address)}"${title ? ` title="${escape(title)}"` : ''}>${label}</a>`;
    },
    image({ href, text }) {
      const address = safeAddress(href);
      if (address === null) return escape(text);
      const label = words.remoteImage(text, new URL(address).host);
      return `<a class="remote-image" href="${escape(address)}">${escape(label)}</a>`;
    },
    code({ text, lang }) {
      const language = (lang ?? '').trim().split(/\s+/)[0] ?? '';
      return `<pre data-language="${escape(language)}"><code>${escape(text)}</code></pre>`;
    },
  },
});

export function lex(source: string): Token[] {
  return marked.lexer(source);
}

/** Markdown as a fragment that cannot run, load or submit anything. */
export function renderMarkdown(source: string): DocumentFragment {
  const html = marked.parse(source, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR,
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  for (const input of fragment.querySelectorAll('input')) {
    input.type = 'checkbox';
    input.disabled = true;
    input.setAttribute(
      'aria-label',
      input.checked ? words.todoStates.completed : words.todoStates.pending,
    );
  }
  return fragment;
}
