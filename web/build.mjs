// Builds the page into dist/: index.html and assets/ with names that change with their content, so
// that they can be cached for ever. Prints what a first load costs, and fails beyond the budget.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUDGET_KB = 120;
const root = dirname(fileURLToPath(import.meta.url));
const dist = process.argv[2] ?? join(root, 'dist');
const assets = join(dist, 'assets');

const hashed = (name, extension, content) =>
  `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${extension}`;

const common = {
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
};

/** The script in pieces: what the first load needs, and what comes when it is wanted. */
async function bundleScript() {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: [join(root, 'src/main.tsx')],
    absWorkingDir: root,
    outdir: assets,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    format: 'esm',
    splitting: true,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const pieces = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const described = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const [entry] = [...described].find(([, { entryPoint }]) => entryPoint === 'src/main.tsx');
  const first = new Set([entry]);
  for (const name of first) {
    for (const { path, kind } of described.get(name).imports) {
      if (kind === 'import-statement') first.add(basename(path));
    }
  }
  return { pieces, entry, first: [...first].map((name) => pieces.get(name)) };
}

async function bundleStyle() {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [join(root, 'src/styles/main.css')],
  });
  return outputFiles[0].contents;
}

const script = await bundleScript();
const style = await bundleStyle();
const icon = readFileSync(join(root, 'src/icon.svg'));
const names = {
  SCRIPT: script.entry,
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
  ...[...script.pieces].map(([name, content]) => [`assets/${name}`, content]),
  [`assets/${names.STYLE}`, style],
  [`assets/${names.ICON}`, icon],
  ['index.html', pageOf('index.html')],
  ['sign_in.html', pageOf('sign_in.html')],
  ['manifest.webmanifest', pageOf('manifest.webmanifest')],
]);
mkdirSync(assets, { recursive: true });
for (const [name, content] of files) {
  const path = join(dist, name);
  if (!existsSync(path) || !readFileSync(path).equals(content)) writeFileSync(path, content);
}
for (const name of readdirSync(assets)) {
  if (!files.has(`assets/${name}`)) rmSync(join(assets, name));
}

const size = (contents) => gzipSync(contents, { level: 9 }).length;
const kilobytes =
  [...script.first, style].reduce((sum, contents) => sum + size(contents), 0) / 1024;
const later =
  [...script.pieces.values()].reduce((sum, one) => sum + size(one), size(style)) / 1024 - kilobytes;
console.log(
  `First load, JavaScript and CSS: ${kilobytes.toFixed(1)} KB gzip, budget ${BUDGET_KB} KB; ` +
    `on demand: ${later.toFixed(1)} KB`,
);
if (kilobytes > BUDGET_KB) process.exit(1);
