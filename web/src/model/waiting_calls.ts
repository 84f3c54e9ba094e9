// Which of several calls that were made together has to wait for those before it: agents run what only
// looks side by side, and everything else one after the other. For the reducer only.
import { touch } from './item_list.ts';
import type { ToolItem } from './items.ts';
import type { State } from './state.ts';

/** What runs beside others. */
// prettier-ignore
const SIDE_BY_SIDE = new Set([
  'Read', 'Glob', 'Grep', 'LS', 'WebFetch', 'WebSearch', 'Task', 'Agent', 'ToolSearch', 'NotebookRead',
]);

/** A call was made, or has ended: those made together with it are looked at again. */
export function lineUp(state: State, changed: ToolItem): void {
  const before: ToolItem[] = [];
  for (const tool of state.unfinished) {
    if (tool.messageId !== changed.messageId || tool.parent !== changed.parent) continue;
    const waits = before.some(
      (other) => !SIDE_BY_SIDE.has(other.name) || !SIDE_BY_SIDE.has(tool.name),
    );
    before.push(tool);
    if (tool.waits === waits) continue;
    tool.waits = waits;
    // The time before its turn came is not its own.
    tool.time = state.time;
    touch(state, tool);
  }
}
