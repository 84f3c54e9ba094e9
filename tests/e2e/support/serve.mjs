// `parley serve` as a user starts it: with the demo's scripted model, in a home of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './packages.mjs';

const BUILD = process.env.PARLEY_BUILD_DIR ?? join(ROOT, 'build/dev');

export class Serve {
  #home;
  #process = null;
  #exit = null;
  port = 0;
  stderr = '';

  constructor(home = mkdtempSync(join(tmpdir(), 'parley-serve-'))) {
    this.#home = home;
  }

  /** Starts it, on the same port and data if it has run before; the link signs a browser in. */
  async start() {
    const args = [
      'serve',
      '--demo',
      '--no-open',
      '--port',
      String(this.port),
      '--data',
      join(this.#home, 'data'),
    ];
    // An agent other than parley-agent may take its place in trials.
    if (process.env.PARLEY_TEST_AGENT) args.push('--agent', process.env.PARLEY_TEST_AGENT);
    this.#process = spawn(join(BUILD, 'bin/parley'), args, {
      env: { HOME: this.#home, PATH: '/usr/bin:/bin', TMPDIR: this.#home, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exit = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.stderr.on('data', (data) => (this.stderr += data));
    const lines = createInterface({ input: this.#process.stdout });
    const link = await Promise.race([
      new Promise((resolve) => lines.once('line', resolve)),
      this.#exit.then(() => {
        throw new Error(`parley serve ended at once: ${this.stderr}`);
      }),
    ]);
    this.port = Number(new URL(link).port);
    return link;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  async stop(signal = 'SIGTERM') {
    this.#process.kill(signal);
    await this.#exit;
  }
}
