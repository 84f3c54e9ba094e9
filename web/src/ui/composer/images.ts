// Pictures that the user adds to a message. Their bytes are checked, not their names: an agent that
// gets something else as an image ends the turn with an error.
import type { Block } from '../../protocol/wire.ts';
import { words } from '../../words.ts';

const LARGEST_BYTES = 5_000_000;

function mediaTypeOf(bytes: Uint8Array): string | null {
  const starts = (...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  const webp = starts(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57 && bytes[9] === 0x45;
  return webp ? 'image/webp' : null;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}

/** The file as an image block; throws with words for the user if it is none. */
export async function imageBlock(file: File): Promise<Block> {
  if (file.size > LARGEST_BYTES) throw new Error(words.bigImage(file.name));
  const bytes = new Uint8Array(await file.arrayBuffer());
  const media_type = mediaTypeOf(bytes);
  if (!media_type) throw new Error(words.badImage(file.name));
  return { type: 'image', source: { type: 'base64', media_type, data: base64(bytes) } };
}
