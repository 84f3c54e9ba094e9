// Short questions of the page itself, in the browser's own modal element: focus stays inside, Escape
// closes it.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from '../words.ts';

interface Asked {
  title: string;
  /** Text to change; null for a question that is only confirmed. */
  value: string | null;
  confirm: string;
  danger: boolean;
  resolve: (value: string | null) => void;
}

const asked = signal<Asked | null>(null);

/** Asks for a text; null if the user does not want to. */
export function askText(title: string, value: string): Promise<string | null> {
  return new Promise((resolve) => {
    asked.value = { title, value, confirm: words.save, danger: false, resolve };
  });
}

export function askSure(title: string, confirm: string): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      title,
      value: null,
      confirm,
      danger: true,
      resolve: (value) => resolve(value !== null),
    };
  });
}

function Question({ question }: { question: Asked }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(question.value ?? '');
  useEffect(() => dialog.current?.showModal(), []);
  const end = (value: string | null) => {
    asked.value = null;
    question.resolve(value);
  };
  return (
    <dialog ref={dialog} onClose={() => end(null)} aria-labelledby="question">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          end(text);
        }}
      >
        <h2 id="question">{question.title}</h2>
        {question.value !== null && (
          <input
            type="text"
            aria-labelledby="question"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
        <div class="buttons">
          <button type="submit" class={question.danger ? 'button danger' : 'button primary'}>
            {question.confirm}
          </button>
          <button
            type="button"
            class="button"
            autofocus={question.danger}
            onClick={() => end(null)}
          >
            {words.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}

export function Dialog() {
  return asked.value ? <Question question={asked.value} /> : null;
}
