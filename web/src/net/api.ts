// The hub's JSON API. Addresses are relative to the page, so that a sub-path behind a proxy works.
import type {
  AgentInfo,
  FileState,
  Found,
  Folders,
  Info,
  NewSession,
  Numbered,
  SignIn,
} from '../protocol/contract.ts';
import { keyHeader } from './key.ts';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function address(path: string): URL {
  return new URL(path, document.baseURI);
}

async function callText(method: string, path: string, body?: unknown): Promise<string> {
  const response = await fetch(address(path), {
    method,
    credentials: 'same-origin',
    headers: {
      ...keyHeader(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    const value = parsed(text);
    const { message, error } = (value ?? {}) as { message?: unknown; error?: unknown };
    const reason = [message, error, (error as { message?: unknown } | undefined)?.message].find(
      (candidate) => typeof candidate === 'string',
    );
    throw new ApiError(
      response.status,
      String(reason ?? `${response.status} ${response.statusText}`),
    );
  }
  return text;
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  return parsed(await callText(method, path, body)) as T;
}

/** Null for what is no JSON: an error page of a proxy, say, whose status tells enough. */
function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

const session = (id: string, action = '') =>
  `api/sessions/${encodeURIComponent(id)}${action ? `/${action}` : ''}`;

export const api = {
  info: () => call<Info>('GET', 'api/info'),
  create: (wanted: NewSession) => call<{ id: string }>('POST', 'api/sessions', wanted),
  events: (id: string, before: number, limit: number) =>
    call<{ events: Numbered[]; more: boolean }>(
      'GET',
      `${session(id, 'events')}?before=${before}&limit=${limit}`,
    ),
  file: (id: string, path: string) =>
    call<FileState>('GET', `${session(id, 'file')}?path=${encodeURIComponent(path)}`),
  text: (id: string, path: string) =>
    call<{ text: string }>('GET', `${session(id, 'text')}?path=${encodeURIComponent(path)}`),
  /** What the agent of a session can do, in its own words; fails while none runs. */
  agent: (id: string) => call<AgentInfo>('GET', session(id, 'agent')),
  /** A request of the protocol to the agent. */
  ask: <T>(id: string, request: { subtype: string; [member: string]: unknown }) =>
    call<{ response: T }>('POST', session(id, 'request'), { request }),
  fork: (id: string, up_to: string) => call<{ id: string }>('POST', session(id, 'fork'), { up_to }),
  /** The session written down: 'markdown', 'html' or 'jsonl'. */
  exported: (id: string, format: string) =>
    callText('GET', `${session(id, 'export')}?format=${format}`),
  search: (text: string) => call<Found>('GET', `api/search?text=${encodeURIComponent(text)}`),
  link: () => call<{ path: string }>('POST', 'api/links', {}),
  interrupt: (id: string) => call<unknown>('POST', session(id, 'interrupt'), {}),
  close: (id: string) => call<unknown>('POST', session(id, 'close'), {}),
  resume: (id: string) => call<{ id?: string } | null>('POST', session(id, 'resume'), {}),
  setModel: (id: string, model: string) => call<unknown>('POST', session(id, 'model'), { model }),
  setMode: (id: string, mode: string) => call<unknown>('POST', session(id, 'mode'), { mode }),
  setTitle: (id: string, title: string) => call<unknown>('POST', session(id, 'title'), { title }),
  remove: (id: string) => call<unknown>('DELETE', session(id)),
  signIns: () => call<{ sign_ins: SignIn[] }>('GET', 'api/sign-ins'),
  endSignIn: (id: string) => call<unknown>('DELETE', `api/sign-ins/${encodeURIComponent(id)}`),
  folders: (path: string) => call<Folders>('GET', `api/folders?path=${encodeURIComponent(path)}`),
};
