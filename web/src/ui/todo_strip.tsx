// The agent's own list of what it has to do, once, above the message field: how far it is, and the
// whole of it on demand.
import { signal } from '@preact/signals';
import type { Todo } from '../model/todos.ts';
import { view } from '../store.ts';
import { words } from '../words.ts';

const open = signal(false);

function Entry({ todo, all }: { todo: Todo; all: readonly Todo[] }) {
  const before = todo.after
    .map((id) => all.find((other) => other.id === id))
    .filter((other) => other && other.status !== 'completed');
  return (
    <li class={todo.status}>
      <span class="mark" aria-hidden="true" />
      <span class="sr-only">{words.todoStates[todo.status]}: </span>
      <span>{todo.status === 'in_progress' ? todo.activeText : todo.text}</span>
      {before.length > 0 && (
        <span class="note">
          {words.todoAfter(before.map((other) => other?.text ?? '').join(', '))}
        </span>
      )}
    </li>
  );
}

export function TodoStrip() {
  const todos = view.value?.todos ?? [];
  const done = todos.filter(({ status }) => status === 'completed').length;
  // What is all done is no news once the agent rests.
  if (todos.length === 0 || (done === todos.length && view.value?.facts.state !== 'running'))
    return null;
  const active = todos.find(({ status }) => status === 'in_progress');
  return (
    <section class="todo-strip" aria-label={words.todoList}>
      <button
        type="button"
        class="todo-head"
        aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}
      >
        <span class="count">
          {done}/{todos.length}
        </span>
        <span class="now">{active?.activeText ?? words.todoList}</span>
        <span class="chevron" aria-hidden="true" />
      </button>
      {open.value && (
        <ul class="todos">
          {todos.map((todo, index) => (
            <Entry key={todo.id || index} todo={todo} all={todos} />
          ))}
        </ul>
      )}
    </section>
  );
}
