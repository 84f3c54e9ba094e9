// The line above the conversation: which session this is, and what can be done with it as a whole.
import { useRef } from 'preact/hooks';
import { api } from '../net/api.ts';
import { resume } from '../commands.ts';
import type { Summary } from '../protocol/contract.ts';
import { attempt, connection, current, info, sessions } from '../store.ts';
import { words } from '../words.ts';
import { askSure, askText } from './dialog.tsx';
import { drawer, menu, useReturnedFocus } from './panels.ts';
import { go } from './route.ts';

async function rename(id: string, title: string): Promise<void> {
  menu.value = false;
  const wanted = (await askText(words.askTitle, title))?.trim();
  if (wanted) void attempt(() => api.setTitle(id, wanted));
}

async function remove(id: string, title: string): Promise<void> {
  menu.value = false;
  if (!(await askSure(words.confirmRemove(title || words.untitled), words.remove))) return;
  const done = await attempt(() => api.remove(id));
  if (done !== undefined) go(null);
}

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
          <button type="button" onClick={() => void rename(id, title)}>
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
          <button type="button" class="danger" onClick={() => void remove(id, title)}>
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
      <Menu />
    </header>
  );
}
