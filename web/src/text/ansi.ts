// Terminal output as pieces of text with classes. Colours and weights are kept; every other escape
// sequence is dropped, so that output can move nothing, set no title and open no link.

export interface Piece {
  text: string;
  /** CSS classes, '' for plain text. */
  style: string;
}

interface Style {
  color: string;
  background: string;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

const PLAIN: Style = {
  color: '',
  background: '',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
};

// CSI ... final | OSC ... BEL or ST | DCS, PM, APC, SOS strings | any other two-character escape.
const ESCAPE =
  /\u001b\[([0-?]*)[ -/]*([@-~])|\u009b([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[PX^_][^\u001b]*(?:\u001b\\|$)|\u001b[ -/]*[0-~]?/g;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** What a terminal would show of a line that was written over with carriage returns. */
function overwritten(line: string): string {
  const parts = line.replace(/\r+$/, '').split('\r');
  let shown = '';
  for (const part of parts) shown = part + shown.slice(part.length);
  return shown;
}

function palette(index: number): string {
  if (index < 8) return `c${index}`;
  if (index < 16) return `c${index - 8} bright`;
  if (index >= 232) return index < 244 ? 'c0 bright' : 'c7';
  // The colour cube, reduced to the eight directions of the basic palette.
  const cube = index - 16;
  const bit = (value: number) => (value >= 3 ? 1 : 0);
  const red = bit(Math.floor(cube / 36));
  const green = bit(Math.floor(cube / 6) % 6);
  const blue = bit(cube % 6);
  return `c${red + 2 * green + 4 * blue}`;
}

function rgb(red: number, green: number, blue: number): string {
  const bit = (value: number) => (value >= 128 ? 1 : 0);
  return `c${bit(red) + 2 * bit(green) + 4 * bit(blue)}`;
}

function applyCodes(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let next = { ...style };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0) next = { ...PLAIN };
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code >= 30 && code <= 37) next.color = `c${code - 30}`;
    else if (code === 39) next.color = '';
    else if (code >= 40 && code <= 47) next.background = `c${code - 40}`;
    else if (code === 49) next.background = '';
    else if (code >= 90 && code <= 97) next.color = `c${code - 90} bright`;
    else if (code >= 100 && code <= 107) next.background = `c${code - 100}`;
    else if (code === 38 || code === 48) {
      let color = '';
      if (codes[at + 1] === 5) {
        color = palette(codes[at + 2] ?? 0);
        at += 2;
      } else if (codes[at + 1] === 2) {
        color = rgb(codes[at + 2] ?? 0, codes[at + 3] ?? 0, codes[at + 4] ?? 0);
        at += 4;
      }
      if (code === 38) next.color = color;
      else next.background = color.replace(' bright', '');
    }
  }
  return next;
}

function classesOf(style: Style): string {
  const classes: string[] = [];
  if (style.color) classes.push(...style.color.split(' ').map((name) => `ansi-${name}`));
  if (style.background) classes.push(`ansi-bg-${style.background}`);
  if (style.bold) classes.push('ansi-bold');
  if (style.dim) classes.push('ansi-dim');
  if (style.italic) classes.push('ansi-italic');
  if (style.underline) classes.push('ansi-underline');
  return classes.join(' ');
}

/** Pieces in order; joined, their texts are what a terminal would leave on the screen. */
export function parseAnsi(output: string): Piece[] {
  const pieces: Piece[] = [];
  const push = (text: string, style: Style) => {
    const clean = text.replace(CONTROL, '');
    if (!clean) return;
    const classes = classesOf(style);
    const last = pieces.at(-1);
    if (last && last.style === classes) last.text += clean;
    else pieces.push({ text: clean, style: classes });
  };
  let style = PLAIN;
  const source = output
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => (line.includes('\r') ? overwritten(line) : line))
    .join('\n');
  let from = 0;
  for (const match of source.matchAll(ESCAPE)) {
    push(source.slice(from, match.index), style);
    from = match.index + match[0].length;
    if ((match[2] ?? match[4]) === 'm') style = applyCodes(style, match[1] ?? match[3] ?? '');
  }
  push(source.slice(from), style);
  return pieces;
}

/** The text alone. */
export function stripAnsi(output: string): string {
  return parseAnsi(output)
    .map((piece) => piece.text)
    .join('');
}
