// Hits of a search in everything that was said, with the words around them.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../net/api.ts';
import type { Found } from '../../protocol/contract.ts';
import { sessions } from '../../store.ts';
import { words } from '../../words.ts';
import { drawer } from '../panels.ts';
import { addressOf } from '../route.ts';

/** Before the user has stopped typing nothing is asked. */
const PAUSE_MS = 300;
/** Shorter texts are everywhere. */
const SHORTEST = 3;

const found = signal<{ text: string; result: Found | null } | null>(null);

async function look(text: string): Promise<void> {
  found.value = { text, result: null };
  const result = await api.search(text).catch((): Found => ({ hits: [], count: 0 }));
  if (found.value?.text === text) found.value = { text, result };
}

export function FoundTexts({ needle }: { needle: string }) {
  const text = needle.trim();
  useEffect(() => {
    if (text.length < SHORTEST) {
      found.value = null;
      return undefined;
    }
    const timer = setTimeout(() => void look(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  if (text.length < SHORTEST || found.value?.text !== text) return null;
  const { result } = found.value;
  return (
    <section>
      <h2>{result ? words.foundInMessages(result.count) : words.searching}</h2>
      <ul>
        {(result?.hits ?? []).map((hit, index) => (
          <li key={index}>
            <a
              class="hit"
              href={addressOf(hit.session)}
              data-session
              onClick={() => (drawer.value = false)}
            >
              <span class="title">{sessions.value.get(hit.session)?.title || words.untitled}</span>
              <span class="context-of-hit">
                {hit.before.split('\n').at(-1)}
                <mark>{hit.match}</mark>
                {hit.after.split('\n')[0]}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
