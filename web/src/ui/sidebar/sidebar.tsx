// The sessions, by folder, newest first.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Summary } from '../../protocol/contract.ts';
import { currentId, info, sessions, sessionsKnown } from '../../store.ts';
import { words } from '../../words.ts';
import { age } from './ages.ts';
import { drawer } from '../panels.ts';
import { addressOf } from '../route.ts';
import { SignIns } from './sign_ins.tsx';
import { theme } from './theme.ts';
import type { Theme } from './theme.ts';

const search = signal('');
/** Ages grow also while nothing else happens. */
const now = signal(Date.now());
const AGE_STEP_MS = 30_000;

const groups = computed(() => {
  const needle = search.value.trim().toLowerCase();
  const byFolder = new Map<string, Summary[]>();
  const all = [...sessions.value.values()].sort((a, b) => b.updated - a.updated);
  for (const summary of all) {
    const text = `${summary.title} ${summary.cwd}`.toLowerCase();
    if (needle && !text.includes(needle)) continue;
    const group = byFolder.get(summary.cwd);
    if (group) group.push(summary);
    else byFolder.set(summary.cwd, [summary]);
  }
  return [...byFolder];
});

function folderName(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? '/';
}

function Entry({ summary }: { summary: Summary }) {
  const here = summary.id === currentId.value;
  return (
    <li>
      <a
        href={addressOf(summary.id)}
        class={`session ${summary.state}`}
        aria-current={here ? 'page' : undefined}
        onClick={() => (drawer.value = false)}
      >
        <span class="dot" aria-hidden="true" />
        <span class="title">{summary.title || words.untitled}</span>
        <span class="sr-only">, {words.states[summary.state]}</span>
        {summary.pending > 0 ? (
          <span class="badge" title={words.waitingCount(summary.pending)}>
            {summary.pending}
          </span>
        ) : (
          <span class="age">{age(summary.updated, now.value)}</span>
        )}
      </a>
    </li>
  );
}

function ThemeChoice() {
  return (
    <select
      class="chip"
      aria-label={words.theme}
      value={theme.value}
      onChange={(event) => (theme.value = event.currentTarget.value as Theme)}
    >
      {Object.entries(words.themes).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

export function Sidebar() {
  const empty = groups.value.length === 0;
  useEffect(() => {
    const clock = setInterval(() => (now.value = Date.now()), AGE_STEP_MS);
    return () => clearInterval(clock);
  }, []);
  return (
    <nav class="sidebar" id="sessions" aria-label={words.sessions}>
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
        placeholder={words.searchSessions}
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
        {groups.value.map(([folder, list]) => (
          <section key={folder}>
            <h2 title={folder}>{folderName(folder)}</h2>
            <ul>
              {list.map((summary) => (
                <Entry key={summary.id} summary={summary} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div class="sidebar-foot">
        <span>{info.value ? words.version(info.value.version) : ''}</span>
        <SignIns />
        <ThemeChoice />
      </div>
    </nav>
  );
}
