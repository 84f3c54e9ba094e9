// Puts the page together.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { agents, fork, learnAbout, stopTask } from './commands.ts';
import { loadLanguage } from './language.ts';
import { connection, current, hasOlder, hubTime, loadOlder, start, view } from './store.ts';
import { Transcript } from './transcript/transcript.ts';
import { App, following } from './ui/app.tsx';
import { startKeys } from './ui/keys.ts';
import { startNotifying } from './ui/notify.ts';
import { rewindFiles } from './ui/rewind.ts';
import { go, startRouting } from './ui/route.ts';
import { scrolling } from './ui/scrolling.ts';
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
    rewind: (promptId) => void rewindFiles(promptId),
    fork: (upTo, draft) => void fork(upTo, draft).then((id) => id && go(id)),
    now: hubTime,
  });
  scrolling.toEnd = () => transcript?.toEnd();
  scrolling.toLastPrompt = () => transcript?.toLastPrompt();
  scrolling.toTool = (toolId) => transcript?.showTool(toolId);
}

async function begin(root: HTMLElement): Promise<void> {
  await loadLanguage();
  render(<App transcript={fill} />, root);
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
  startNotifying();
}

const root = document.getElementById('app');
if (root) void begin(root);
