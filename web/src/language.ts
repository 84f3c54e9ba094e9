// Which language the page speaks: the one that was chosen here, else the browser's, else English.
import { words } from './words.ts';
import type { Translation } from './words.ts';

const PLACE = 'parley.language';

/** By their own names, so that everybody finds theirs. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<Exclude<Language, 'en'>, () => Promise<{ translation: Translation }>> = {
  de: () => import('./languages/de.ts'),
  zh: () => import('./languages/zh.ts'),
};

const isLanguage = (value: string | null): value is Language =>
  value !== null && Object.hasOwn(LANGUAGES, value);

/** What was chosen, '' if it follows the browser. */
export function chosenLanguage(): Language | '' {
  const stored = localStorage.getItem(PLACE);
  return isLanguage(stored) ? stored : '';
}

function languageOfBrowser(): Language {
  const wanted = navigator.languages.map((tag) => tag.split('-')[0] ?? '');
  return wanted.find(isLanguage) ?? 'en';
}

/** Chooses another one, '' for that of the browser; the page begins anew with it. */
export function chooseLanguage(language: Language | ''): void {
  localStorage.setItem(PLACE, language);
  location.reload();
}

/** Before anything is drawn. Without its file the page speaks English. */
export async function loadLanguage(): Promise<void> {
  const language = chosenLanguage() || languageOfBrowser();
  if (language === 'en') return;
  try {
    Object.assign(words, (await LOADERS[language]()).translation);
    document.documentElement.lang = language;
  } catch {
    // The server has another version of the page, or is gone: it says so itself.
  }
}
