// The one WebSocket of the page. It connects again by itself for as long as the page lives, at once
// when the machine wakes up or the network returns.
import type { FromHub, ToHub } from '../protocol/contract.ts';
import { address, api, ApiError } from './api.ts';
import { protocols } from './key.ts';

export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

export interface SocketHooks {
  message(message: FromHub): void;
  connection(state: Connection): void;
  /** The hub has ended the connection because a message was too large for it. */
  tooLarge(): void;
}

const SHORTEST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 10_000;
/** The code of a close because of a message that is too big (RFC 6455). */
const TOO_BIG = 1009;

export class HubSocket {
  /** The one that is not closed. */
  private socket: WebSocket | null = null;
  /** Runs while the next attempt waits for its time. */
  private timer = 0;
  private wait = SHORTEST_WAIT_MS;

  constructor(private readonly hooks: SocketHooks) {
    window.addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.hurry();
    });
    this.connect();
  }

  /** False if there is no connection; the caller sends again once there is one. */
  send(message: ToHub): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private connect(): void {
    if (this.socket) return;
    clearTimeout(this.timer);
    this.timer = 0;
    const url = address('api/socket');
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url, protocols());
    let opened = false;
    this.socket = socket;
    socket.addEventListener('open', () => {
      opened = true;
      this.wait = SHORTEST_WAIT_MS;
      this.hooks.connection('open');
    });
    socket.addEventListener('message', (event) => {
      if (typeof event.data === 'string') this.hooks.message(JSON.parse(event.data) as FromHub);
    });
    socket.addEventListener('close', ({ code }) => {
      if (code === TOO_BIG) this.hooks.tooLarge();
      void this.closed(opened);
    });
  }

  private async closed(opened: boolean): Promise<void> {
    this.socket = null;
    this.hooks.connection('lost');
    // A browser does not tell why an upgrade failed; an ordinary request does.
    if (!opened && (await this.isRefused())) {
      if (!this.socket) this.hooks.connection('refused');
      return;
    }
    // While that was asked, the machine may have woken up and connected again.
    if (this.socket || this.timer) return;
    const jitter = 0.7 + Math.random() * 0.6;
    this.timer = window.setTimeout(() => this.connect(), this.wait * jitter);
    this.wait = Math.min(LONGEST_WAIT_MS, this.wait * 2);
  }

  private async isRefused(): Promise<boolean> {
    try {
      await api.info();
      return false;
    } catch (error) {
      return error instanceof ApiError && (error.status === 401 || error.status === 403);
    }
  }

  private hurry(): void {
    if (this.socket) return;
    this.wait = SHORTEST_WAIT_MS;
    this.connect();
  }
}
