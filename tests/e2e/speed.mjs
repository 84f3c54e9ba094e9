// Measures the page in Chromium: opening a long session, frames while an answer streams at the end of
// it, the way up to its first message, and the list of 3,000 sessions. Times of the clock suffer from whatever else the machine does; the processor time of the page's
// process does so less. Run by hand: node tests/e2e/speed.mjs [MESSAGES]
import { launch, newPage } from './support/browser.mjs';
import { call, result, say, stream } from './support/scenes.mjs';
import { StubHub } from './support/stub_hub.mjs';

const MESSAGES = Number(process.argv[2] ?? 10_000);
const DELTAS = 1000;

const PARAGRAPH =
  'A paragraph of the usual length with **some** `code` and a [link](https://example.com) in it, as agents write.\n\n';
const CODE = '```ts\nexport function answer(): number {\n  return 42; // of course\n}\n```\n\n';

const hub = await new StubHub().start();
const browser = await launch();
try {
  const id = hub.addSession({ title: 'Long' });
  for (let index = 0; index < MESSAGES; index += 2) {
    say(hub, id, PARAGRAPH + (index % 10 === 0 ? CODE : ''));
    const tool = call(hub, id, 'Bash', { command: `echo ${index}` });
    result(hub, id, tool, `${index}`);
  }
  const { page } = await newPage(browser);
  await page.goto(hub.url);
  await page.getByRole('link', { name: /Long/ }).waitFor();
  const control = await browser.newBrowserCDPSession();
  /** Processor time of the page's process so far, in ms. */
  const spent = async () => {
    const { processInfo } = await control.send('SystemInfo.getProcessInfo');
    return (
      1000 *
      Math.max(
        ...processInfo.filter(({ type }) => type === 'renderer').map(({ cpuTime }) => cpuTime),
      )
    );
  };
  let before = await spent();

  const opening = await page.evaluate(async () => {
    const start = performance.now();
    document.querySelector('a.session').click();
    const rows = () => document.querySelectorAll('.scroller .row').length;
    while (rows() === 0) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - start;
  });
  console.log(
    `opening a session of ${MESSAGES} messages: ${opening.toFixed(0)} ms to the paint of its end, ` +
      `${((await spent()) - before).toFixed(0)} ms of the processor`,
  );
  await page.locator('[aria-busy=false]').waitFor();

  await page.evaluate(() => {
    window.frames_ = [];
    window.work_ = [];
    let last = performance.now();
    const tick = (now) => {
      window.frames_.push(now - last);
      last = now;
      window.timer_ = requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.work_.push(entry.duration);
    }).observe({ entryTypes: ['longtask'] });
  });
  before = await spent();
  const answer = stream(hub, id);
  const source = (PARAGRAPH + CODE).repeat(Math.ceil(20_000 / (PARAGRAPH.length + CODE.length)));
  const size = Math.ceil(source.length / DELTAS);
  const started = performance.now();
  for (let at = 0; at < source.length; at += size) {
    answer.add(source.slice(at, at + size));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  answer.finish();
  await page.locator('.turn').last().waitFor();
  const { frames, work } = await page.evaluate(() => ({
    frames: window.frames_,
    work: window.work_,
  }));
  const used = (await spent()) - before;
  frames.sort((a, b) => a - b);
  const at = (share) =>
    frames[Math.min(frames.length - 1, Math.floor(frames.length * share))].toFixed(1);
  console.log(
    `streaming ${source.length} characters in ${DELTAS} deltas over ${((performance.now() - started) / 1000).toFixed(1)} s: ` +
      `${frames.length} frames, median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms; ` +
      `tasks over 50 ms: ${work.length}; ${used.toFixed(0)} ms of the processor, ${(used / frames.length).toFixed(1)} ms per frame`,
  );
  // Up to the very first message, as fast as the page lets the user scroll, then back to the end.
  const reading = await page.evaluate(async () => {
    const scroller = document.querySelector('.scroller');
    const gaps = [];
    const start = performance.now();
    let last = start;
    while (!scroller.querySelector('.older').hidden && last - start < 10_000) {
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1000 }));
      scroller.scrollTop = 0;
      const now = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    const rows = scroller.querySelectorAll('.row').length;
    return { rows, gaps, ms: performance.now() - start };
  });
  reading.gaps.sort((a, b) => a - b);
  console.log(
    `scrolling to the first message: ${(reading.ms / 1000).toFixed(1)} s, ${reading.rows} rows mounted, ` +
      `${reading.gaps.length} frames, median ${reading.gaps[reading.gaps.length >> 1].toFixed(1)} ms, ` +
      `longest ${reading.gaps.at(-1).toFixed(0)} ms`,
  );

  for (let index = 0; index < 3000; index += 1) {
    const updated = Date.now() - index * 60_000;
    hub.addSession({ title: `Session ${index}`, cwd: `/work/project-${index % 200}`, updated });
  }
  const { page: list } = await newPage(browser);
  await list.goto(hub.url);
  await list.getByRole('link', { name: /^Session 0\b/ }).waitFor();
  const listed = await list.evaluate(async () => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const field = document.querySelector('.search');
    const times = [];
    for (const text of ['session 29', '', 'project-7', '']) {
      const start = performance.now();
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await painted();
      times.push(performance.now() - start);
    }
    return { longest: Math.max(...times), entries: document.querySelectorAll('a.session').length };
  });
  console.log(
    `3,000 sessions of 200 projects: ${listed.entries} entries, drawn anew for another search in ` +
      `${listed.longest.toFixed(0)} ms at most`,
  );
} finally {
  await browser.close();
  await hub.stop();
}
