// Builds the page into dist/: index.html and assets/ with names that change with their content, so
// that they can be cached for ever. Prints what a first load costs, and fails beyond the budget.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUDGET_KB = 120;
const root = dirname(fileURLToPath(import.meta.url));
const dist = process.argv[2] ?? join(root, 'dist');
const assets = join(dist, 'assets');

const hashed = (name, extension, content) =>
  `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${extension}`;

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(root, 'src', entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  return result.outputFiles[0].contents;
}

const script = await bundle('main.tsx');
const style = await bundle('styles/main.css');
const icon = readFileSync(join(root, 'src/icon.svg'));
const names = {
  SCRIPT: hashed('main', 'js', script),
  STYLE: hashed('main', 'css', style),
  ICON: hashed('icon', 'svg', icon),
};
function pageOf(file) {
  let page = readFileSync(join(root, file), 'utf8');
  for (const [placeholder, name] of Object.entries(names)) page = page.replace(placeholder, name);
  return Buffer.from(page);
}

// Only what has changed is written: others build with these files at the same time.
const files = new Map([
  [`assets/${names.SCRIPT}`, script],
  [`assets/${names.STYLE}`, style],
  [`assets/${names.ICON}`, icon],
  ['index.html', pageOf('index.html')],
  ['sign_in.html', pageOf('sign_in.html')],
]);
mkdirSync(assets, { recursive: true });
for (const [name, content] of files) {
  const path = join(dist, name);
  if (!existsSync(path) || !readFileSync(path).equals(content)) writeFileSync(path, content);
}
for (const name of readdirSync(assets)) {
  if (!files.has(`assets/${name}`)) rmSync(join(assets, name));
}

const kilobytes =
  (gzipSync(script, { level: 9 }).length + gzipSync(style, { level: 9 }).length) / 1024;
console.log(`JavaScript and CSS: ${kilobytes.toFixed(1)} KB gzip, budget ${BUDGET_KB} KB`);
if (kilobytes > BUDGET_KB) process.exit(1);
