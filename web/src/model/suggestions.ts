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

/** The longest part of a rule that a button has room for. */
const MOST_OF_RULE = 60;

/** For how long, and for whom, the agent would remember it. */
export function suggestionReach({ type, destination }: PermissionUpdate): string {
  if (type === 'setMode') return words.reach['session'] ?? '';
  return words.reach[destination ?? ''] ?? '';
}

/** The end of a rule says as much as its beginning. */
function shortRule(rule: string, short: boolean): string {
  if (!short || rule.length <= MOST_OF_RULE) return rule;
  return `${rule.slice(0, MOST_OF_RULE - 20)}…${rule.slice(-18)}`;
}

/** `short`: long rules lose their middle. */
export function suggestionLabel(update: PermissionUpdate, short = false): string {
  if (update.type === 'setMode' && update.mode) {
    return words.switchMode(words.modes[update.mode] ?? update.mode);
  }
  if (update.type === 'addDirectories' && update.directories?.length) {
    return words.allowFolder(shortRule(update.directories.join(', '), short));
  }
  if (update.type === 'addRules' && update.behavior === 'allow' && update.rules?.length) {
    return update.rules
      .map(({ toolName, ruleContent }) =>
        ruleContent
          ? words.alwaysRule(shortRule(`${toolName}(${ruleContent})`, short))
          : words.alwaysTool(toolName),
      )
      .join(', ');
  }
  return words.otherSuggestion(update.type);
}
