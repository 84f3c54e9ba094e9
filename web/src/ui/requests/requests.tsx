// What the agent asks, docked above the message field: the rest of the page stays usable. The oldest
// request comes first; others wait their turn behind it. When one may be answered: asking.ts.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { allow, deny } from '../../model/answers.ts';
import { countLines } from '../../model/changes.ts';
import type { PendingRequest } from '../../model/state.ts';
import { suggestionLabel, suggestionReach, suggestionsOf } from '../../model/suggestions.ts';
import { field } from '../../protocol/wire.ts';
import { answering, currentId, info, sessions, taskName, view } from '../../store.ts';
import { toolLabel, viewOf } from '../../transcript/tools/tools.ts';
import { shortPath } from '../../text/paths.ts';
import { visible } from '../../text/visible.ts';
import { words } from '../../words.ts';
import { addressOf } from '../route.ts';
import { entered, give, keyOf, shown, showNext, wasAnsweredHere, watch } from './asking.ts';
import { ChangedInput, inputOfText, textOfInput } from './changed_input.tsx';
import { Choice, Choices } from './choice.tsx';
import { PlanRequest } from './plan.tsx';
import { Preview } from './preview.tsx';
import { QuestionRequest } from './question.tsx';
import { RequestBody } from './request_body.tsx';
import { WordsForm } from './words_form.tsx';

export interface RequestProps {
  pending: PendingRequest;
  /** It was answered here, and the hub has not confirmed it. */
  sent: boolean;
}

function Head({ pending: { request } }: { pending: PendingRequest }) {
  const isCommand = request.tool_name === 'Bash';
  // What stands below in full is not repeated. What a command is for, in the agent's words, says more.
  const summary = isCommand
    ? field(request.input, 'description')
    : viewOf(request.tool_name).summary(request.input);
  const lines = isCommand ? countLines(field(request.input, 'command')) : 0;
  return (
    <>
      <div class="request-head">
        <strong>{words.allowTool(toolLabel(request.tool_name))}</strong>
        {summary !== JSON.stringify(request.input) && (
          <span class={isCommand ? 'note' : 'summary'}>{visible(summary)}</span>
        )}
        {lines > 1 && <span class="note">{words.lines(lines)}</span>}
        {request.agent_id && (
          <span class="note">{visible(words.agentAsks(taskName(request.agent_id)))}</span>
        )}
      </div>
      {request.decision_reason && <p class="note">{visible(request.decision_reason)}</p>}
      {request.blocked_path && (
        <p class="note">{words.blockedPath(visible(shortPath(request.blocked_path)))}</p>
      )}
    </>
  );
}

function PermissionRequest({ pending, sent }: RequestProps) {
  const { request } = pending;
  const [speaking, setSpeaking] = useState(false);
  const [changing, setChanging] = useState(false);
  const [changed, setChanged] = useState('');
  const changedInput = changing ? inputOfText(request, changed) : null;
  // They were suggested for what was asked, not for what became of it.
  const suggestions = changing ? [] : suggestionsOf(request, info.value?.bypass === true);
  const change = () => {
    if (!changed) setChanged(textOfInput(request));
    setChanging(true);
  };
  const cancel = () => {
    document.querySelector<HTMLElement>('.requests')?.focus();
    setChanging(false);
  };
  const say = (message: string, stop = false) => give(pending, deny(message, stop));
  return (
    <>
      <RequestBody>
        <Head pending={pending} />
        {changing ? (
          <ChangedInput
            text={changed}
            valid={changedInput !== null}
            onChange={setChanged}
            onCancel={cancel}
          />
        ) : (
          <Preview pending={pending} />
        )}
        {!speaking && (
          <button
            type="button"
            class="change"
            disabled={sent}
            onClick={() => (changing ? cancel() : change())}
          >
            {changing ? words.changeNothing : words.changeInput}
          </button>
        )}
      </RequestBody>
      {speaking ? (
        <WordsForm
          placeholder={words.denyPlaceholder}
          submit={words.denySend}
          onSubmit={(text) => say(text || words.defaultDenial)}
          onCancel={() => setSpeaking(false)}
        />
      ) : (
        <Choices
          lasting={
            suggestions.length > 0 &&
            suggestions.map((update, index) => (
              <Choice
                key={index}
                kind="suggestion"
                hotkey={String(index + 1)}
                disabled={sent}
                onChoose={() => give(pending, allow([update]))}
              >
                <span title={visible(suggestionLabel(update))}>
                  {visible(suggestionLabel(update, true))}
                </span>
                <span class="reach">{suggestionReach(update)}</span>
              </Choice>
            ))
          }
        >
          <Choice
            kind="primary"
            hotkey="y"
            disabled={sent || (changing && changedInput === null)}
            onChoose={() => give(pending, allow([], changedInput))}
          >
            {changing ? words.allowChanged : words.allow}
          </Choice>
          <Choice hotkey="n" disabled={sent} onChoose={() => say(words.defaultDenial)}>
            {words.deny}
          </Choice>
          <Choice disabled={sent} onChoose={() => setSpeaking(true)}>
            {words.denyWords}
          </Choice>
          <Choice disabled={sent} onChoose={() => say(words.stopDenial, true)}>
            {words.denyStop}
          </Choice>
        </Choices>
      )}
    </>
  );
}

const FORMS: Record<string, typeof PermissionRequest> = {
  AskUserQuestion: QuestionRequest,
  ExitPlanMode: PlanRequest,
};

/** Where else somebody is waited for: the one that has waited for longest is a click away. */
function Elsewhere() {
  const others = [...sessions.value.values()]
    .filter(({ id, pending }) => pending > 0 && id !== currentId.value)
    .sort((a, b) => a.updated - b.updated);
  const [first] = others;
  if (!first) return null;
  return <a href={addressOf(first.id)}>{words.waitingElsewhere(others.length)}</a>;
}

export function Requests() {
  const dock = useRef<HTMLElement>(null);
  const request = shown.value;
  const key = request ? keyOf(request) : '';
  useLayoutEffect(() => {
    const end = dock.current ? watch(dock.current) : undefined;
    return () => {
      end?.();
      if (wasAnsweredHere(key)) passFocusOn();
    };
  }, [key]);

  if (!request) return null;
  const Form = Object.hasOwn(FORMS, request.request.tool_name)
    ? (FORMS[request.request.tool_name] ?? PermissionRequest)
    : PermissionRequest;
  const pending = view.value?.pending ?? [];
  const sent = answering.value.has(request.id);
  return (
    <section
      key={key}
      class="requests"
      ref={dock}
      tabIndex={-1}
      aria-label={words.requests}
      data-keys={entered.value}
    >
      <div class="request-count">
        {pending.length > 1 && (
          <>
            <span>{words.requestOf(pending.indexOf(request) + 1, pending.length)}</span>
            <button type="button" class="quiet" onClick={showNext}>
              {words.nextRequest}
            </button>
          </>
        )}
        <Elsewhere />
        {sent && <span class="sending">{words.sending}</span>}
        <span class="keys-hint">{words.keysHint(entered.value)}</span>
      </div>
      <Form pending={request} sent={sent} />
    </section>
  );
}

/** The request is gone, and the focus with it: what the user writes next is a message. */
function passFocusOn(): void {
  if (!matchMedia('(pointer: fine)').matches || document.activeElement !== document.body) return;
  document.getElementById('message')?.focus({ preventScroll: true });
}
