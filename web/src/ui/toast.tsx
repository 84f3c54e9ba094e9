// A word about what went wrong, or well, that goes by itself.
import type { Signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { words } from '../words.ts';

/** Long enough to read it; who is at it, with the pointer or the keys, has all the time. */
const TOLD_MS = 12_000;

interface ToastProps {
  /** What is told; '' for nothing. */
  of: Signal<string>;
  kind: 'problem' | 'notice';
}

export function Toast({ of, kind }: ToastProps) {
  const [held, setHeld] = useState(false);
  const text = of.value;
  useEffect(() => {
    if (!text || held) return undefined;
    const timer = setTimeout(() => (of.value = ''), TOLD_MS);
    return () => clearTimeout(timer);
  }, [text, held]);
  useEffect(() => {
    if (!text) setHeld(false);
  }, [text]);
  if (!text) return null;
  return (
    <div
      class={`toast ${kind}`}
      role={kind === 'problem' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
    >
      <span>
        {kind === 'problem' && <strong>{words.error}.</strong>} {text}
      </span>
      <button type="button" class="quiet" onClick={() => (of.value = '')}>
        {words.dismiss}
      </button>
    </div>
  );
}
