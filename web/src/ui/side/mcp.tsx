// The MCP servers of this session: their state, their tools, what is wrong, and what helps.
import { useState } from 'preact/hooks';
import { api } from '../../net/api.ts';
import { attempt, currentId } from '../../store.ts';
import { words } from '../../words.ts';
import { useAnswer } from './answers.ts';

interface Server {
  name: string;
  status: string;
  error?: string;
  scope?: string;
  serverInfo?: { name?: string; version?: string } | null;
  tools?: { name: string; description?: string }[] | null;
}

function Entry({ server, again }: { server: Server; again: () => void }) {
  const [working, setWorking] = useState(false);
  const ask = async (request: { subtype: string; [member: string]: unknown }) => {
    const id = currentId.value;
    if (id === null) return;
    setWorking(true);
    await attempt(() => api.ask(id, { serverName: server.name, ...request }));
    setWorking(false);
    again();
  };
  const disabled = server.status === 'disabled';
  const tools = server.tools ?? [];
  return (
    <li class={`server ${server.status}`}>
      <div class="server-head">
        <strong>{server.name}</strong>
        <span class="note">{words.mcpStates[server.status] ?? server.status}</span>
      </div>
      {server.error && <p class="note warns">{server.error}</p>}
      {tools.length > 0 && (
        <details>
          <summary>{words.mcpTools(tools.length)}</summary>
          <ul>
            {tools.map(({ name, description }) => (
              <li key={name}>
                <code>{name}</code> <span class="note">{description}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div class="buttons">
        {!disabled && (
          <button
            type="button"
            class="button"
            disabled={working}
            onClick={() => void ask({ subtype: 'mcp_reconnect' })}
          >
            {words.mcpReconnect}
          </button>
        )}
        <button
          type="button"
          class="button"
          disabled={working}
          onClick={() => void ask({ subtype: 'mcp_toggle', enabled: disabled })}
        >
          {disabled ? words.mcpEnable : words.mcpDisable}
        </button>
      </div>
    </li>
  );
}

export function McpServers() {
  const { value, problem, asking, again } = useAnswer<{ mcpServers?: Server[] }>({
    subtype: 'mcp_status',
  });
  const servers = value?.mcpServers ?? [];
  if (!value) return <p class="hint">{asking ? words.loading : problem || words.notRunning}</p>;
  if (servers.length === 0) return <p class="hint">{words.noMcp}</p>;
  return (
    <ul class="servers">
      {servers.map((server) => (
        <Entry key={server.name} server={server} again={again} />
      ))}
    </ul>
  );
}
