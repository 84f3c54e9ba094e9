// Tests of the page's pure parts: no browser, no network.
import './ansi.mjs';
import './blocks.mjs';
import './conversation.mjs';
import './diff.mjs';
import './format.mjs';
import './outbox.mjs';
import './recordings.mjs';
import './sidebar.mjs';
import './types.mjs';
import './visible.mjs';
import './words.mjs';
import './work.mjs';
