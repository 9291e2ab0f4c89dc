import type { PromptImage } from '../../../machines/prompt-image.ts';
import { CHARACTERS_PER_TOKEN, charactersOfImages } from '../../budget/message-length.ts';
import { MAX_IMAGES_BYTES } from './image-file.ts';
import type { Message } from './model.ts';

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
