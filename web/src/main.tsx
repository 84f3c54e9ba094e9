// Puts the page together.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { agents, learnAbout, stopTask } from './commands.ts';
import { connection, current, hasOlder, hubTime, loadOlder, start, view } from './store.ts';
import { Transcript } from './transcript/transcript.ts';
import { App, following } from './ui/app.tsx';
import { startKeys } from './ui/keys.ts';
import { startRouting } from './ui/route.ts';
import './ui/sidebar/theme.ts';

let transcript: Transcript | null = null;

function fill(scroller: HTMLElement): void {
  transcript = new Transcript(scroller, {
    loadOlder: async () => {
      const loaded = await loadOlder();
      transcript?.setHasOlder(hasOlder());
      return loaded;
    },
    onFollow: (value) => (following.value = value),
    stopTask,
    now: hubTime,
  });
}

const root = document.getElementById('app');
if (root) {
  render(
    <App
      transcript={fill}
      toEnd={() => transcript?.toEnd()}
      toLastPrompt={() => transcript?.toLastPrompt()}
    />,
    root,
  );
  start({
    conversation: (conversation, more) => {
      transcript?.open(conversation);
      transcript?.setHasOlder(more);
    },
    change: () => transcript?.changed(),
    sent: () => transcript?.toEnd(),
  });
  // What nobody hears of may have ended.
  effect(() =>
    transcript?.setWorking(view.value?.facts.state === 'running' && connection.value === 'open'),
  );
  // The commands of an agent are known once it runs.
  effect(() => {
    const { id, state } = current.value ?? { id: '', state: 'ended' };
    if (['idle', 'running', 'waiting'].includes(state) && !agents.peek().has(id))
      void learnAbout(id);
  });
  startRouting();
  startKeys();
}
