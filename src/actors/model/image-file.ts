import { createHash } from 'node:crypto';
import type { PromptImage } from '../../../machines/prompt-image.ts';

/** Of all images of a prompt together: they are recorded in one event, in base64, and an event holds 8 MiB. */
export const MAX_IMAGES_BYTES = 4 * 1024 * 1024;

const KINDS: readonly (readonly [PromptImage['mediaType'], RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];
const LONGEST_MARK = 12;

/** The image that these bytes are, by their beginning and not by a name. Null: it is of no kind that models take. */
export function imageIn(bytes: Buffer, name: string): (PromptImage & { readonly data: string }) | null {
  const beginning = bytes.subarray(0, LONGEST_MARK).toString('latin1');
  const kind = KINDS.find(([, mark]) => mark.test(beginning));
  if (!kind) return null;
  return { name, mediaType: kind[0], bytes: bytes.length, sha256: digestOf(bytes), data: bytes.toString('base64') };
}

/** Whether the content of an image is what its digest says: a log may have lost or redacted it. */
export const isWhole = ({ sha256, data }: PromptImage): boolean =>
  data !== undefined && digestOf(Buffer.from(data, 'base64')) === sha256;

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
