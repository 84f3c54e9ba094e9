// The conversation in the page: the hot path. Changes are drawn once per animation frame, only a
// window of rows is mounted, which moves with the reader, and the view follows the end only as long as
// the user is there.
import { h } from '../dom.ts';
import type { Conversation } from '../model/conversation.ts';
import { words } from '../words.ts';
import { listenForActions } from './actions.ts';
import { RowList } from './row_list.ts';

const MOUNT_STEP = 120;
const MOST_MOUNTED = 400;
/** Closer to the end than this counts as being there, in CSS pixels. */
const NEAR_END = 48;
/** Earlier rows are mounted this far before they come into view. */
const AHEAD = 600;
/** A scroll this soon after the user's hand is the user's; momentum goes on for a while. */
const USER_SCROLL_MS = 1500;
/** Room above a row that was brought into view. */
const ABOVE = 16;
/** How often the time of what runs is counted on. */
const COUNT_MS = 1000;

export interface TranscriptHooks {
  /** Earlier events are wanted; ends when they are in the conversation, false if there are none. */
  loadOlder(): Promise<boolean>;
  /** The user has left the end, or is there again. */
  onFollow(following: boolean): void;
  stopTask(taskId: string): void;
  fork(upTo: string, draft: string): void;
  rewind(promptId: string): void;
  /** The time by the hub's clock. */
  now(): number;
}

export class Transcript {
  private list = new RowList();
  /** Rows get their true height only when they come into view. */
  private sizes = new ResizeObserver(() => this.follow());
  private older = h('button', { class: 'older', type: 'button' }, words.loadOlder);
  /** Long logs lose their oldest part. */
  private gone = h('div', { class: 'row marker' }, h('span', {}, words.beginningGone));
  private working = h(
    'div',
    { class: 'working', hidden: true, 'aria-hidden': 'true' },
    h('i'),
    h('i'),
    h('i'),
  );
  /** The items from here to `end` are mounted; without an end, all that come. */
  private first = 0;
  private end: number | null = null;
  private frame = 0;
  private following = true;
  private loading = false;
  private conversation: Conversation | null = null;
  private hasOlder = false;
  private lastTop = 0;
  private userMovedAt = -Infinity;

