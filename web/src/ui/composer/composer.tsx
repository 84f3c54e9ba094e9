// The message field of a session, with what is chosen for it below.
import { interrupt } from '../../commands.ts';
import { busy, currentId, send, view } from '../../store.ts';
import { words } from '../../words.ts';
import { Chips } from './chips.tsx';
import { MessageField } from './message_field.tsx';

export function Composer() {
  const id = currentId.value;
  const state = view.value?.facts.state;
  const gone = state === 'ended' || state === 'failed' || state === 'stored';
  if (id === null) return null;
  return (
    <MessageField
      draft={id}
      rows={1}
      placeholder={
        gone ? words.placeholderEnded : busy.value ? words.placeholderBusy : words.placeholder
      }
      sendLabel={words.send}
      onSend={(content) => {
        send(content);
        return true;
      }}
      beside={
        busy.value && (
          <button
            class="stop"
            type="button"
            title={words.stopHint}
            aria-label={words.stop}
            onClick={interrupt}
          >
            <span aria-hidden="true" />
          </button>
        )
      }
    >
      <Chips />
    </MessageField>
  );
}
