// What runs beside the conversation: commands in the background and subagents, each with its Stop. The
// turn may be over, and they still work.
import { stopTask } from '../commands.ts';
import { view } from '../store.ts';
import { words } from '../words.ts';

export function TaskStrip() {
  const running = (view.value?.tasks ?? []).filter(({ background }) => background);
  if (running.length === 0) return null;
  return (
    <ul class="task-strip" aria-label={words.inBackground}>
      {running.map(({ id, kind, description, progress }) => (
        <li key={id}>
          <span class="dot" aria-hidden="true" />
          <span class="kind">{words.taskKinds[kind]}</span>
          <span class="text">{progress || description}</span>
          <button
            type="button"
            class="quiet"
            aria-label={words.stopTask(description)}
            onClick={() => stopTask(id)}
          >
            {words.stop}
          </button>
        </li>
      ))}
    </ul>
  );
}
