// The browsers that are signed in, each of which can be ended from here; this one too.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { address, api } from '../../net/api.ts';
import { forgetKey } from '../../net/key.ts';
import type { SignIn } from '../../protocol/contract.ts';
import { problem } from '../../store.ts';
import { words } from '../../words.ts';

const shown = signal<SignIn[] | null>(null);
/** A link for another browser, once it was asked for. */
const link = signal('');

async function makeLink(): Promise<void> {
  link.value = address((await api.link()).path).href;
}

async function show(): Promise<void> {
  shown.value = (await api.signIns()).sign_ins;
}

async function end(entry: SignIn): Promise<void> {
  await api.endSignIn(entry.id);
  if (!entry.current) return show();
  forgetKey();
  location.reload();
}

function Entry({ entry }: { entry: SignIn }) {
  const used = new Date(entry.used).toLocaleString();
  return (
    <li>
      <span>{entry.browser || words.unknownBrowser}</span>{' '}
      <span class="hint">{entry.current ? words.thisBrowser : words.lastUsed(used)}</span>{' '}
      <button type="button" class="button" onClick={() => void end(entry)}>
        {entry.current ? words.signOut : words.endSignIn}
      </button>
    </li>
  );
}

function List({ entries }: { entries: SignIn[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      onClose={() => {
        shown.value = null;
        link.value = '';
      }}
      aria-labelledby="sign-ins"
    >
      <h2 id="sign-ins">{words.signIns}</h2>
      <ul class="sign-ins">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {link.value && (
        <p class="new-link">
          <label for="new-link">{words.newLink}</label>
          <input
            id="new-link"
            type="text"
            readOnly
            value={link.value}
            onFocus={(event) => event.currentTarget.select()}
          />
        </p>
      )}
      <div class="buttons">
        <button
          type="button"
          class="button"
          onClick={() => void makeLink().catch((error) => (problem.value = String(error)))}
        >
          {words.addBrowser}
        </button>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {words.closeDialog}
        </button>
      </div>
    </dialog>
  );
}

export function SignIns() {
  return (
    <>
      <button type="button" class="chip" onClick={() => void show().catch(() => {})}>
        {words.signIns}
      </button>
      {shown.value && <List entries={shown.value} />}
    </>
  );
}
