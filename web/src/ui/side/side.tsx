// The panel at the right: what was changed, what is being done, what fills the context and costs, the MCP
// servers, the files.
import type { ComponentType } from 'preact';
import { words } from '../../words.ts';
import { showSide, side, TABS } from '../panels.ts';
import type { Tab } from '../panels.ts';
import { Changes } from './changes.tsx';
import { Context } from './context.tsx';
import { Files } from './files.tsx';
import { McpServers } from './mcp.tsx';
import { Work } from './work.tsx';

const PANELS: Record<Tab, ComponentType> = {
  changes: Changes,
  work: Work,
  context: Context,
  mcp: McpServers,
  files: Files,
};

/** The arrows go from tab to tab, as in every list of tabs. */
function move(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = TABS.indexOf(side.value ?? 'changes');
  if (!step) return;
  const next = TABS[(at + step + TABS.length) % TABS.length] as Tab;
  showSide(next);
  document.getElementById(`tab-${next}`)?.focus();
  event.preventDefault();
}

export function Side() {
  const tab = side.value;
  if (tab === null) return null;
  const Panel = PANELS[tab];
  return (
    <aside class="side" aria-label={words.details}>
      <div class="side-head">
        <div class="tabs" role="tablist" aria-label={words.details} onKeyDown={move}>
          {TABS.map((name) => (
            <button
              key={name}
              id={`tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === tab}
              aria-controls="side-panel"
              tabIndex={name === tab ? 0 : -1}
              onClick={() => showSide(name)}
            >
              {words.tabs[name]}
            </button>
          ))}
        </div>
        <button
          type="button"
          class="quiet"
          aria-label={words.closeSide}
          onClick={() => showSide(null)}
        >
          ×
        </button>
      </div>
      <div
        class="side-panel"
        id="side-panel"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        tabIndex={0}
      >
        <Panel key={tab} />
      </div>
    </aside>
  );
}
