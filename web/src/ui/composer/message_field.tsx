// Where a message is written: Enter sends, Shift+Enter breaks the line, the draft is kept. The field of
// a session and that of a new one are the same.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { blocksOf, textOf } from '../../protocol/wire.ts';
import type { Block, Content } from '../../protocol/wire.ts';
import { currentId, problem, returned, sentTexts, tooLarge } from '../../store.ts';
import { words } from '../../words.ts';
import { closeCompletion, complete, completion, Completions, moveChoice } from './completion.tsx';
import type { Suggestion } from './completion.tsx';
import {
  clearedText,
  draftPictures,
  draftText,
  keepPictures,
  keepText,
  loadPictures,
  noteCleared,
  unkeptDrafts,
} from '../../drafts.ts';
import { imageBlock } from './images.ts';
import { SendIcon } from './send_icon.tsx';

const TALLEST = 280;
/** A text of this length needs the whole height; to measure it would take long. */
const LONG_TEXT = 20_000;
/** Long enough to be counted before it is sent. */
const LARGE = 1_000_000;

interface MessageFieldProps {
  /** Whose draft it is. */
  draft: string;
  rows: number;
  placeholder: string;
  sendLabel: string;
  /** It cannot be sent now. */
  blocked?: boolean;
  /** False, or a promise of it: it was not taken, and stays. */
  onSend: (content: Content) => boolean | Promise<boolean>;
  /** Between the field and the button that sends. */
  beside?: ComponentChildren;
  children?: ComponentChildren;
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

export function MessageField(props: MessageFieldProps) {
  const { draft, onSend } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(draftText(draft));
  const [pictures, setPictures] = useState<Block[]>(draftPictures(draft));
  /** Which of the texts that were sent before is shown; -1 is none. */
  const recalled = useRef(-1);

  useEffect(() => {
    setText(draftText(draft));
    setPictures(draftPictures(draft));
    recalled.current = -1;
    let left = false;
    void loadPictures(draft).then((blocks) => !left && setPictures(blocks));
    // On a phone the focus would bring up the keyboard, over half of the page.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus();
    return () => {
      left = true;
      closeCompletion();
    };
  }, [draft]);
  useEffect(() => {
    if (field.current) fit(field.current);
  }, [text]);

  const changePictures = (blocks: Block[]) => {
    keepPictures(draft, blocks);
    setPictures(blocks);
  };
  const change = (value: string) => {
    // Typing empties a field letter by letter: what went at once was cleared.
    if (!value && text.length > 1) noteCleared(draft, text);
    setText(value);
    keepText(draft, value);
  };
  useEffect(() => {
    if (returned.value.length === 0) return;
    const back = blocksOf(returned.value);
    change([textOf(back), text].filter(Boolean).join('\n'));
    changePictures([...back.filter(({ type }) => type === 'image'), ...draftPictures(draft)]);
    returned.value = '';
    field.current?.focus();
  }, [returned.value]);

  const content = contentOf(text, pictures);
  const size = pictures.reduce((sum, { source }) => sum + (source?.data?.length ?? 0), text.length);
  const refusal = size > LARGE ? tooLarge(content) : '';
  const canSend = content.length > 0 && refusal === '' && !props.blocked;
  const empty = () => {
    setText('');
    keepText(draft, '');
    noteCleared(draft, '');
    changePictures([]);
    recalled.current = -1;
  };
  const submit = () => {
    if (!canSend) return;
    closeCompletion();
    const sent = onSend(content);
    if (typeof sent === 'boolean') {
      if (sent) empty();
      return;
    }
    // What was written meanwhile was not sent.
    void sent.then((taken) => taken && draftText(draft) === text && empty());
  };
  const addFiles = async (files: Iterable<File>) => {
    for (const file of files) {
      try {
        const block = await imageBlock(file);
        changePictures([...draftPictures(draft), block]);
      } catch (error) {
        problem.value = error instanceof Error ? error.message : String(error);
      }
    }
  };
  const choose = ({ insert }: Suggestion) => {
    const at = completion.value;
    if (!at || !field.current) return;
    closeCompletion();
    // As if it had been typed: the browser's undo takes it back.
    field.current.setSelectionRange(at.from, at.to);
    document.execCommand('insertText', false, insert);
  };
  /** What was sent before, one by one. False if the key is not for this. */
  const recall = (by: number): boolean => {
    const lost = clearedText(draft);
    if (by > 0 && !text && lost) {
      change(lost);
      noteCleared(draft, '');
      return true;
    }
    const before = sentTexts();
    if (text && text !== before[recalled.current]) return false;
    const next = recalled.current + by;
    if (next < -1 || next >= before.length) return false;
    recalled.current = next;
    setText(before[next] ?? '');
    keepText(draft, before[next] ?? '');
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method is composing, keys belong to it.
    if (event.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const open = completion.value;
    if (open && step) {
      moveChoice(step);
      event.preventDefault();
      return;
    }
    const suggestion = open?.list[open.chosen];
    const typed = open ? text.slice(open.from, open.to).trim() : '';
    const whole = suggestion?.insert.trim() === typed;
    if (suggestion && (event.key === 'Tab' || (event.key === 'Enter' && !whole))) {
      choose(suggestion);
      event.preventDefault();
      return;
    }
    if (step && !event.shiftKey && !event.altKey && recall(-step)) event.preventDefault();
    // One that is held down was pressed for something else.
    if (event.key !== 'Enter' || event.shiftKey || event.repeat) return;
    event.preventDefault();
    submit();
  };
  const look = () => {
    const { value, selectionStart } = field.current ?? { value: '', selectionStart: 0 };
    void complete(value, selectionStart, currentId.value);
  };
  const unkept = unkeptDrafts.value.has(draft);
  const { value: offered } = completion;
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
      <Completions choose={choose} />
      <Pictures
        pictures={pictures}
        remove={(index) => changePictures(pictures.filter((_, at) => at !== index))}
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
          rows={props.rows}
          aria-label={words.message}
          aria-autocomplete="list"
          aria-controls={offered ? 'completions' : undefined}
          aria-activedescendant={offered ? `completion-${offered.chosen}` : undefined}
          placeholder={props.placeholder}
          value={text}
          onInput={(event) => {
            change(event.currentTarget.value);
            look();
          }}
          onBlur={() => closeCompletion()}
          onPaste={(event) => {
            const files = event.clipboardData?.files;
            if (!files?.length) return;
            event.preventDefault();
            void addFiles(files);
          }}
          onKeyDown={onKeyDown}
        />
        {props.beside}
        <button class="send" type="submit" aria-label={props.sendLabel} disabled={!canSend}>
          <SendIcon />
        </button>
      </div>
      {(refusal || unkept) && (
        <p class="composer-note" role="alert">
          {refusal || words.notKept}
        </p>
      )}
      {props.children}
    </form>
  );
}
