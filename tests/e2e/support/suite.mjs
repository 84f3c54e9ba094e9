// Tests that share one browser. What a test has opened is closed after it; a failure says what the pages
// showed, and whether the browser itself is to blame.
import { after, afterEach, test } from 'node:test';
import { launch, newPage } from './browser.mjs';

const MOST_TEXT = 3000;

export class BrowserSuite {
  #browser = null;
  #opened = [];
  #hopeless = '';
  #evidence;

  /** `evidence` returns what else may explain a failure, e.g. what a server has said. */
  constructor(evidence = () => '') {
    this.#evidence = evidence;
    after(() => this.#browser?.close());
    afterEach(async () => {
      for (const { context } of this.#opened.splice(0)) await context.close().catch(() => {});
    });
  }

  /** A page in a context of its own, as newPage(). */
  async open(options) {
    if (!this.#browser?.isConnected()) {
      if (this.#browser) console.error('Chromium has ended by itself; starting another one.');
      this.#browser = await launch();
    }
    const visitor = await newPage(this.#browser, options);
    this.#opened.push(visitor);
    return visitor;
  }

  test(name, body) {
    test(name, async () => {
      if (this.#hopeless) throw new Error(`not tried, because this failed: ${this.#hopeless}`);
      try {
        await body();
      } catch (error) {
        throw new Error(await this.#explain(error.message), { cause: error });
      }
    });
  }

  /** A test without whose success the others would only wait in vain. */
  vitalTest(name, body) {
    this.test(name, async () => {
      try {
        await body();
      } catch (error) {
        this.#hopeless = name;
        throw error;
      }
    });
  }

  async #explain(message) {
    if (this.#browser && !this.#browser.isConnected()) return `Chromium has crashed.\n${message}`;
    const pages = this.#opened.map(async ({ page, problems }) => {
      const text = await page
        .locator('body')
        .innerText({ timeout: 5000 })
        .catch((error) => `nothing: ${error.message}`);
      return [`${page.url()} showed:`, text.slice(-MOST_TEXT), ...problems].join('\n');
    });
    const told = [message, ...(await Promise.all(pages)), this.#evidence()];
    return told.filter(Boolean).join('\n\n');
  }
}
