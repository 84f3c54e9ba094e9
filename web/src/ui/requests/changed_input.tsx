// The input of a call, changed by the user before it is allowed: a command as it is, anything else as
// JSON. What was changed is kept when the field is closed, but counts only while it is open.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { JsonObject, ToolRequest } from '../../protocol/wire.ts';
import { isObject } from '../../protocol/wire.ts';
import { words } from '../../words.ts';

/** The one member that is the whole point of the call, '' if it is all of them. */
function mainMember({ tool_name, input }: ToolRequest): string {
  return tool_name === 'Bash' && typeof input['command'] === 'string' ? 'command' : '';
}

export function textOfInput(request: ToolRequest): string {
  const member = mainMember(request);
  return member ? String(request.input[member]) : JSON.stringify(request.input, null, 2);
}

/** The input that a text stands for; null if it stands for none. */
export function inputOfText(request: ToolRequest, text: string): JsonObject | null {
  const member = mainMember(request);
  if (member) return text.trim() ? { ...request.input, [member]: text } : null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

interface ChangedInputProps {
  text: string;
  valid: boolean;
  onChange: (text: string) => void;
  onCancel: () => void;
}

export function ChangedInput({ text, valid, onChange, onCancel }: ChangedInputProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <div class="changed-input">
      <textarea
        ref={field}
        rows={Math.min(12, text.split('\n').length + 1)}
        spellcheck={false}
        aria-label={words.changedInput}
        aria-invalid={!valid}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.isComposing) return;
          event.stopPropagation();
          onCancel();
        }}
      />
      <p class={valid ? 'note' : 'note warns'}>
        {valid ? words.changedInputHint : words.changedInputInvalid}
      </p>
    </div>
  );
}
