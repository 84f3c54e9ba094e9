// The line above the conversation: which session this is, and what can be done with it as a whole.
import { useRef } from 'preact/hooks';
import { api } from '../net/api.ts';
import { resume } from '../commands.ts';
import type { Summary } from '../protocol/contract.ts';
import { attempt, connection, current, info, sessions } from '../store.ts';
import { words } from '../words.ts';
import { drawer, menu, palette, showSide, side, useReturnedFocus } from './panels.ts';
import { exportSession, removeSession, renameSession } from './session_actions.ts';
import type { ExportFormat } from './session_actions.ts';

function Menu() {
  const button = useRef<HTMLButtonElement>(null);
  useReturnedFocus(menu.value, button);
  const summary = current.value;
  if (!summary) return null;
  const { id, title, state } = summary;
  const alive = !['ended', 'failed', 'stored'].includes(state);
  return (
    <div class="menu-box">
      <button
        ref={button}
        class="quiet"
        type="button"
        aria-label={words.moreActions}
        aria-expanded={menu.value}
        onClick={() => (menu.value = !menu.value)}
      >
        ⋯
      </button>
      {menu.value && (
        <div class="menu">
          <button
            type="button"
            class="narrow-only"
            onClick={() => ((menu.value = false), (palette.value = true))}
          >
            {words.palette}
          </button>
          <button
            type="button"
            onClick={() => ((menu.value = false), void renameSession(id, title))}
          >
            {words.rename}
          </button>
          {alive ? (
            <button
              type="button"
              onClick={() => ((menu.value = false), void attempt(() => api.close(id)))}
            >
              {words.end}
            </button>
          ) : (
            <button type="button" onClick={() => ((menu.value = false), resume())}>
              {words.resume}
            </button>
          )}
          {(Object.entries(words.exports) as [ExportFormat, string][]).map(([format, label]) => (
            <button
              key={format}
              type="button"
              onClick={() => ((menu.value = false), void exportSession(id, title, format))}
            >
              {label}
            </button>
          ))}
          <button
            type="button"
            class="danger"
            onClick={() => ((menu.value = false), void removeSession(id, title))}
          >
            {words.remove}
          </button>
        </div>
      )}
    </div>
  );
}

function State({ state, background }: Pick<Summary, 'state' | 'background'>) {
  const offline = connection.value === 'lost' || connection.value === 'refused';
  const shown = offline ? 'offline' : state === 'idle' && background > 0 ? 'background' : state;
  return (
    <span class={`state ${shown}`}>
      <span class="dot" aria-hidden="true" />
      {words.states[shown]}
    </span>
  );
}

export function Header() {
  const summary = current.value;
  const waitingElsewhere = [...sessions.value.values()].filter(
    (other) => other.pending > 0 && other.id !== summary?.id,
  ).length;
  return (
    <header class="bar">
      <button
        class="quiet drawer-button"
        type="button"
        aria-label={[
          drawer.value ? words.closeSessions : words.openSessions,
          waitingElsewhere > 0 && words.waitingElsewhere(waitingElsewhere),
        ]
          .filter(Boolean)
          .join(', ')}
        aria-expanded={drawer.value}
        aria-controls="sessions"
        onClick={() => (drawer.value = !drawer.value)}
      >
        <span aria-hidden="true">☰</span>
        {waitingElsewhere > 0 && (
          <span class="badge" aria-hidden="true">
            {waitingElsewhere}
          </span>
        )}
      </button>
      <div class="about">
        <h1>{summary ? summary.title || words.untitled : words.newSession}</h1>
        {summary && <State state={summary.state} background={summary.background} />}
        {info.value?.demo && (
          <span class="tag" title={words.demoText}>
            {words.demo}
          </span>
        )}
      </div>
      <span class="cwd" title={summary?.cwd}>
        {summary?.cwd ?? ''}
      </span>
      <button
        class="quiet palette-button"
        type="button"
        title={`${words.palette} (Ctrl+K)`}
        aria-label={words.palette}
        onClick={() => (palette.value = true)}
      >
        <svg viewBox="0 0 18 18" aria-hidden="true">
          <path d="M8 3.2a4.8 4.8 0 1 1 0 9.6 4.8 4.8 0 0 1 0-9.6M11.6 11.6l3.4 3.4" />
        </svg>
      </button>
      {summary && (
        <button
          class="quiet side-button"
          type="button"
          title={`${words.details} (Alt+P)`}
          aria-label={words.details}
          aria-expanded={side.value !== null}
          onClick={() => showSide(side.value === null ? 'changes' : null)}
        >
          <svg viewBox="0 0 18 18" aria-hidden="true">
            <path d="M2.5 3.5h13v11h-13zM11 3.5v11" />
          </svg>
        </button>
      )}
      <Menu />
    </header>
  );
}
