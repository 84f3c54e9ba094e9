// Answers to what the agent asks, exactly as it wants them.
import type { Answer, PermissionUpdate } from '../protocol/contract.ts';
import type { JsonObject, Question, ToolRequest } from '../protocol/wire.ts';
import { isObject } from '../protocol/wire.ts';

/** The hub adds the input that was asked about: it knows it, and it may be longer than a message to it. */
export function allow(updates: PermissionUpdate[] = [], changed: JsonObject | null = null): Answer {
  return {
    behavior: 'allow',
    ...(changed ? { updatedInput: changed } : {}),
    ...(updates.length > 0 ? { updatedPermissions: updates } : {}),
  };
}

export function deny(message: string, interrupt = false): Answer {
  return { behavior: 'deny', message, ...(interrupt ? { interrupt } : {}) };
}

/** The questions of a request that are whole enough to be asked. */
export function questionsOf(input: JsonObject): Question[] {
  const questions: unknown = input['questions'];
  if (!Array.isArray(questions)) return [];
  return questions.flatMap((entry): Question[] => {
    if (!isObject(entry) || typeof entry['question'] !== 'string') return [];
    const options = Array.isArray(entry['options']) ? entry['options'] : [];
    return [
      {
        question: entry['question'],
        header: typeof entry['header'] === 'string' ? entry['header'] : '',
        multiSelect: entry['multiSelect'] === true,
        options: options.filter(isObject).map((option) => ({
          label: String(option['label'] ?? ''),
          description: typeof option['description'] === 'string' ? option['description'] : '',
        })),
      },
    ];
  });
}

/** Answers are keyed by the whole text of the question; several labels are joined by a comma. */
export function answerQuestions(request: ToolRequest, chosen: Map<string, string[]>): Answer {
  const answers: { [question: string]: string } = {};
  for (const [question, labels] of chosen) {
    if (labels.length > 0) answers[question] = labels.join(', ');
  }
  return { behavior: 'allow', updatedInput: { ...request.input, answers } };
}
