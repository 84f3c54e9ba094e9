// Puts the page together.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { hasOlder, loadOlder, start, view } from './store.ts';
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
  });
}

const root = document.getElementById('app');
if (root) {
  render(<App transcript={fill} toEnd={() => transcript?.toEnd()} />, root);
  start({
    conversation: (conversation, more) => {
      transcript?.open(conversation);
      transcript?.setHasOlder(more);
    },
    change: () => transcript?.changed(),
  });
  effect(() => transcript?.setWorking(view.value?.facts.state === 'running'));
  startRouting();
  startKeys();
}
