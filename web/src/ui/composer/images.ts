// Pictures that the user adds to a message. Their bytes are checked, not their names: an agent that
// gets something else as an image ends the turn with an error. What is too large is made smaller.
import type { Block } from '../../protocol/wire.ts';
import { words } from '../../words.ts';

/** Of an image as it is sent; as base64 it is a third more. */
const LARGEST_BYTES = 3_700_000;
/** Of a file that is made smaller. */
const LARGEST_FILE = 40_000_000;
/** Models look at no more pixels than this on a side. */
const LONGEST_SIDE = 8000;
const SMALLER_SIDE = 2000;

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

/** A smaller picture of the same, null if the browser cannot make one. */
async function smaller(bitmap: ImageBitmap): Promise<Uint8Array | null> {
  const scale = Math.min(1, SMALLER_SIDE / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  ) as [number, number];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height);
  for (const quality of [0.9, 0.6]) {
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
    if (blob.size <= LARGEST_BYTES) return new Uint8Array(await blob.arrayBuffer());
  }
  return null;
}

/** The file as an image block; throws with words for the user if it is none. */
export async function imageBlock(file: File): Promise<Block> {
  if (file.size > LARGEST_FILE) throw new Error(words.bigImage(file.name));
  let bytes: Uint8Array = new Uint8Array(await file.arrayBuffer());
  if (!mediaTypeOf(bytes)) throw new Error(words.badImage(file.name));
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new Error(words.brokenImage(file.name));
  const long = Math.max(bitmap.width, bitmap.height) > LONGEST_SIDE;
  if (long || bytes.length > LARGEST_BYTES) {
    const made = await smaller(bitmap);
    if (!made) throw new Error(words.bigImage(file.name));
    bytes = made;
  }
  bitmap.close();
  const media_type = mediaTypeOf(bytes) ?? '';
  return { type: 'image', source: { type: 'base64', media_type, data: base64(bytes) } };
}
