// Adding rows to the transcript and marking them as changed. For the reducer only.
import type { FailureItem, Item, MarkerItem, MarkerKind, ToolItem } from './items.ts';
import type { State } from './state.ts';

/** The id of a new item: it follows from the event that made it, however that event came. */
export function newId(state: State): string {
  state.made += 1;
  return `${state.seq}.${state.made}`;
}

/** Adds a row, or an item inside the row of a tool call. */
export function addItem(state: State, item: Item, parent?: ToolItem): void {
  if (item.kind === 'tool') {
    state.tools.set(item.toolId, item);
    state.unfinished.add(item);
  }
  if (!parent) {
    state.items.push(item);
    return;
  }
  item.id = `${parent.id}/${parent.children.length}`;
  if (item.kind === 'tool') item.parent = parent.toolId;
  parent.children.push(item);
  touch(state, parent);
}

export function addMarker(state: State, marker: MarkerKind, text: string): MarkerItem {
  const item: MarkerItem = {
    id: newId(state),
    version: 0,
    time: state.time,
    kind: 'marker',
    marker,
    text,
  };
  addItem(state, item);
  return item;
}

/** Has an item drawn again; a change inside a tool call is one of its row, too. */
export function touch(state: State, item: Item): void {
  item.version += 1;
  for (let at = item; at.kind === 'tool' && at.parent !== null;) {
    const outer = state.tools.get(at.parent);
    if (!outer) return;
    outer.version += 1;
    at = outer;
  }
}

/** Takes a row out again. It is one of the last. */
export function removeItem(state: State, item: Item): void {
  const index = state.items.lastIndexOf(item);
  if (index >= 0) state.items.splice(index, 1);
  if (item.kind !== 'tool') return;
  state.tools.delete(item.toolId);
  state.unfinished.delete(item);
}

/** The call of this id, if it is known. */
export function findTool(state: State, id: string | null | undefined): ToolItem | undefined {
  return id === null || id === undefined ? undefined : state.tools.get(id);
}

/** Adds a failure of a turn, or of the agent as a whole. */
export function addFailure(
  state: State,
  title: FailureItem['title'],
  text: string,
  detail: FailureItem['detail'],
): void {
  const { time } = state;
  addItem(state, { id: newId(state), version: 0, time, kind: 'failure', title, text, detail });
}
