// The keys, and what the agent of this session has and can do, in its own words.
import { useEffect, useRef } from 'preact/hooks';
import { agents, knownCommands } from '../commands.ts';
import { currentId, info, shownConversation } from '../store.ts';
import { toolLabel } from '../transcript/tools/tools.ts';
import { words } from '../words.ts';
import { help } from './panels.ts';

function Names({ title, names }: { title: string; names: string[] }) {
  if (names.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <p class="names">
        {names.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </p>
    </section>
  );
}

function Described({ title, list }: { title: string; list: [name: string, about: string][] }) {
  if (list.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {list.map(([name, about]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const known = agents.value.get(currentId.value ?? '');
  const about = shownConversation()?.about;
  const version = about?.version || known?.claude_code_version || info.value?.agent.version;
  return (
    <dialog class="help" ref={dialog} onClose={() => (help.value = false)} aria-labelledby="help">
      <h2 id="help">{words.help}</h2>
      <div class="help-body" tabIndex={0}>
        <Described title={words.keysTitle} list={words.keyList} />
        <Described
          title={words.commandsTitle}
          list={knownCommands().map(({ name, argumentHint, description }) => [
            `/${name}${argumentHint ? ` ${argumentHint}` : ''}`,
            description ?? '',
          ])}
        />
        <Described
          title={words.agentsTitle}
          list={(known?.agents ?? []).map(({ name, description }) => [name, description ?? ''])}
        />
        <Names title={words.toolsTitle} names={(about?.tools ?? []).map(toolLabel)} />
        <Names title={words.skillsTitle} names={about?.skills ?? []} />
        <Names title={words.pluginsTitle} names={about?.plugins ?? []} />
        <section>
          <h3>{words.versionsTitle}</h3>
          <p>
            {info.value ? words.version(info.value.version) : ''}
            {version ? `, ${words.agentVersion(info.value?.agent.command ?? '', version)}` : ''}
          </p>
        </section>
      </div>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        {words.closeDialog}
      </button>
    </dialog>
  );
}
