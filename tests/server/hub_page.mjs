// A client of the hub for tests that wait for what they hear.
import { randomUUID } from 'node:crypto';

/** A page that keeps what it hears, and lets a test wait for it. */
export class Page {
  static async open(server) {
    const page = new Page();
    page.heard = [];
    page.waiting = [];
    page.socket = await server.socket();
    page.socket.onmessage = (text) => {
      page.heard.push(JSON.parse(text));
      page.waiting = page.waiting.filter((check) => !check());
    };
    return page;
  }
  /** The first message that fits, heard already or to come. */
  wait(fits) {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.heard.find(fits);
        if (found) resolve(found);
        return found !== undefined;
      };
      if (!check()) this.waiting.push(check);
    });
  }
  event(session, fits) {
    return this.wait((m) => m.type === 'event' && m.session === session && fits(m.event));
  }
  send(session, content, client_id = randomUUID()) {
    this.socket.send({ type: 'send', session, client_id, content });
    return client_id;
  }
  attach(session, after = 0) {
    this.socket.send({ type: 'attach', session, after });
    return this.wait((m) => m.type === 'attached' && m.session === session);
  }
}
export const isResult = (event) => event.kind === 'agent' && event.message.type === 'result';
