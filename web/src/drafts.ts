// What was written and not sent, by the session it is for: texts and pictures, over a reload too. The
// page for a new session has a draft of its own.
import { signal } from '@preact/signals';
import type { Block } from './protocol/wire.ts';

/** The key of the draft for a session that does not exist yet. */
export const NEW_DRAFT = 'new';
/** The drafts that are longer than what the browser keeps. */
export const unkeptDrafts = signal<ReadonlySet<string>>(new Set());

const texts = new Map<string, string>();
const pictures = new Map<string, Block[]>();
/** What Escape has cleared: Up brings it back when the browser's undo cannot. */
const cleared = new Map<string, string>();

const placeOf = (id: string) => `parley.draft.${id}`;

export function draftText(id: string): string {
  return texts.get(id) ?? localStorage.getItem(placeOf(id)) ?? '';
}

/** Keeps it over a reload; if it is too long for that, the user is told. */
export function keepText(id: string, text: string): void {
  texts.set(id, text);
  const unkept = new Set(unkeptDrafts.value);
  try {
    if (text) localStorage.setItem(placeOf(id), text);
    else localStorage.removeItem(placeOf(id));
    unkept.delete(id);
  } catch {
    unkept.add(id);
  }
  if (unkept.size !== unkeptDrafts.value.size) unkeptDrafts.value = unkept;
}

export const clearedText = (id: string): string => cleared.get(id) ?? '';

export function noteCleared(id: string, text: string): void {
  if (text) cleared.set(id, text);
  else cleared.delete(id);
}

// Pictures are larger than what localStorage holds.

const DATABASE = 'parley';
const STORE = 'draft_pictures';

function database(): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
    } catch {
      // Private windows of some browsers: pictures live as long as the page.
      resolve(null);
    }
  });
}

const opened = database();

export function draftPictures(id: string): Block[] {
  return pictures.get(id) ?? [];
}

/** Those of before a reload; what was added since comes after them. */
export async function loadPictures(id: string): Promise<Block[]> {
  if (pictures.has(id)) return draftPictures(id);
  const base = await opened;
  const stored = await new Promise<unknown>((resolve) => {
    if (!base) return resolve([]);
    const request = base.transaction(STORE).objectStore(STORE).get(id);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve([]);
  });
  if (!pictures.has(id)) pictures.set(id, Array.isArray(stored) ? (stored as Block[]) : []);
  return draftPictures(id);
}

export function keepPictures(id: string, blocks: Block[]): void {
  pictures.set(id, blocks);
  void opened.then((base) => {
    const store = base?.transaction(STORE, 'readwrite').objectStore(STORE);
    if (blocks.length > 0) store?.put(blocks, id);
    else store?.delete(id);
  });
}
