// All that can be done from the keyboard or the palette, in one list: what it is called, its key, whether
// it can be done now, and how.
import { interrupt, knownCommands, resume } from '../commands.ts';
import { api } from '../net/api.ts';
import { attempt, busy, current, currentId, info, returned, view } from '../store.ts';
import { words } from '../words.ts';
import { modelOptions, modeOptions } from './composer/chips.tsx';
import { drawer, help, palette, settings, showSide, side, TABS } from './panels.ts';
import { enter } from './requests/asking.ts';
import { go } from './route.ts';
import { scrolling } from './scrolling.ts';
import { canNotify, notifies, setNotifies } from './notify.ts';
import { exportSession, removeSession, renameSession } from './session_actions.ts';
import type { ExportFormat } from './session_actions.ts';
import { theme } from './sidebar/theme.ts';
import type { Theme } from './sidebar/theme.ts';

export interface Action {
  title: string;
  /** As it is shown; keys.ts knows what it does. */
  key?: string;
  /** Further words by which it is found. */
  about?: string;
  run: () => void;
}

function focusOn(selector: string): void {
  const focus = () => document.querySelector<HTMLElement>(selector)?.focus();
  // At once, for what is typed right behind; and again when a dialog has given its focus back.
  focus();
  setTimeout(focus);
}

export function searchSessions(): void {
  drawer.value = true;
  focusOn('.sidebar .search');
}

/** Everything that can be done now, what is done most first. */
export function actionsNow(): Action[] {
  const id = currentId.value;
  const always: Action[] = [
    { title: words.newSession, key: 'Alt+N', run: () => go(null) },
    { title: words.searchSessions, key: 'Alt+S', run: searchSessions },
    { title: words.settings, run: () => (settings.value = true) },
    { title: words.help, key: '?', run: () => (help.value = true) },
    ...(canNotify
      ? [
          {
            title: notifies.value ? words.notifyOff : words.notifyOn,
            run: () => void setNotifies(!notifies.value),
          },
        ]
      : []),
    ...(Object.entries(words.themes) as [Theme, string][]).map(([value, label]) => ({
      title: `${words.theme}: ${label}`,
      run: () => (theme.value = value),
    })),
  ];
  return id === null ? always : [...ofSession(id), ...always];
}

function ofSession(id: string): Action[] {
  const summary = current.value;
  const state = summary?.state ?? 'ended';
  const alive = !['ended', 'failed', 'stored'].includes(state);
  const actions: Action[] = [];
  if ((view.value?.pending.length ?? 0) > 0)
    actions.push({ title: words.goToRequest, key: 'Alt+R', run: () => void setTimeout(enter) });
  actions.push(
    { title: words.goToMessage, key: '/', run: () => focusOn('textarea#message') },
    { title: words.toLastPrompt, key: 'Alt+↑', run: () => scrolling.toLastPrompt() },
    { title: words.toBottom, key: 'Alt+↓', run: () => scrolling.toEnd() },
    ...TABS.map((tab) => ({ title: words.showTab(words.tabs[tab]), run: () => showSide(tab) })),
  );
  if (busy.value) actions.push({ title: words.stopTurn, key: 'Esc', run: interrupt });
  if (side.value) actions.push({ title: words.closeSide, key: 'Alt+P', run: () => showSide(null) });
  actions.push(
    { title: words.renameSession, run: () => void renameSession(id, summary?.title ?? '') },
    alive
      ? { title: words.end, run: () => void attempt(() => api.close(id)) }
      : { title: words.resume, run: resume },
    ...(Object.entries(words.exports) as [ExportFormat, string][]).map(([format, label]) => ({
      title: label,
      run: () => void exportSession(id, summary?.title ?? '', format),
    })),
    { title: words.removeSession, run: () => void removeSession(id, summary?.title ?? '') },
    ...modeOptions(view.value?.facts.mode || 'default').map(([mode, label]) => ({
      title: `${words.mode}: ${label}`,
      run: () => void attempt(() => api.setMode(id, mode)),
    })),
    ...modelOptions().map(([model, label]) => ({
      title: `${words.model}: ${label}`,
      about: info.value?.models.find(({ value }) => value === model)?.description ?? '',
      run: () => void attempt(() => api.setModel(id, model)),
    })),
    ...knownCommands().map(({ name, description = '' }) => ({
      title: `/${name}`,
      about: description,
      run: () => (returned.value = `/${name} `),
    })),
  );
  return actions;
}

export function togglePalette(): void {
  palette.value = !palette.value;
}