  /** `scroller` is the element that scrolls; everything inside belongs to the transcript. */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly hooks: TranscriptHooks,
  ) {
    scroller.replaceChildren(this.older, this.gone, this.list.element, this.working);
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
    listenForActions(scroller, {
      items: () => this.conversation?.items ?? [],
      showTool: (toolId) => this.showTool(toolId),
      stopTask: hooks.stopTask,
      fork: hooks.fork,
      rewind: hooks.rewind,
    });
    window.setInterval(() => this.countTime(), COUNT_MS);
    this.older.addEventListener('click', () => void this.extend());
    for (const kind of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      const moved = () => (this.userMovedAt = performance.now());
      scroller.addEventListener(kind, moved, { passive: true });
    }
    this.sizes.observe(scroller);
    this.sizes.observe(this.list.element);
    new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void this.extend();
      },
      { root: scroller, rootMargin: `${AHEAD}px 0px 0px 0px` },
    ).observe(this.older);
  }

  /** Shows another conversation, from its end. */
  open(conversation: Conversation | null): void {
    this.conversation = conversation;
    this.sizes.unobserve(this.list.element);
    this.list = new RowList();
    this.sizes.observe(this.list.element);
    this.scroller.replaceChildren(this.older, this.gone, this.list.element, this.working);
    this.showEnd();
    this.setFollowing(true);
    this.draw();
  }

  /** Whether the hub has events before the first one known here. */
  setHasOlder(hasOlder: boolean): void {
    this.hasOlder = hasOlder;
    this.showOlder();
  }

  /** The agent is at work: a quiet sign at the end of what it has said. */
  setWorking(working: boolean): void {
    this.working.hidden = !working;
    this.follow();
  }

  /** Asks for a redraw in the next frame. */
  changed(): void {
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  /** Brings the last thing the user has said to the top of the view. */
  toLastPrompt(): void {
    const items = this.conversation?.items ?? [];
    const { top } = this.scroller.getBoundingClientRect();
    for (let index = items.length - 1; index >= 0; index -= 1) {
      const item = items[index];
      if (item?.kind !== 'prompt') continue;
      const row = this.mountItem(index);
      // From one that is in its place already, to the one before it.
      if (row && Math.abs(row.getBoundingClientRect().top - top) < NEAR_END) continue;
      return this.scrollToRow(row);
    }
  }

  /** Brings the row of a call into view, opened. */
  showTool(toolId: string): void {
    const id = this.conversation?.tool(toolId)?.id;
    const index = this.conversation?.items.findIndex((item) => item.id === id) ?? -1;
    if (index < 0) return;
    const row = this.mountItem(index);
    const head = row?.querySelector<HTMLButtonElement>('.tool-head');
    if (head?.getAttribute('aria-expanded') === 'false') head.click();
    this.scrollToRow(row);
    head?.focus({ preventScroll: true });
  }

  /** Mounts the part around an item if it is not mounted. */
  private mountItem(index: number): HTMLElement | null {
    const item = this.conversation?.items[index];
    if (!item) return null;
    const end = this.end ?? this.conversation?.items.length ?? 0;
    if (index < this.first || index >= end) {
      this.first = Math.max(0, index - MOUNT_STEP / 2);
      this.end = this.first + MOUNT_STEP;
      if (this.end >= (this.conversation?.items.length ?? 0)) this.end = null;
      this.setFollowing(false);
      this.mount();
    }
    return this.list.reveal(item.id);
  }

  private scrollToRow(row: HTMLElement | null): void {
    if (!row) return;
    this.setFollowing(false);
    // Rows get their true height only in view: the second time they have it.
    for (let round = 0; round < 2; round += 1) {
      const { top } = this.scroller.getBoundingClientRect();
      this.scrollTo(this.scroller.scrollTop + row.getBoundingClientRect().top - top - ABOVE);
    }
  }

  private countTime(): void {
    for (const element of this.scroller.querySelectorAll<HTMLElement>('[data-since]')) {
      const passed = this.hooks.now() - Number(element.dataset['since']);
      element.textContent = passed < COUNT_MS ? '' : words.seconds(passed);
    }
  }

  toEnd(): void {
    this.setFollowing(true);
    this.draw();
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const count = this.conversation?.items.length ?? 0;
    const beyond = this.end !== null || count - this.first > MOST_MOUNTED;
    const empty = this.list.size === 0;
    if (empty || (this.following && beyond)) this.showEnd();
    this.first = Math.min(this.first, count);
    this.mount();
    this.countTime();
    this.follow();
    // What does not fill the view leaves the way to earlier rows in it, where nobody scrolls to it.
    if (empty && this.list.size > 0 && this.scroller.scrollTop < AHEAD) void this.extend();
  }

  private showEnd(): void {
    this.first = Math.max(0, (this.conversation?.items.length ?? 0) - MOUNT_STEP);
    this.end = null;
  }

  private mount(): void {
    this.list.show((this.conversation?.items ?? []).slice(this.first, this.end ?? undefined));
    this.showOlder();
  }

  /** Mounts another part; the first row in view, which is in both, stays where it is. */
  private remount(): void {
    const { top } = this.scroller.getBoundingClientRect();
    const rows = [...this.list.element.children];
    const seen = rows.find((row) => row.getBoundingClientRect().bottom > top);
    const before = seen?.getBoundingClientRect().top ?? 0;
    this.mount();
    if (this.following) return this.follow();
    if (!seen?.isConnected) return;
    this.scrollTo(this.scroller.scrollTop + seen.getBoundingClientRect().top - before);
  }

  private showOlder(): void {
    this.older.hidden = this.first === 0 && !this.hasOlder;
    this.gone.hidden = !this.older.hidden || (this.conversation?.firstSeq ?? 0) <= 1;
  }

  /** Mounts earlier rows, asking the hub if there are none left here; what is in view stays put. */
  private async extend(): Promise<void> {
    if (this.loading || !this.conversation || this.older.hidden) return;
    this.loading = true;
    const conversation = this.conversation;
    const before = conversation.items.length;
    try {
      if (this.first === 0) {
        if (!(await this.hooks.loadOlder())) return;
        if (conversation !== this.conversation) return;
        this.first += conversation.items.length - before;
        if (this.end !== null) this.end += conversation.items.length - before;
      }
      this.first = Math.max(0, this.first - MOUNT_STEP);
      const end = this.first + MOST_MOUNTED;
      if (!this.following && end < (this.end ?? conversation.items.length)) this.end = end;
      this.remount();
      // Who scrolls faster than rows are mounted is at the top again: the button has not left the view.
      requestAnimationFrame(() => {
        if (this.scroller.scrollTop < AHEAD) void this.extend();
      });
    } finally {
      this.loading = false;
    }
  }

  /** Mounts the rows after the last one; the first ones go when there are too many. */
  private extendDown(): void {
    const count = this.conversation?.items.length ?? 0;
    if (this.end === null) return;
    this.end += MOUNT_STEP;
    this.first = Math.max(this.first, this.end - MOST_MOUNTED);
    if (this.end >= count) this.end = null;
    this.remount();
  }

  private follow(): void {
    if (this.following) this.scrollTo(this.scroller.scrollHeight);
  }

  private scrollTo(top: number): void {
    this.scroller.scrollTop = top;
    this.lastTop = this.scroller.scrollTop;
  }

  private scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const fromEnd = scrollHeight - clientHeight - scrollTop;
    const byUser = performance.now() - this.userMovedAt < USER_SCROLL_MS;
    // Even the smallest move up is the user's wish to read; only a move down to the end takes it back.
    if (byUser && scrollTop < this.lastTop && fromEnd > 2) this.setFollowing(false);
    else if (this.end === null && scrollTop >= this.lastTop && fromEnd <= NEAR_END)
      this.setFollowing(true);
    this.lastTop = scrollTop;
    if (fromEnd < AHEAD) this.extendDown();
  }

  private setFollowing(following: boolean): void {
    if (this.following === following) return;
    this.following = following;
    this.hooks.onFollow(following);
  }
}
