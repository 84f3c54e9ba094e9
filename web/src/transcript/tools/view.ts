// What every tool's view is made of: the contract, and small pieces that several of them use.
import { h } from '../../dom.ts';
import type { ToolItem } from '../../model/items.ts';
import { blocksOf, textOf } from '../../protocol/wire.ts';
import type { Content, JsonObject } from '../../protocol/wire.ts';
import { words } from '../../words.ts';
import { terminalElement } from '../output_view.ts';
import { renderProse } from '../prose.ts';

export interface ToolView {
  /** The one thing that tells this call from others of its kind. */
  summary(input: JsonObject): string;
  /** A short fact about the result, '' if there is none. */
  fact?(tool: ToolItem): string;
  /** What the open row shows; what was asked is known, the result may not be. */
  body(tool: ToolItem): (Node | null)[];
  /** What stands below the calls of a subagent. */
  after?(tool: ToolItem): (Node | null)[];
}

/** The first of these members that is a text and not empty. */
export function text(input: JsonObject, ...names: string[]): string {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value) return value;
  }
  return '';
}

export const firstLine = (value: string): string => value.trim().split('\n')[0] ?? '';

/** Images of a result; their bytes are in the message, nothing is loaded. */
export function imagesOf(content: Content | undefined): HTMLElement[] {
  return blocksOf(content).flatMap(({ type, source }) =>
    type === 'image' ? imageElement(source?.media_type ?? '', source?.data ?? '') : [],
  );
}

export function imageElement(media: string, data: string): HTMLElement[] {
  if (!/^image\/(png|jpeg|gif|webp)$/.test(media)) return [];
  if (!/^[A-Za-z0-9+/=]+$/.test(data)) return [];
  return [h('img', { class: 'picture', alt: words.image, src: `data:${media};base64,${data}` })];
}

/** What the result says, without the marks that are meant for the model. */
export function resultText(tool: ToolItem): string {
  return textOf(tool.result?.content).replace(/^<tool_use_error>([^]*)<\/tool_use_error>$/, '$1');
}

/** The result as it is. What was stopped or denied has one that is meant for the model only. */
export function plainResult(tool: ToolItem): Node[] {
  if (!tool.result || tool.stopped) return [];
  if (tool.denied) return denialOf(tool);
  const images = imagesOf(tool.result.content);
  const output = resultText(tool);
  return images.length > 0 && !output ? images : [...images, terminalElement(output)];
}

/** What the person said when they denied it, if they said anything of their own. */
function denialOf(tool: ToolItem): Node[] {
  const own = ![words.defaultDenial, words.stopDenial, words.skipped].includes(tool.denial);
  return own && tool.denial ? [h('div', { class: 'quoted' }, tool.denial)] : [];
}

export function prose(source: string): HTMLElement | null {
  return source ? h('div', { class: 'prose' }, renderProse(source)) : null;
}
