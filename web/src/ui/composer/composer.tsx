// The message field: Enter sends, Shift+Enter breaks the line, the draft is kept per session.
import { useEffect, useRef, useState } from 'preact/hooks';
import { blocksOf, textOf } from '../../protocol/wire.ts';
import type { Block, Content } from '../../protocol/wire.ts';
import {
  busy,
  currentId,
  interrupt,
  problem,
  returned,
  send,
  tooLarge,
  unkeptDrafts,
  view,
} from '../../store.ts';
import { words } from '../../words.ts';
import { Chips } from './chips.tsx';
import { imageBlock } from './images.ts';
import { SendIcon } from './send_icon.tsx';

const TALLEST = 280;
/** A text of this length needs the whole height; to measure it would take long. */
const LONG_TEXT = 20_000;

function draftKey(id: string): string {
  return `parley.draft.${id}`;
}

/** Texts and pictures of all sessions, for as long as the page lives. */
const drafts = new Map<string, string>();
const draftPictures = new Map<string, Block[]>();
/** What Escape has cleared, by session: Up brings it back when the browser's undo cannot. */
const cleared = new Map<string, string>();

function draftOf(id: string): string {
  return drafts.get(id) ?? localStorage.getItem(draftKey(id)) ?? '';
}

/** Keeps it over a reload; if it is too long for that, the user is told. */
function keepDraft(id: string | null, text: string): void {
  if (id === null) return;
  drafts.set(id, text);
  const unkept = new Set(unkeptDrafts.value);
  try {
    if (text) localStorage.setItem(draftKey(id), text);
    else localStorage.removeItem(draftKey(id));
    unkept.delete(id);
  } catch {
    unkept.add(id);
  }
  if (unkept.size !== unkeptDrafts.value.size) unkeptDrafts.value = unkept;
}

function contentOf(text: string, pictures: Block[]): Content {
  const trimmed = text.trim();
  if (pictures.length === 0) return trimmed;
  return [...pictures, ...(trimmed ? [{ type: 'text', text: trimmed }] : [])];
}

/** Makes the field as high as its text. Heights through the object model are allowed by our policy. */
function fit(field: HTMLTextAreaElement): void {
  if (field.value.length > LONG_TEXT) {
    field.style.height = `${TALLEST}px`;
    return;
  }
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

function lengthOf({ source }: Block): number {
  return source?.data?.length ?? 0;
}

export function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const id = currentId.value;
  const [text, setText] = useState('');
  const [pictures, setPictures] = useState<Block[]>([]);

  useEffect(() => {
    setText(id === null ? '' : draftOf(id));
    setPictures(draftPictures.get(id ?? '') ?? []);
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [id]);
  useEffect(() => {
    if (field.current) fit(field.current);
  }, [text]);

  useEffect(() => {
    if (id !== null) draftPictures.set(id, pictures);
  }, [pictures]);

  const change = (value: string) => {
    // Typing empties a field letter by letter: what went at once was cleared.
    if (id !== null && !value && text.length > 1) cleared.set(id, text);
    setText(value);
    keepDraft(id, value);
  };
  useEffect(() => {
    if (returned.value.length === 0) return;
    const back = blocksOf(returned.value);
    change([textOf(back), text].filter(Boolean).join('\n'));
    setPictures([...back.filter(({ type }) => type === 'image'), ...pictures]);
    returned.value = '';
    field.current?.focus();
  }, [returned.value]);
  const content = contentOf(text, pictures);
  // Long enough to be counted.
  const large = text.length + pictures.reduce((sum, one) => sum + lengthOf(one), 0) > 1_000_000;
  const refusal = large ? tooLarge(content) : '';
  const unkept = id !== null && unkeptDrafts.value.has(id);
  const submit = () => {
    if (content.length === 0 || refusal) return;
    send(content);
    change('');
    if (id !== null) cleared.delete(id);
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
            if (event.isComposing) return;
            if (event.key === 'ArrowUp' && !text && id !== null && cleared.has(id)) {
              event.preventDefault();
              change(cleared.get(id) ?? '');
            }
            // One that is held down was pressed for something else.
            if (event.key !== 'Enter' || event.shiftKey || event.repeat) return;
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
          disabled={content.length === 0 || refusal !== ''}
        >
          <SendIcon />
        </button>
      </div>
      {(refusal || unkept) && (
        <p class="composer-note" role="alert">
          {refusal || words.notKept}
        </p>
      )}
      <Chips />
    </form>
  );
}
