// The second half of the sign-in. The cookie goes to every port of the host; this key stays with the
// pages of this origin and path. It comes once, in the fragment of the address that a link leads to.
const PLACE = `parley-key:${new URL('.', document.baseURI).pathname}`;
const RENEW_MS = 12 * 60 * 60 * 1000;

/** For browsers that keep nothing: the key lives as long as the page. */
let unkept = '';

function takeFromAddress(): void {
  const found = /^#key=([0-9a-f]+)$/.exec(location.hash);
  if (!found?.[1]) return;
  unkept = found[1];
  history.replaceState(null, '', location.pathname + location.search);
  try {
    localStorage.setItem(PLACE, unkept);
  } catch {
    // Private windows of some browsers.
  }
}

/** Another tab may have signed in again, so it is looked up each time. */
function key(): string {
  try {
    return localStorage.getItem(PLACE) ?? unkept;
  } catch {
    return unkept;
  }
}

export const keyHeader = (): Record<string, string> => (key() ? { 'parley-key': key() } : {});

/** A script cannot give a WebSocket headers; the hub answers with the first of these. */
export const protocols = (): string[] => (key() ? ['parley', `parley-key.${key()}`] : []);

/** Forgets the key: this browser is signed out. */
export function forgetKey(): void {
  unkept = '';
  try {
    localStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept.
  }
}

/** The cookie lasts a week; the page asks for itself to renew it. */
function renew(): void {
  void fetch(new URL('.', document.baseURI), {
    method: 'HEAD',
    credentials: 'same-origin',
    headers: keyHeader(),
    cache: 'no-store',
  }).catch(() => {});
}

takeFromAddress();
renew();
window.setInterval(renew, RENEW_MS);
