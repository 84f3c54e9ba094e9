// A few words for the agent along with a denial. Enter sends them, Escape goes back to the choices.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { words } from '../../words.ts';
import { Choice, Choices } from './choice.tsx';

interface WordsFormProps {
  placeholder: string;
  submit: string;
  onSubmit: (text: string) => void;
  onCancel: () => void;
}

export function WordsForm({ placeholder, submit, onSubmit, onCancel }: WordsFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  // Before the next key, which belongs here.
  useLayoutEffect(() => field.current?.focus(), []);
  const cancel = () => {
    // The request keeps the focus, and with it the next Escape.
    field.current?.closest<HTMLElement>('.requests')?.focus();
    onCancel();
  };
  return (
    <form
      class="words"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(text.trim());
      }}
    >
      <textarea
        ref={field}
        rows={2}
        aria-label={placeholder}
        placeholder={placeholder}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Escape') {
            event.stopPropagation();
            cancel();
          } else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            onSubmit(text.trim());
          }
        }}
      />
      <Choices>
        <Choice kind="primary" disabled={false}>
          {submit}
        </Choice>
        <Choice disabled={false} onChoose={cancel}>
          {words.back}
        </Choice>
      </Choices>
    </form>
  );
}
