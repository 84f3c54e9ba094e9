// Parts of the page that come when they are wanted.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { problem } from '../store.ts';
import { words } from '../words.ts';

/** A component whose code is loaded when it is shown first. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | null = null;
  return function Lazy() {
    const [, shown] = useState(0);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          shown(1);
        },
        // The server is gone, or it is another version with other files.
        () => (problem.value = words.notLoaded),
      );
    }, []);
    const Component = loaded;
    return Component ? <Component /> : null;
  };
}
