// Puts an element that is made outside Preact into its tree.
import { useLayoutEffect, useRef } from 'preact/hooks';

interface MountProps {
  class?: string;
  make: () => Node;
  /** The element is made again when this changes. */
  of: string;
}

export function Mount({ class: className = '', make, of }: MountProps) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => host.current?.replaceChildren(make()), [of]);
  return <div class={className} ref={host} />;
}
