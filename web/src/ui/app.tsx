// The frame of the page: sessions at the side, the conversation in the middle, the dock below it.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { signal, useSignalEffect } from '@preact/signals';
import {
  announcement,
  connection,
  current,
  currentId,
  notice,
  problem,
  sessions,
  view,
} from '../store.ts';
import { resume } from '../commands.ts';
import { words } from '../words.ts';
import { Composer } from './composer/composer.tsx';
import { Dialog } from './dialog.tsx';
import { Header } from './header.tsx';
import { NewSession } from './new_session.tsx';
import { lazy } from './lazy.tsx';
import { closeBeside, drawer, help, palette, settings, showSide, side } from './panels.ts';
import { Queue } from './composer/queue.tsx';
import { Requests } from './requests/requests.tsx';
import { scrolling } from './scrolling.ts';
import { Sidebar } from './sidebar/sidebar.tsx';
import { TaskStrip } from './task_strip.tsx';
import { Toast } from './toast.tsx';
import { TodoStrip } from './todo_strip.tsx';

const Palette = lazy(async () => (await import('./palette.tsx')).Palette);
const Help = lazy(async () => (await import('./help.tsx')).Help);
const Settings = lazy(async () => (await import('./settings.tsx')).Settings);
const Side = lazy(async () => (await import('./side/side.tsx')).Side);

/** False while the user reads further up. */
export const following = signal(true);

function ConnectionBanner() {
  const text = {
    open: '',
    connecting: '',
    lost: words.reconnecting,
    refused: words.refused,
  }[connection.value];
  if (!text) return null;
  return (
    <div class={`banner ${connection.value}`} role="status">
      {text}
    </div>
  );
}

function ResumeLine() {
  const state = view.value?.facts.state;
  if (state !== 'stored' && state !== 'failed' && state !== 'ended') return null;
  return (
    <div class="resume-line">
      <span>{words.resumeLine[state]}</span>
      <button type="button" class="button" onClick={() => resume()}>
        {words.resume}
      </button>
    </div>
  );
}

function titleOfPage(): string {
  const waiting = [...sessions.value.values()].reduce((sum, summary) => sum + summary.pending, 0);
  const summary = current.value;
  const parts = [summary ? summary.title || words.untitled : '', words.product].filter(Boolean);
  const mark = waiting > 0 ? `(${waiting}) ` : summary?.state === 'running' ? '● ' : '';
  return mark + parts.join(' · ');
}

interface AppProps {
  /** Gets the element that the transcript may fill, once. */
  transcript: (scroller: HTMLElement) => void;
}

export function App({ transcript }: AppProps) {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (scroller.current) transcript(scroller.current);
  }, []);
  useSignalEffect(() => {
    document.title = titleOfPage();
  });
  const inSession = currentId.value !== null;
  const shown = view.value;
  return (
    <div
      class="app"
      data-drawer={drawer.value}
      data-connection={connection.value}
      data-side={inSession && side.value !== null}
      onClick={(event) => closeBeside(event.target as Element)}
    >
      <a
        class="skip"
        href="#message"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('message')?.focus();
        }}
      >
        {words.skipToMessage}
      </a>
      <Sidebar />
      <div class="veil" onClick={() => (drawer.value = false)} />
      <main>
        <Header />
        <ConnectionBanner />
        <div class="middle" hidden={!inSession}>
          <div
            class="scroller"
            ref={scroller}
            role="region"
            aria-label={words.conversation}
            aria-busy={!shown?.loaded}
            tabIndex={0}
          />
          {inSession &&
            !shown?.loaded &&
            shown?.empty !== false &&
            connection.value !== 'refused' && <p class="hint center">{words.loading}</p>}
          {shown?.loaded && shown.empty && <p class="hint center">{words.emptyConversation}</p>}
          {!following.value && (
            <button
              type="button"
              class="to-end to-prompt"
              onClick={() => scrolling.toLastPrompt()}
              title={words.toLastPrompt}
              aria-label={words.toLastPrompt}
            >
              ↑
            </button>
          )}
          {!following.value && (
            <button
              type="button"
              class="to-end"
              onClick={() => {
                scrolling.toEnd();
                // The button goes; the keys that scroll stay with what it scrolled.
                scroller.current?.focus({ preventScroll: true });
              }}
              aria-label={words.toBottom}
            >
              ↓
            </button>
          )}
        </div>
        {inSession ? (
          <div class="dock">
            <Requests />
            <ResumeLine />
            <TodoStrip />
            <TaskStrip />
            <Queue />
            <Composer />
          </div>
        ) : (
          <NewSession />
        )}
      </main>
      {inSession && side.value !== null && (
        <>
          <div class="veil side-veil" onClick={() => showSide(null)} />
          <Side />
        </>
      )}
      <Toast of={problem} kind="problem" />
      <Toast of={notice} kind="notice" />
      <Dialog />
      {palette.value && <Palette />}
      {help.value && <Help />}
      {settings.value && <Settings />}
      <div class="sr-only" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </div>
  );
}
