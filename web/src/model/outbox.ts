// What the user has sent and the hub has not acknowledged. It survives a reload; sending twice does no
// harm, because the hub knows a message by its client id.
import type { Content } from '../protocol/wire.ts';

export interface Unsent {
  clientId: string;
  session: string;
  content: Content;
  /** Why the hub refused it, '' if it has not. */
  problem: string;
}

const KEY = 'parley.outbox';

export class Outbox {
  /** False while the storage has no room for what waits: then it lives as long as the page. */
  kept = true;
  private entries: Unsent[];

  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.entries = this.load();
  }

  all(): readonly Unsent[] {
    return this.entries;
  }

  of(session: string): Unsent[] {
    return this.entries.filter((entry) => entry.session === session);
  }

  add(session: string, content: Content, clientId: string): Unsent {
    const entry = { clientId, session, content, problem: '' };
    this.entries = [...this.entries, entry];
    this.save();
    return entry;
  }

  remove(clientId: string): void {
    if (!this.entries.some((entry) => entry.clientId === clientId)) return;
    this.entries = this.entries.filter((entry) => entry.clientId !== clientId);
    this.save();
  }

  refuse(clientId: string, problem: string): void {
    this.entries = this.entries.map((entry) =>
      entry.clientId === clientId ? { ...entry, problem } : entry,
    );
    this.save();
  }

  private load(): Unsent[] {
    try {
      const stored: unknown = JSON.parse(this.storage.getItem(KEY) ?? '[]');
      return Array.isArray(stored) ? (stored as Unsent[]) : [];
    } catch {
      return [];
    }
  }

  private save(): void {
    try {
      this.storage.setItem(KEY, JSON.stringify(this.entries));
      this.kept = true;
    } catch {
      // Storage may be full or forbidden; the page still has the entries.
      this.kept = this.entries.length === 0;
    }
  }
}
