// Which of the agent's many system messages deserve a quiet line in the transcript.
import type { AgentMessage } from '../protocol/wire.ts';
import { words } from '../words.ts';
import type { MarkerKind } from './items.ts';

export function markerOf(message: AgentMessage): { kind: MarkerKind; text: string } | null {
  switch (message.subtype) {
    case 'api_retry':
      return {
        kind: 'retry',
        text: words.retrying(
          message.attempt ?? 1,
          message.max_retries ?? 0,
          message.error ?? words.unknownError,
        ),
      };
    case 'compact_boundary': {
      const { pre_tokens, post_tokens } = message.compact_metadata ?? {};
      return { kind: 'compacted', text: words.compacted(pre_tokens, post_tokens) };
    }
    case 'informational':
    case 'model_fallback':
      return {
        kind: message.level === 'warning' || message.level === 'error' ? 'warning' : 'notice',
        text: message.content ?? '',
      };
    case 'notification':
      return { kind: 'notice', text: message.text ?? '' };
    case 'hook_response':
      if (message.outcome !== 'error') return null;
      return {
        kind: 'warning',
        text: words.hookFailed(message.hook_name ?? '', message.stderr ?? ''),
      };
    case 'permission_denied':
      return { kind: 'denied', text: words.deniedByRule(message.tool_name ?? '') };
    default:
      return null;
  }
}
