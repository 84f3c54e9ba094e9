// A button that answers a request, with the key that does the same.
import type { ComponentChildren } from 'preact';

interface ChoiceProps {
  children: ComponentChildren;
  onChoose: () => void;
  disabled: boolean;
  hotkey?: string;
  kind?: 'primary' | 'suggestion';
}

export function Choice({ children, onChoose, disabled, hotkey, kind }: ChoiceProps) {
  return (
    <button
      type="button"
      class={kind ? `button ${kind}` : 'button'}
      data-key={hotkey}
      disabled={disabled}
      onClick={onChoose}
    >
      {children}
      {hotkey && (
        <>
          {' '}
          <kbd>{hotkey}</kbd>
        </>
      )}
    </button>
  );
}
