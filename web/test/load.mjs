// Compiles a module of the page for Node, so that its pure parts can be tested without a browser.
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function load(path) {
  const result = await build({
    entryPoints: [join(root, 'src', path)],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}
