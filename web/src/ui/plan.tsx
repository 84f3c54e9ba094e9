// A plan to approve, or to send back with words.
import { useState } from 'preact/hooks';
import { allow, deny } from '../model/answers.ts';
import { field } from '../protocol/wire.ts';
import { answer, toolInput } from '../store.ts';
import { renderProse } from '../transcript/prose.ts';
import { words } from '../words.ts';
import { Mount } from './mount.tsx';
import type { RequestProps } from './requests.tsx';

export function PlanRequest({ pending, sent }: RequestProps) {
  const { id, request } = pending;
  const [back, setBack] = useState<string | null>(null);
  // Newer agents leave the plan out of the request: it stands in the call that asks.
  const plan = field(request.input, 'plan') || field(toolInput(request.tool_use_id), 'plan');
  const approve = (mode: string) =>
    answer(id, allow(request, [{ type: 'setMode', mode, destination: 'session' }]));
  return (
    <>
      <div class="request-head">
        <strong>{words.planReady}</strong>
      </div>
      <Mount class="preview prose" make={() => renderProse(plan)} of={id} />
      {back === null ? (
        <div class="choices">
          <button
            type="button"
            class="button primary"
            data-key="y"
            disabled={sent}
            onClick={() => approve('default')}
          >
            {words.approvePlan} <kbd>y</kbd>
          </button>
          <button
            type="button"
            class="button"
            data-key="1"
            disabled={sent}
            onClick={() => approve('acceptEdits')}
          >
            {words.approvePlanEdits} <kbd>1</kbd>
          </button>
          <button
            type="button"
            class="button"
            data-key="n"
            disabled={sent}
            onClick={() => setBack('')}
          >
            {words.sendBack} <kbd>n</kbd>
          </button>
        </div>
      ) : (
        <form
          class="deny-words"
          onSubmit={(event) => {
            event.preventDefault();
            answer(id, deny(back.trim() || words.defaultDenial));
          }}
        >
          <textarea
            rows={2}
            autoFocus
            aria-label={words.sendBackPlaceholder}
            placeholder={words.sendBackPlaceholder}
            value={back}
            onInput={(event) => setBack(event.currentTarget.value)}
          />
          <button type="submit" class="button primary" disabled={sent}>
            {words.sendBackSend}
          </button>
        </form>
      )}
    </>
  );
}
