// The message field: Enter sends, Shift+Enter breaks the line, the draft is kept per session.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Block } from '../protocol/wire.ts';
import { busy, currentId, interrupt, problem, returned, send, view } from '../store.ts';
import { words } from '../words.ts';
import { Chips } from './chips.tsx';
import { imageBlock } from './images.ts';
import { SendIcon } from './send_icon.tsx';

const TALLEST = 280;

export function draftKey(id: string): string {
  return `parley.draft.${id}`;
}

function keepDraft(id: string | null, text: string): void {
  if (id === null) return;
  if (text) localStorage.setItem(draftKey(id), text);
  else localStorage.removeItem(draftKey(id));
}

/** Makes the field as high as its text. Heights through the object model are allowed by our policy. */
function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  field.style.height = `${Math.min(TALLEST, field.scrollHeight)}px`;
}

function Pictures({ pictures, remove }: { pictures: Block[]; remove: (index: number) => void }) {
  if (pictures.length === 0) return null;
  return (
    <div class="pictures">
      {pictures.map(({ source }, index) => (
        <button
          key={index}
          type="button"
          title={words.removeImage}
          aria-label={words.removeImage}
          onClick={() => remove(index)}
        >
          <img alt="" src={`data:${source?.media_type};base64,${source?.data}`} />
        </button>
      ))}
    </div>
  );
}

export function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const id = currentId.value;
  const [text, setText] = useState('');
  const [pictures, setPictures] = useState<Block[]>([]);

  useEffect(() => {
    setText(id === null ? '' : (localStorage.getItem(draftKey(id)) ?? ''));
    setPictures([]);
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [id]);
  useEffect(() => {
    if (field.current) fit(field.current);
  }, [text]);

  const change = (value: string) => {
    setText(value);
    keepDraft(id, value);
  };
  useEffect(() => {
    if (!returned.value) return;
    change([returned.value, text].filter(Boolean).join('\n'));
    returned.value = '';
    field.current?.focus();
  }, [returned.value]);
  const submit = () => {
    const trimmed = text.trim();
    if (!trimmed && pictures.length === 0) return;
    send(
      pictures.length
        ? [...pictures, ...(trimmed ? [{ type: 'text', text: trimmed }] : [])]
        : trimmed,
    );
    change('');
    setPictures([]);
  };
  const addFiles = async (files: Iterable<File>) => {
    for (const file of files) {
      try {
        const block = await imageBlock(file);
        setPictures((before) => [...before, block]);
      } catch (error) {
        problem.value = error instanceof Error ? error.message : String(error);
      }
    }
  };

  const state = view.value?.facts.state;
  const gone = state === 'ended' || state === 'failed' || state === 'stored';
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void addFiles(event.dataTransfer?.files ?? []);
      }}
    >
      <Pictures
        pictures={pictures}
        remove={(index) => setPictures(pictures.filter((_, at) => at !== index))}
      />
      <div class="field">
        <button
          class="attach"
          type="button"
          title={words.addImage}
          aria-label={words.addImage}
          onClick={() => picker.current?.click()}
        >
          <svg viewBox="0 0 18 18" aria-hidden="true">
            <path d="M9 3.5v11M3.5 9h11" />
          </svg>
        </button>
        <input
          ref={picker}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          multiple
          hidden
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            // So that the same file can be chosen again.
            event.currentTarget.value = '';
            void addFiles(chosen);
          }}
        />
        <textarea
          ref={field}
          id="message"
          rows={1}
          aria-label={words.message}
          placeholder={
            gone ? words.placeholderEnded : busy.value ? words.placeholderBusy : words.placeholder
          }
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
          onPaste={(event) => {
            const files = event.clipboardData?.files;
            if (!files?.length) return;
            event.preventDefault();
            void addFiles(files);
          }}
          onKeyDown={(event) => {
            // While an input method is composing, Enter belongs to it.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        {busy.value && (
          <button
            class="stop"
            type="button"
            title={words.stopHint}
            aria-label={words.stop}
            onClick={interrupt}
          >
            <span aria-hidden="true" />
          </button>
        )}
        <button
          class="send"
          type="submit"
          aria-label={words.send}
          disabled={!text.trim() && !pictures.length}
        >
          <SendIcon />
        </button>
      </div>
      <Chips />
    </form>
  );
}
