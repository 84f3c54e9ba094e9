// Elements in one line. Everything an agent wrote goes in as text.

type Child = Node | string | null | undefined | false;

export interface Attributes {
  class?: string;
  [name: string]: string | number | boolean | null | undefined | ((event: never) => void);
}

/** Makes an element. Attributes that are null or false are left out; functions are event listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, ...children);
  return element;
}

export function append(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child)
      parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
  }
}
