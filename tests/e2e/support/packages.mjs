// npm packages of the page, found where web/ has them: node's own lookup starts at this file.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const DIST = process.env.PARLEY_WEB_DIST ?? join(ROOT, 'web/dist');
const require = createRequire(join(ROOT, 'web/package.json'));

export const { chromium } = require('playwright-core');
export const { WebSocketServer } = require('ws');
