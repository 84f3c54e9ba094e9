// What the agent answers to a question of a panel, asked when the panel is opened and again after turns.
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../net/api.ts';
import { current, currentId } from '../../store.ts';

export interface Answered<T> {
  value: T | null;
  /** Why there is none. */
  problem: string;
  asking: boolean;
  again: () => void;
}

export function useAnswer<T>(request: { subtype: string; [member: string]: unknown }): Answered<T> {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState('');
  const [asking, setAsking] = useState(true);
  const [round, setRound] = useState(0);
  const id = currentId.value;
  const state = current.value?.state;
  useEffect(() => {
    // In the middle of a turn nothing of this is settled; it is asked again when it is over.
    if (id === null || state === 'starting') return undefined;
    let left = false;
    setAsking(true);
    api
      .ask<T>(id, request)
      .then(
        ({ response }) => !left && (setValue(response), setProblem('')),
        (error: unknown) =>
          !left && setProblem(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => !left && setAsking(false));
    return () => {
      left = true;
    };
  }, [id, state === 'running', round]);
  return { value, problem, asking, again: () => setRound(round + 1) };
}
