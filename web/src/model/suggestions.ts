// The agent's own suggestions for a permission, in words. The update itself goes back unchanged: one
// wrong entry would make the agent drop the whole list.
import type { PermissionUpdate } from '../protocol/contract.ts';
import type { ToolRequest } from '../protocol/wire.ts';
import { words } from '../words.ts';

/** As many as there are keys. What the hub would refuse is not offered. */
export function suggestionsOf(request: ToolRequest, bypass: boolean): PermissionUpdate[] {
  return (request.permission_suggestions ?? [])
    .filter((update) => bypass || update.mode !== 'bypassPermissions')
    .slice(0, 9);
}

export function suggestionLabel(update: PermissionUpdate): string {
  if (update.type === 'setMode' && update.mode) {
    return words.switchMode(words.modes[update.mode] ?? update.mode);
  }
  if (update.type === 'addDirectories' && update.directories?.length) {
    return words.allowFolder(update.directories.join(', '));
  }
  if (update.type === 'addRules' && update.behavior === 'allow' && update.rules?.length) {
    return update.rules
      .map(({ toolName, ruleContent }) =>
        ruleContent ? words.alwaysRule(`${toolName}(${ruleContent})`) : words.alwaysTool(toolName),
      )
      .join(', ');
  }
  return words.otherSuggestion(update.type);
}
