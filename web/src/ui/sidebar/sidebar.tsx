// The sessions: what waits for the user, what works, then by folder. Thousands of them are a list of
// projects, each with its last few.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Summary } from '../../protocol/contract.ts';
import { currentId, info, sessions, sessionsKnown } from '../../store.ts';
import { words } from '../../words.ts';
import { drawer, settings } from '../panels.ts';
import { addressOf } from '../route.ts';
import { age } from './ages.ts';
import { FoundTexts } from './found.tsx';
import { groupSessions } from './groups.ts';
import type { Group } from './groups.ts';
import { isUnread } from './seen.ts';
import { SignIns } from './sign_ins.tsx';

export const search = signal('');
/** Ages grow also while nothing else happens. */
const now = signal(Date.now());
const AGE_STEP_MS = 30_000;
/** Sessions of a project that are shown before more are asked for, and how many come then. */
const FEW = 5;
const MORE = 50;
/** The same for projects. */
const FEW_PROJECTS = 20;

const shownProjects = signal(FEW_PROJECTS);
/** How many of a group are shown, where the user has asked for more. */
const shownOf = signal<ReadonlyMap<string, number>>(new Map());

const groups = computed(() => groupSessions(sessions.value.values(), search.value));
/** Those that are shown: the one with the session that is looked at always is. */
const shownGroups = computed(() => {
  const holdsCurrent = ({ sessions: list }: Group) => list.some(({ id }) => id === currentId.value);
  return groups.value.filter((group, index) => index < shownProjects.value || holdsCurrent(group));
});

function Entry({ summary, folder }: { summary: Summary; folder: boolean }) {
  const here = summary.id === currentId.value;
  const unread = isUnread(summary);
  const state = summary.state === 'idle' && summary.background > 0 ? 'background' : summary.state;
  return (
    <li>
      <a
        href={addressOf(summary.id)}
        class={`session ${state}${unread ? ' unread' : ''}`}
        aria-current={here ? 'page' : undefined}
        data-session
        onClick={() => (drawer.value = false)}
      >
        <span class="dot" aria-hidden="true" />
        <span class="title">{summary.title || words.untitled}</span>
        <span class="sr-only">
          , {unread ? words.unread : words.states[state]}
          {summary.pending > 0 ? `, ${words.waitingCount(summary.pending)}` : ''}
        </span>
        {folder && <span class="where">{summary.cwd.split('/').filter(Boolean).at(-1)}</span>}
        {summary.pending > 0 ? (
          <span class="badge" aria-hidden="true">
            {summary.pending}
          </span>
        ) : (
          <span class="age">{age(summary.updated, now.value)}</span>
        )}
      </a>
    </li>
  );
}

function Section({ group }: { group: Group }) {
  const { key, kind, name, sessions: list } = group;
  const most = kind === 'project' ? (shownOf.value.get(key) ?? FEW) : list.length;
  // The one that is looked at is never folded away.
  const at = list.findIndex(({ id }) => id === currentId.value);
  const shown = list.slice(0, Math.max(most, at < FEW + MORE ? at + 1 : 0));
  const rest = list.length - shown.length;
  const label = kind === 'waiting' ? words.needsYou : kind === 'working' ? words.working : name;
  return (
    <section data-kind={kind}>
      <h2 title={kind === 'project' ? key : undefined}>{label}</h2>
      <ul>
        {shown.map((summary) => (
          <Entry key={summary.id} summary={summary} folder={kind !== 'project'} />
        ))}
      </ul>
      {kind === 'project' && (rest > 0 || most > FEW) && (
        <button
          type="button"
          class="fold"
          onClick={() =>
            (shownOf.value = new Map(shownOf.value).set(key, rest > 0 ? most + MORE : FEW))
          }
        >
          {rest > 0 ? words.showMoreSessions(rest) : words.showLess}
        </button>
      )}
    </section>
  );
}

/** Up and down go from one session to the next, wherever they are listed. */
function move(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const list = event.currentTarget as HTMLElement;
  if (!step) return;
  const all = [...list.querySelectorAll<HTMLElement>('[data-session]')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = all[at < 0 ? 0 : at + step];
  if (next) next.focus();
  else if (at === 0 && step < 0) list.querySelector<HTMLElement>('.search')?.focus();
  event.preventDefault();
}

export function Sidebar() {
  const empty = groups.value.length === 0;
  useEffect(() => {
    const clock = setInterval(() => (now.value = Date.now()), AGE_STEP_MS);
    return () => clearInterval(clock);
  }, []);
  return (
    <nav class="sidebar" id="sessions" aria-label={words.sessions} onKeyDown={move}>
      <div class="sidebar-head">
        <a class="brand" href={addressOf(null)} onClick={() => (drawer.value = false)}>
          {words.product}
        </a>
        <a class="button" href={addressOf(null)} onClick={() => (drawer.value = false)}>
          {words.newSession}
        </a>
      </div>
      <input
        class="search"
        type="search"
        placeholder={words.search}
        aria-label={words.searchSessions}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      <div class="groups">
        {empty && (
          <p class="hint">
            {search.value
              ? words.nothingFound
              : sessionsKnown.value
                ? words.noSessions
                : words.loading}
          </p>
        )}
        {shownGroups.value.map((group) => (
          <Section key={group.key} group={group} />
        ))}
        {groups.value.length > shownGroups.value.length && (
          <button type="button" class="fold" onClick={() => (shownProjects.value += FEW_PROJECTS)}>
            {words.showMoreProjects(groups.value.length - shownGroups.value.length)}
          </button>
        )}
        <FoundTexts needle={search.value} />
      </div>
      <div class="sidebar-foot">
        <span>{info.value ? words.version(info.value.version) : ''}</span>
        <SignIns />
        <button type="button" class="chip" onClick={() => (settings.value = true)}>
          {words.settings}
        </button>
      </div>
    </nav>
  );
}
