// One session as the page has it: the events it knows, and the state that follows from them. There
// is one way in, add(), for events as they happen, those of a reload and earlier pages alike.
import type { Numbered } from '../protocol/contract.ts';
import { EventLog } from './event_log.ts';
import type { Item, Task, ToolItem } from './items.ts';
import { reduce } from './reduce.ts';
import { emptyState } from './state.ts';
import type { About, Facts, PendingRequest, QueuedPrompt, State } from './state.ts';
import type { Todo } from './todos.ts';

export class Conversation {
  private log = new EventLog();
  private state: State = emptyState();

  get items(): readonly Item[] {
    return this.state.items;
  }
  get facts(): Readonly<Facts> {
    return this.state.facts;
  }
  get pending(): ReadonlyMap<string, PendingRequest> {
    return this.state.pending;
  }
  /** The number of the last event that changed `pending`. */
  get askedSeq(): number {
    return this.state.askedSeq;
  }
  get queue(): readonly QueuedPrompt[] {
    return this.state.queue;
  }
  /** Subagents and commands in the background that run. */
  get tasks(): Task[] {
    return [...this.state.tasks.values()].filter((task) => task.status === 'running');
  }
  taskName(id: string): string {
    return this.state.tasks.get(id)?.description ?? '';
  }
  get todos(): readonly Todo[] {
    return this.state.todos;
  }
  get about(): Readonly<About> | null {
    return this.state.about;
  }
  /** What the process that runs has used, by model. */
  get usage(): State['usage'] {
    return this.state.usage;
  }
  get firstSeq(): number {
    return this.log.firstSeq;
  }
  get lastSeq(): number {
    return this.log.lastSeq;
  }

  tool(id: string | undefined): ToolItem | undefined {
    return id === undefined ? undefined : this.state.tools.get(id);
  }

  /** Whether the hub has accepted a prompt of this client id. */
  hasPrompt(clientId: string): boolean {
    return this.state.promptIds.has(clientId);
  }

  /** Whether a prompt was withdrawn before the agent began with it. */
  isWithdrawn(clientId: string): boolean {
    return this.state.withdrawnIds.has(clientId);
  }

  /**
   * Takes events in order: later ones than those known, or a page of earlier ones, from which all is
   * derived again. What is known already is ignored, so that a repeated delivery does no harm.
   */
  add(events: readonly Numbered[]): void {
    const { firstSeq } = this.log;
    const earlier = firstSeq === 0 ? [] : events.filter(({ seq }) => seq < firstSeq);
    if (earlier.length > 0) {
      this.log.prepend(earlier);
      this.state = emptyState();
      for (const numbered of this.log.all()) reduce(this.state, numbered);
    }
    for (const numbered of events) {
      if (numbered.seq <= this.log.lastSeq) continue;
      this.log.append(numbered);
      reduce(this.state, numbered);
    }
  }
}
