// Model, permission mode, context and cost, below the message field.
import { api } from '../../net/api.ts';
import { attempt, currentId, info, view } from '../../store.ts';
import { words } from '../../words.ts';

interface ChoiceProps {
  label: string;
  value: string;
  options: [value: string, label: string][];
  /** On a narrow screen it is cut rather than the others. */
  givesWay?: boolean;
  onChange: (value: string) => void;
}

/**
 * A native select that looks like a chip: it works with every keyboard, phone and screen reader. It
 * shows what is, not what was asked for: a choice stands only when `value` has become it.
 */
export function Choice({ label, value, options, givesWay, onChange }: ChoiceProps) {
  const known = options.some(([option]) => option === value);
  return (
    <select
      class={givesWay ? 'chip gives-way' : 'chip'}
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => {
        const wanted = event.currentTarget.value;
        event.currentTarget.value = value;
        onChange(wanted);
      }}
    >
      {!known && value && <option value={value}>{value}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The modes to choose from, and the one that is in force. */
export function modeOptions(current: string): [string, string][] {
  const offered = ['default', 'acceptEdits', 'plan'];
  if (info.value?.bypass) offered.push('bypassPermissions');
  if (!offered.includes(current)) offered.push(current);
  return offered.map((mode) => [mode, words.modes[mode] ?? mode]);
}

export function modelOptions(): [string, string][] {
  return (info.value?.models ?? []).map(({ value, displayName }) => [value, displayName]);
}

/** The choice that stands for a model: agents say the full name of what was chosen by a short one. */
export function modelChoice(model: string): string {
  const models = info.value?.models ?? [];
  const same = models.filter(({ value, resolvedModel }) => [value, resolvedModel].includes(model));
  const exact = same.find(({ value }) => value === model);
  return (exact ?? same.find(({ value }) => value !== 'default') ?? same[0])?.value ?? model;
}

const RADIUS = 6;
const ROUND = 2 * Math.PI * RADIUS;

function Context({ used, window }: { used: number; window: number }) {
  const share = window > 0 ? Math.min(1, used / window) : null;
  const label = words.context(used, window);
  return (
    <span
      class={share !== null && share >= 0.8 ? 'context full' : 'context'}
      role="img"
      aria-label={label}
      title={label}
    >
      {share !== null && (
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <circle class="track" cx="8" cy="8" r={RADIUS} />
          <circle
            class="value"
            cx="8"
            cy="8"
            r={RADIUS}
            stroke-dasharray={`${share * ROUND} ${ROUND}`}
            transform="rotate(-90 8 8)"
          />
        </svg>
      )}
      {words.contextShort(used, window)}
    </span>
  );
}

export function Chips() {
  const facts = view.value?.facts;
  const id = currentId.value;
  if (!facts || id === null) return null;
  const models = modelOptions();
  return (
    <div class="chips">
      {(models.length > 0 || facts.model) && (
        <Choice
          label={words.model}
          value={modelChoice(facts.model ?? '')}
          options={facts.model ? models : [['', words.defaultModel], ...models]}
          givesWay
          onChange={(model) => void attempt(() => api.setModel(id, model))}
        />
      )}
      <Choice
        label={words.mode}
        value={facts.mode || 'default'}
        options={modeOptions(facts.mode || 'default')}
        onChange={(mode) => void attempt(() => api.setMode(id, mode))}
      />
      <span class="grow" />
      {facts.contextTokens > 0 && (
        <Context used={facts.contextTokens} window={facts.contextWindow} />
      )}
      <span
        class="cost"
        title={words.costLabel}
        aria-label={`${words.costLabel}: ${words.cost(facts.costUsd)}`}
      >
        {words.cost(facts.costUsd)}
      </span>
    </div>
  );
}
