// What has been sent and not been taken up: waiting for the agent, or for the connection.
import { textOf } from '../../protocol/wire.ts';
import { discard, view, withdraw } from '../../store.ts';
import { words } from '../../words.ts';

interface EntryProps {
  label: string;
  text: string;
  problem?: string;
  remove: () => void;
}

function Entry({ label, text, problem, remove }: EntryProps) {
  return (
    <li class={problem ? 'refused' : ''}>
      <span class="label">{label}</span>
      <span class="text">{text || words.image}</span>
      {problem && <span class="problem">{problem}</span>}
      <button type="button" class="quiet" onClick={remove}>
        {words.takeBack}
      </button>
    </li>
  );
}

export function Queue() {
  const shown = view.value;
  if (!shown || (shown.queue.length === 0 && shown.unsent.length === 0)) return null;
  return (
    <ul class="queue" aria-label={words.queued}>
      {shown.queue.map(({ clientId, content }) => (
        <Entry
          key={clientId}
          label={words.queued}
          text={textOf(content)}
          remove={() => withdraw(clientId, content)}
        />
      ))}
      {shown.unsent.map(({ clientId, content, problem }) => (
        <Entry
          key={clientId}
          label={words.unsent}
          text={textOf(content)}
          problem={problem}
          remove={() => discard(clientId, content)}
        />
      ))}
    </ul>
  );
}
