// Lets the conformance package start on Node before 22: it imports fs.globSync, which is not there
// yet, for a command that is not used here.
import fs from 'node:fs';
import { register } from 'node:module';

const module = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

if (!fs.globSync) {
  const shim = module(`
    export * from 'node:fs';
    export function globSync() { throw new Error('this Node has no fs.globSync'); }`);
  register(module(`
    export function resolve(specifier, context, next) {
      const asks = context.parentURL?.endsWith('/conformance/dist/index.js');
      return asks && specifier === 'fs'
        ? { url: ${JSON.stringify(shim)}, shortCircuit: true }
        : next(specifier, context);
    }`));
}
