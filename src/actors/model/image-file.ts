import { createHash } from 'node:crypto';
import type { PromptImage } from '../../../machines/prompt-image.ts';
import { CHARACTERS_PER_TOKEN, charactersOfImages } from '../../budget/message-length.ts';
import type { Message } from './model.ts';

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

/** The part of the tokens of a history that images may take: the rest is for what was said. */
const IMAGES_PART = 0.5;

export interface ImageRules {
  /** Images that stand elsewhere in the request: they are left out without a word. Absent: none. */
  readonly shown?: readonly PromptImage[];
  /** Whether an image can be shown again. Absent: each can. */
  readonly isShowable?: (image: PromptImage) => boolean;
}

/**
 * A conversation with each of its images once, where it was shown last, as far as they fit: the newest first, at most
 * half of the tokens, and `MAX_IMAGES_BYTES` together. A text stands for one that is left out.
 */
export function withImagesThatFit(
  messages: readonly Message[],
  maxTokens: number,
  { shown = [], isShowable = () => true }: ImageRules,
): readonly Message[] {
  const seen = new Set(shown.map(({ sha256 }) => sha256));
  let characters = maxTokens * CHARACTERS_PER_TOKEN * IMAGES_PART;
  let bytes = MAX_IMAGES_BYTES;
  const keeps = (image: PromptImage): boolean => {
    const length = charactersOfImages([image]);
    if (!isShowable(image) || length > characters || image.bytes > bytes) return false;
    characters -= length;
    bytes -= image.bytes;
    return true;
  };
  const fitting = messages.toReversed().map((message): Message => {
    if (message.role !== 'user' || message.images === undefined) return message;
    const fresh = message.images.filter(({ sha256 }) => !seen.has(sha256));
    for (const { sha256 } of fresh) seen.add(sha256);
    const images = fresh.filter(keeps);
    const notes = fresh.filter((image) => !images.includes(image)).map(noteOn);
    const text = [...notes, ...(message.text === '' ? [] : [message.text])].join('\n');
    return { role: 'user', text, ...(images.length === 0 ? {} : { images }) };
  });
  return fitting.toReversed();
}

const noteOn = ({ name }: PromptImage): string =>
  `[The image ${name} was shown here. It is left out now: ask to be shown it again if you need it.]`;
