// What a request says, in one box that scrolls. If not all of it is in view, that is said below it.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { words } from '../../words.ts';

const LINE_PX = 20;

export function RequestBody({ children }: { children: ComponentChildren }) {
  const body = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const [linesBelow, setLinesBelow] = useState(0);
  useLayoutEffect(() => {
    const box = body.current;
    if (!box) return undefined;
    const measure = () => {
      const rest = box.scrollHeight - box.clientHeight - box.scrollTop;
      setScrolls(box.scrollHeight > box.clientHeight + 1);
      setLinesBelow(rest > 1 ? Math.ceil(rest / LINE_PX) : 0);
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    for (const child of box.children) sizes.observe(child);
    box.addEventListener('scroll', measure);
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', measure);
    };
  });
  return (
    <>
      <div class="request-body" ref={body} tabIndex={scrolls ? 0 : undefined}>
        {children}
      </div>
      <button
        type="button"
        class="more-below"
        hidden={!scrolls}
        data-done={linesBelow === 0}
        onClick={() => body.current?.scrollBy(0, body.current.clientHeight - LINE_PX)}
      >
        {linesBelow > 0 ? words.moreBelow(linesBelow) : words.allSeen}
      </button>
    </>
  );
}
