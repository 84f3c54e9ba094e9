// What the tests against the stub hub share: a hub for each test, a visit, and what a page is made of.
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { StubHub } from './stub_hub.mjs';
import { BrowserSuite } from './suite.mjs';

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** One red pixel. */
export const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

export const transcript = (page) => page.getByRole('region', { name: 'Conversation' });
export const dock = (page) => page.getByRole('region', { name: 'Waiting for you' });
export const message = (page) => page.getByRole('textbox', { name: 'Message' });

/** Lets the page draw what it has. */
export const drawn = (page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );

/** Waits for the end of a scroll: a wheel's goes on for some frames after it was turned. */
export const still = (scroller) =>
  scroller.evaluate(
    (element) =>
      new Promise((resolve) => {
        let [top, frames] = [element.scrollTop, 0];
        const look = () => {
          frames = element.scrollTop === top ? frames + 1 : 0;
          top = element.scrollTop;
          if (frames === 20) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );

/** Goes into the request; its keys do nothing in its first moment. */
export async function pressUntilAnswered(page, key) {
  await dock(page).waitFor();
  await page.keyboard.press('Alt+r');
  while ((await dock(page).count()) > 0) {
    await page.keyboard.press(key);
    await drawn(page);
  }
}

export async function waitUntil(condition, what) {
  const end = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > end) assert.fail(`timed out: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Tests in one browser, each with a hub of its own. */
export class StubSuite extends BrowserSuite {
  hub = null;

  constructor() {
    super();
    beforeEach(async () => {
      this.hub = await new StubHub().start();
    });
    afterEach(() => this.hub.stop());
  }

  /** Opens a session, or the page for a new one, and waits until it is there. */
  async visit(id, options) {
    const visitor = await this.open(options);
    const { page } = visitor;
    await page.goto(this.hub.url + (id ? `#/s/${id}` : ''));
    if (id) await transcript(page).and(page.locator('[aria-busy=false]')).waitFor();
    return visitor;
  }
}
