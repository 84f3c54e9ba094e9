// Buttons that answer a request, with the keys that do the same. What counts once has its fixed place
// at the bottom; what stays allowed lies above it, so that neither ever comes to lie where the other was.
import type { ComponentChildren } from 'preact';
import { ready } from './asking.ts';

interface ChoiceProps {
  children: ComponentChildren;
  onChoose?: () => void;
  disabled: boolean;
  hotkey?: string;
  kind?: 'primary' | 'suggestion';
}

/** Without `onChoose` it submits its form. */
export function Choice({ children, onChoose, disabled, hotkey, kind }: ChoiceProps) {
  return (
    <button
      type={onChoose ? 'button' : 'submit'}
      class={kind ? `button ${kind}` : 'button'}
      data-key={hotkey}
      aria-keyshortcuts={hotkey}
      disabled={disabled}
      aria-disabled={ready.value ? undefined : true}
      onClick={onChoose}
    >
      {children}
      {hotkey && (
        <>
          {' '}
          <kbd aria-hidden="true">{hotkey}</kbd>
        </>
      )}
    </button>
  );
}

interface ChoicesProps {
  /** What answers this request and no other. */
  children: ComponentChildren;
  /** What is in force for later requests, too. */
  lasting?: ComponentChildren;
}

export function Choices({ children, lasting }: ChoicesProps) {
  return (
    <div class="choices">
      <div class="once">{children}</div>
      {lasting && <div class="lasting">{lasting}</div>}
    </div>
  );
}
