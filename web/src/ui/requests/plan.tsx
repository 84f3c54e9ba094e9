// A plan to approve, or to send back with words.
import { useState } from 'preact/hooks';
import { allow, deny } from '../../model/answers.ts';
import { field } from '../../protocol/wire.ts';
import { toolInput } from '../../store.ts';
import { renderProse } from '../../transcript/prose.ts';
import { words } from '../../words.ts';
import { give } from './asking.ts';
import { Choice, Choices } from './choice.tsx';
import { Mount } from '../mount.tsx';
import { RequestBody } from './request_body.tsx';
import type { RequestProps } from './requests.tsx';
import { WordsForm } from './words_form.tsx';

export function PlanRequest({ pending, sent }: RequestProps) {
  const { id, request } = pending;
  const [speaking, setSpeaking] = useState(false);
  // Newer agents leave the plan out of the request: it stands in the call that asks.
  const plan = field(request.input, 'plan') || field(toolInput(request.tool_use_id), 'plan');
  const approve = (mode: string) =>
    give(pending, allow([{ type: 'setMode', mode, destination: 'session' }]));
  return (
    <>
      <RequestBody>
        <div class="request-head">
          <strong>{words.planReady}</strong>
        </div>
        <Mount class="preview prose plan" make={() => renderProse(plan)} of={id} />
      </RequestBody>
      {!speaking ? (
        <Choices
          lasting={
            <Choice
              kind="suggestion"
              hotkey="1"
              disabled={sent}
              onChoose={() => approve('acceptEdits')}
            >
              {words.approvePlanEdits}
            </Choice>
          }
        >
          <Choice kind="primary" hotkey="y" disabled={sent} onChoose={() => approve('default')}>
            {words.approvePlan}
          </Choice>
          <Choice hotkey="n" disabled={sent} onChoose={() => setSpeaking(true)}>
            {words.sendBack}
          </Choice>
          <Choice disabled={sent} onChoose={() => give(pending, deny(words.stopDenial, true))}>
            {words.stopHere}
          </Choice>
        </Choices>
      ) : (
        <WordsForm
          placeholder={words.sendBackPlaceholder}
          submit={words.sendBackSend}
          onSubmit={(text) => give(pending, deny(text || words.defaultDenial))}
          onCancel={() => setSpeaking(false)}
        />
      )}
    </>
  );
}
