// What belongs to this browser: how the page looks, which language it speaks, whether it notifies.
import { useEffect, useRef } from 'preact/hooks';
import { chooseLanguage, chosenLanguage, LANGUAGES } from '../language.ts';
import type { Language } from '../language.ts';
import { words } from '../words.ts';
import { canNotify, notifies, setNotifies } from './notify.ts';
import { settings } from './panels.ts';
import { theme } from './sidebar/theme.ts';
import type { Theme } from './sidebar/theme.ts';

export function Settings() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      class="settings"
      ref={dialog}
      onClose={() => (settings.value = false)}
      aria-labelledby="settings"
    >
      <h2 id="settings">{words.settings}</h2>
      <label>
        {words.theme}
        <select
          value={theme.value}
          onChange={(event) => (theme.value = event.currentTarget.value as Theme)}
        >
          {Object.entries(words.themes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.language}
        <select
          value={chosenLanguage()}
          onChange={(event) => chooseLanguage(event.currentTarget.value as Language | '')}
        >
          <option value="">{words.languageOfSystem}</option>
          {Object.entries(LANGUAGES).map(([value, label]) => (
            <option key={value} value={value} lang={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {canNotify && (
        <label class="check">
          <span>
            {words.notifications}
            <span class="note">{words.notificationsOn}</span>
          </span>
          <input
            type="checkbox"
            checked={notifies.value}
            onChange={(event) => void setNotifies(event.currentTarget.checked)}
          />
        </label>
      )}
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        {words.closeDialog}
      </button>
    </dialog>
  );
}
