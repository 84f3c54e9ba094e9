// What the agent has to do, and what runs beside the conversation, with what it has printed.
import { useEffect, useState } from 'preact/hooks';
import type { Task } from '../../model/items.ts';
import { stopTask } from '../../commands.ts';
import { api } from '../../net/api.ts';
import { currentId, view } from '../../store.ts';
import { terminalElement } from '../../transcript/output_view.ts';
import { words } from '../../words.ts';
import { Mount } from '../mount.tsx';

const LOOK_MS = 2000;

/** What a task has printed so far, asked again while it is looked at. */
function Output({ task }: { task: Task }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const id = currentId.value;
    if (id === null) return undefined;
    let left = false;
    const look = () =>
      api
        .ask<{ output?: string }>(id, { subtype: 'get_task_output', task_id: task.id })
        .then(
          ({ response }) => response.output ?? '',
          () => words.noOutput,
        )
        .then((output) => !left && setText(output));
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [task.id]);
  if (text === null) return <p class="hint">{words.loading}</p>;
  return <Mount make={() => terminalElement(text)} of={text} />;
}

function Running({ task }: { task: Task }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div class="task">
        <button
          type="button"
          class="task-name"
          aria-expanded={open}
          disabled={task.kind !== 'command'}
          onClick={() => setOpen(!open)}
        >
          <span class="running">
            <span class="dot" aria-hidden="true" />
          </span>
          <span class="text">{task.progress || task.description}</span>
        </button>
        <button
          type="button"
          class="stop-task"
          aria-label={words.stopTask(task.description)}
          onClick={() => stopTask(task.id)}
        >
          {words.stop}
        </button>
      </div>
      {open && <Output task={task} />}
    </li>
  );
}

export function Work() {
  const { todos = [], tasks = [] } = view.value ?? {};
  if (todos.length === 0 && tasks.length === 0) return <p class="hint">{words.noWork}</p>;
  return (
    <>
      {tasks.length > 0 && (
        <>
          <h2>{words.runningTasks}</h2>
          <ul class="running-tasks">
            {tasks.map((task) => (
              <Running key={task.id} task={task} />
            ))}
          </ul>
        </>
      )}
      {todos.length > 0 && (
        <>
          <h2>{words.todoList}</h2>
          <ul class="todos todo-list">
            {todos.map((todo, index) => (
              <li key={todo.id || index} class={todo.status}>
                <span class="mark" aria-hidden="true" />
                <span class="sr-only">{words.todoStates[todo.status]}: </span>
                <span>{todo.text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
