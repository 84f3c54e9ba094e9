// What fills the model's context, and what the session has cost: by turn, and by model.
import { shownConversation, view } from '../../store.ts';
import { words } from '../../words.ts';
import { useAnswer } from './answers.ts';

interface ContextUsage {
  categories?: { name: string; tokens: number; kind?: string; isDeferred?: boolean }[];
  totalTokens?: number;
  maxTokens?: number;
}

/** How full it has to be for a warning. */
const TIGHT = 0.8;
const MOST_TURNS = 30;

function Bar({ label, value, share }: { label: string; value: string; share: number }) {
  return (
    <li class="bar-row">
      <span class="label">{label}</span>
      <span class="value">{value}</span>
      <meter class="share" min={0} max={1} value={share} aria-label={label} />
    </li>
  );
}

function Filling() {
  const { value, problem, asking } = useAnswer<ContextUsage>({ subtype: 'get_context_usage' });
  if (!value) return <p class="hint">{asking ? words.loading : problem || words.notRunning}</p>;
  const { totalTokens: used = 0, maxTokens: window = 0 } = value;
  const full = window > 0 ? used / window : 0;
  const parts = (value.categories ?? []).filter(
    ({ tokens, kind, isDeferred, name }) =>
      tokens > 0 && !isDeferred && kind !== 'free' && !/free space|buffer/i.test(name),
  );
  return (
    <>
      <p class={full >= TIGHT ? 'note warns' : 'note'}>
        {words.context(used, window)}
        {full >= TIGHT ? `. ${words.contextTight}` : ''}
      </p>
      <ul class="bars">
        {parts.map(({ name, tokens }) => (
          <Bar
            key={name}
            label={name}
            value={words.tokens(tokens)}
            share={used > 0 ? tokens / used : 0}
          />
        ))}
      </ul>
    </>
  );
}

export function Context() {
  const conversation = shownConversation();
  const turns = (conversation?.items ?? []).flatMap((item) => (item.kind === 'turn' ? [item] : []));
  const most = Math.max(0, ...turns.map(({ costUsd }) => costUsd));
  const models = Object.entries(conversation?.usage ?? {});
  return (
    <>
      <h2>{words.contextTitle}</h2>
      <Filling />
      <h2>
        {words.costLabel}: {words.cost(view.value?.facts.costUsd ?? 0)}
      </h2>
      {models.length > 0 && (
        <ul class="bars">
          {models.map(([model, usage]) => (
            <li key={model} class="bar-row">
              <span class="label">{model}</span>
              <span class="value">{words.cost(usage.costUSD ?? 0)}</span>
              <span class="note">{words.modelTokens(usage)}</span>
            </li>
          ))}
        </ul>
      )}
      {turns.length > 1 && (
        <>
          <h2>{words.costByTurn}</h2>
          <ul class="bars">
            {turns
              .slice(-MOST_TURNS)
              .reverse()
              .map(({ id, time, costUsd, durationMs }) => (
                <Bar
                  key={id}
                  label={`${new Date(time).toLocaleTimeString([], { timeStyle: 'short' })} · ${words.seconds(durationMs)}`}
                  value={words.cost(costUsd)}
                  share={most > 0 ? costUsd / most : 0}
                />
              ))}
          </ul>
        </>
      )}
    </>
  );
}
