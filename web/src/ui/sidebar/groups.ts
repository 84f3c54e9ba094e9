// The sessions in the order in which a person looks for them: what waits for them, what works, then
// their projects, the one in which they said something last first. Pure.
import type { Summary } from '../../protocol/contract.ts';

export interface Group {
  /** Of a project its folder. */
  key: string;
  kind: 'waiting' | 'working' | 'project';
  /** The last part of the folder, with the one before where others are called the same. */
  name: string;
  sessions: Summary[];
}

const parts = (path: string) => path.split('/').filter(Boolean);

/** Short names for folders: as much of their end as tells them apart. */
export function folderNames(paths: Iterable<string>): Map<string, string> {
  const all = [...new Set(paths)];
  const names = new Map<string, string>();
  for (const path of all) {
    const own = parts(path);
    let count = 1;
    const end = (of: string[]) => of.slice(-count).join('/');
    while (
      count < own.length &&
      all.some((other) => other !== path && end(parts(other)) === end(own))
    ) {
      count += 1;
    }
    names.set(path, end(own) || '/');
  }
  return names;
}

export function groupSessions(all: Iterable<Summary>, needle: string): Group[] {
  const wanted = needle.trim().toLowerCase();
  const list = [...all]
    .filter(({ title, cwd }) => !wanted || `${title} ${cwd}`.toLowerCase().includes(wanted))
    .sort((a, b) => b.prompted - a.prompted);
  const waiting: Summary[] = [];
  const working: Summary[] = [];
  const projects = new Map<string, Summary[]>();
  for (const summary of list) {
    if (summary.pending > 0) waiting.push(summary);
    else if (summary.state === 'running' || summary.state === 'starting') working.push(summary);
    else {
      const project = projects.get(summary.cwd);
      if (project) project.push(summary);
      else projects.set(summary.cwd, [summary]);
    }
  }
  const names = folderNames(projects.keys());
  const groups: Group[] = [...projects].map(([key, sessions]) => ({
    key,
    kind: 'project',
    name: names.get(key) ?? key,
    sessions,
  }));
  if (working.length)
    groups.unshift({ key: '*working', kind: 'working', name: '', sessions: working });
  if (waiting.length)
    groups.unshift({ key: '*waiting', kind: 'waiting', name: '', sessions: waiting });
  return groups;
}
