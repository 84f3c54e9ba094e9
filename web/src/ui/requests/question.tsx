// Questions of the agent as a form: options, several at once where allowed, or words of one's own.
import { useState } from 'preact/hooks';
import { answerQuestions, deny, questionsOf } from '../../model/answers.ts';
import type { Question } from '../../protocol/wire.ts';
import { words } from '../../words.ts';
import { give, ready } from './asking.ts';
import { Choice, Choices } from './choice.tsx';
import { RequestBody } from './request_body.tsx';
import type { RequestProps } from './requests.tsx';

interface Reply {
  labels: string[];
  other: string;
  useOther: boolean;
}

const NO_REPLY: Reply = { labels: [], other: '', useOther: false };

function labelsOf(reply: Reply): string[] {
  const other = reply.useOther ? reply.other.trim() : '';
  return other ? [...reply.labels, other] : reply.labels;
}

interface FieldProps {
  name: string;
  question: Question;
  reply: Reply;
  /** Keys 1…9 choose in the first question only. */
  keys: boolean;
  change: (reply: Reply) => void;
}

function QuestionField({ name, question, reply, keys, change }: FieldProps) {
  const type = question.multiSelect ? 'checkbox' : 'radio';
  const choose = (label: string, on: boolean) => {
    if (!question.multiSelect) return change({ ...reply, labels: [label], useOther: false });
    const rest = reply.labels.filter((chosen) => chosen !== label);
    change({ ...reply, labels: on ? [...rest, label] : rest });
  };
  return (
    <fieldset aria-disabled={ready.value ? undefined : true}>
      <legend>
        {question.header && <span class="tag">{question.header}</span>}
        {question.question}
      </legend>
      {question.options.map((option, index) => (
        <label key={option.label} class="option" data-key={keys ? String(index + 1) : undefined}>
          <input
            type={type}
            name={name}
            checked={reply.labels.includes(option.label)}
            onChange={(event) => choose(option.label, event.currentTarget.checked)}
          />
          <span>
            <span class="label">{option.label}</span>
            {option.description && <span class="note">{option.description}</span>}
          </span>
          {keys && index < 9 && <kbd>{index + 1}</kbd>}
        </label>
      ))}
      <label class="option other">
        <input
          type={type}
          name={name}
          checked={reply.useOther}
          onChange={(event) =>
            change({
              ...reply,
              labels: question.multiSelect ? reply.labels : [],
              useOther: event.currentTarget.checked,
            })
          }
        />
        <input
          type="text"
          aria-label={words.otherAnswer}
          placeholder={words.otherAnswer}
          value={reply.other}
          onInput={(event) =>
            change({
              other: event.currentTarget.value,
              labels: question.multiSelect ? reply.labels : [],
              useOther: event.currentTarget.value !== '',
            })
          }
        />
      </label>
    </fieldset>
  );
}

export function QuestionRequest({ pending, sent }: RequestProps) {
  const questions = questionsOf(pending.request.input);
  const [replies, setReplies] = useState(new Map<string, Reply>());
  const replyTo = ({ question }: Question) => replies.get(question) ?? NO_REPLY;
  const complete = questions.every((question) => labelsOf(replyTo(question)).length > 0);
  const submit = () => {
    const chosen = new Map(
      questions.map((question) => [question.question, labelsOf(replyTo(question))]),
    );
    give(pending, answerQuestions(pending.request, chosen));
  };
  return (
    <form
      class="questions"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) submit();
      }}
    >
      <RequestBody>
        <strong class="sr-only">{words.answerQuestions}</strong>
        {questions.map((question, index) => (
          <QuestionField
            key={question.question}
            name={`question-${pending.id}-${index}`}
            question={question}
            reply={replyTo(question)}
            keys={index === 0}
            change={(reply) => setReplies(new Map(replies).set(question.question, reply))}
          />
        ))}
      </RequestBody>
      <Choices>
        <Choice kind="primary" hotkey="y" disabled={sent || !complete}>
          {words.submit}
        </Choice>
        <Choice hotkey="n" disabled={sent} onChoose={() => give(pending, deny(words.skipped))}>
          {words.skip}
        </Choice>
        <Choice disabled={sent} onChoose={() => give(pending, deny(words.stopDenial, true))}>
          {words.stopHere}
        </Choice>
      </Choices>
    </form>
  );
}
