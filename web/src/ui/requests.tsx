// What the agent asks, docked above the message field: the rest of the page stays usable. The oldest
// request comes first; others wait their turn behind it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { allow, deny } from '../model/answers.ts';
import type { PendingRequest } from '../model/conversation.ts';
import { suggestionLabel } from '../model/suggestions.ts';
import { field } from '../protocol/wire.ts';
import { answer, answering, view } from '../store.ts';
import { editDiff, toolLabel, viewOf } from '../transcript/tools.ts';
import { shortPath } from '../text/paths.ts';
import { visible } from '../text/visible.ts';
import { words } from '../words.ts';
import { jsonElement } from '../transcript/output_view.ts';
import { Choice } from './choice.tsx';
import { Mount } from './mount.tsx';
import { PlanRequest } from './plan.tsx';
import { QuestionRequest } from './question.tsx';
import { WordsForm } from './words_form.tsx';

export interface RequestProps {
  pending: PendingRequest;
  /** It was answered here, and the hub has not confirmed it. */
  sent: boolean;
}

/** What would happen, before it happens. */
function preview({ request }: PendingRequest): HTMLElement {
  const { tool_name, input } = request;
  const diff = ['Edit', 'MultiEdit', 'Write'].includes(tool_name)
    ? editDiff(tool_name, input, null)
    : null;
  if (diff) return diff;
  const command = input['command'];
  if (tool_name === 'Bash' && typeof command === 'string') {
    const pre = document.createElement('pre');
    pre.className = 'command';
    pre.textContent = visible(command);
    return pre;
  }
  return jsonElement(input);
}

function PermissionRequest({ pending, sent }: RequestProps) {
  const { id, request } = pending;
  const [speaking, setSpeaking] = useState(false);
  const suggestions = (request.permission_suggestions ?? []).slice(0, 9);
  const isCommand = request.tool_name === 'Bash';
  // What stands below in full is not repeated. What a command is for, in the agent's words, says more.
  const summary = isCommand
    ? field(request.input, 'description')
    : viewOf(request.tool_name).summary(request.input);
  return (
    <>
      <div class="request-head">
        <strong>{words.allowTool(toolLabel(request.tool_name))}</strong>
        {summary !== JSON.stringify(request.input) && (
          <span class={isCommand ? 'note' : 'summary'}>{visible(summary)}</span>
        )}
        {request.agent_id && <span class="note">{words.agentAsks}</span>}
      </div>
      {request.decision_reason && <p class="note">{request.decision_reason}</p>}
      {request.blocked_path && (
        <p class="note">{words.blockedPath(visible(shortPath(request.blocked_path)))}</p>
      )}
      <Mount class="preview" make={() => preview(pending)} of={id} />
      {speaking ? (
        <WordsForm
          placeholder={words.denyPlaceholder}
          submit={words.denySend}
          onSubmit={(text) => answer(id, deny(text || words.defaultDenial))}
          onCancel={() => setSpeaking(false)}
        />
      ) : (
        <div class="choices">
          <Choice
            kind="primary"
            hotkey="y"
            disabled={sent}
            onChoose={() => answer(id, allow(request))}
          >
            {words.allow}
          </Choice>
          <Choice hotkey="n" disabled={sent} onChoose={() => answer(id, deny(words.defaultDenial))}>
            {words.deny}
          </Choice>
          <Choice disabled={sent} onChoose={() => setSpeaking(true)}>
            {words.denyWords}
          </Choice>
          <Choice disabled={sent} onChoose={() => answer(id, deny(words.stopDenial, true))}>
            {words.denyStop}
          </Choice>
          {suggestions.map((update, index) => (
            <Choice
              key={index}
              kind="suggestion"
              hotkey={String(index + 1)}
              disabled={sent}
              onChoose={() => answer(id, allow(request, [update]))}
            >
              {visible(suggestionLabel(update))}
            </Choice>
          ))}
        </div>
      )}
    </>
  );
}

const FORMS: Record<string, typeof PermissionRequest> = {
  AskUserQuestion: QuestionRequest,
  ExitPlanMode: PlanRequest,
};

export function Requests() {
  const dock = useRef<HTMLElement>(null);
  const [index, setIndex] = useState(0);
  const pending = view.value?.pending ?? [];
  const shown = pending[index] ?? pending[0];

  useLayoutEffect(() => {
    if (shown) takeFocus(dock.current);
    else passFocusOn();
  }, [shown?.id]);

  if (!shown) return null;
  const Form = Object.hasOwn(FORMS, shown.request.tool_name)
    ? (FORMS[shown.request.tool_name] ?? PermissionRequest)
    : PermissionRequest;
  const place = pending.indexOf(shown);
  return (
    <section class="requests" ref={dock} tabIndex={-1} aria-label={words.requests}>
      {pending.length > 1 && (
        <div class="request-count">
          {words.requestOf(place + 1, pending.length)}
          <button
            type="button"
            class="quiet"
            onClick={() => setIndex((place + 1) % pending.length)}
          >
            {words.nextRequest}
          </button>
        </div>
      )}
      <Form key={shown.id} pending={shown} sent={answering.value.has(shown.id)} />
      {answering.value.has(shown.id) && <p class="note">{words.sending}</p>}
    </section>
  );
}

/** The request is gone, and the focus with it: what the user writes next is a message. */
function passFocusOn(): void {
  if (!matchMedia('(pointer: fine)').matches || document.activeElement !== document.body) return;
  document.getElementById('message')?.focus({ preventScroll: true });
}

/** Keys answer a request only while it has the focus. It takes it if the user is not writing. */
function takeFocus(dock: HTMLElement | null): void {
  if (!dock || !matchMedia('(pointer: fine)').matches) return;
  const active = document.activeElement;
  const writing =
    (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) &&
    active.value !== '';
  if (!writing && !dock.contains(active)) dock.focus({ preventScroll: true });
}
