import type { PromptImage } from '../../../machines/prompt-image.ts';
import type { EarlierMessage } from '../../../machines/settings.ts';
import { CHARACTERS_PER_TOKEN, charactersOf } from '../../budget/message-length.ts';
import { excerpt } from '../../text/excerpt.ts';
import { type ImageRules, withImagesThatFit } from './image-file.ts';
import type { Message, MessageCall } from './model.ts';

/** The messages as JSON: they are recorded in one event, and an event of the log holds 8 MiB. */
const MAX_HISTORY_BYTES = 4 * 1024 * 1024;
/** A text of the newest answer that would be cut to less than this is of no use. */
const MIN_TEXT_CHARACTERS = 200;

/** The first message where the conversation would begin with an answer: some providers refuse that. */
export const LEFT_OUT = 'The beginning of this conversation is left out.';

interface Size {
  readonly characters: number;
  readonly bytes: number;
}

export interface HistoryLimits extends ImageRules {
  readonly maxTokens: number;
  /** Default: `MAX_HISTORY_BYTES`. */
  readonly maxBytes?: number;
}

/** Messages that belong together: one of the user, or an answer with the results of its calls. */
type Block = readonly EarlierMessage[];

/**
 * The newest messages of a conversation that fit within a number of estimated tokens, oldest first, for a conversation
 * that continues it. Each call is followed by its result, and the first message is of the user. Long texts of the
 * newest answer are cut where it would not fit. Empty: nothing fits.
 *
 * The calls get new ids, because a run counts its calls from 0. What only the provider understands is left out. Images
 * stay as digests, as far as there is room.
 *
 * @example
 * recentMessages(transcript.messages(), { maxTokens: 16_000 });
 */
export function recentMessages(
  messages: readonly Message[],
  { maxTokens, maxBytes = MAX_HISTORY_BYTES, ...images }: HistoryLimits,
): EarlierMessage[] {
  const note: EarlierMessage = { role: 'user', text: LEFT_OUT };
  const noteSize = sizeOf([note]);
  let left: Size = {
    characters: maxTokens * CHARACTERS_PER_TOKEN - noteSize.characters,
    bytes: maxBytes - noteSize.bytes,
  };
  const kept: Block[] = [];
  for (const block of blocksOf(withImagesThatFit(messages, maxTokens, images)).toReversed()) {
    const otherwise = kept.length === 0 ? shortened : () => null;
    const fitting = fits(block, left) ? block : otherwise(block, left);
    if (fitting === null) break;
    const { characters, bytes } = sizeOf(fitting);
    left = { characters: left.characters - characters, bytes: left.bytes - bytes };
    kept.push(fitting);
  }
  const recent = kept.toReversed().flat();
  return recent.length === 0 || recent[0]?.role === 'user' ? recent : [note, ...recent];
}

function blocksOf(messages: readonly Message[]): Block[] {
  const blocks: Block[] = [];
  let calls = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') blocks.push(...saidByUser(message));
    if (message.role !== 'assistant') continue;
    const results = resultsAfter(messages, index);
    const answered = message.calls.flatMap((call) => {
      const result = results.get(call.callId);
      return result ? [{ call: renamed(call, `earlier.${calls++}`), result }] : [];
    });
    // Providers refuse an answer that says nothing.
    if (message.text === '' && answered.length === 0) continue;
    blocks.push([
      { role: 'assistant', text: message.text, calls: answered.map(({ call }) => call) },
      ...answered.map(({ call, result }): EarlierMessage => ({ ...result, callId: call.callId })),
    ]);
  }
  return blocks;
}

function saidByUser({ text, images = [] }: Extract<Message, { role: 'user' }>): Block[] {
  if (text === '' && images.length === 0) return [];
  return [[{ role: 'user', text, ...(images.length === 0 ? {} : { images: images.map(digestOf) }) }]];
}

const digestOf = ({ data: _kept, ...image }: PromptImage): Omit<PromptImage, 'data'> => image;

type EarlierCall = Extract<EarlierMessage, { role: 'assistant' }>['calls'][number];

const renamed = ({ tool, arguments: given }: MessageCall, callId: string): EarlierCall => ({
  callId,
  providerId: null,
  tool,
  arguments: given as EarlierCall['arguments'],
});

type ToolMessage = Extract<Message, { role: 'tool' }>;

/** By the id of the call: the results up to the next message of another kind. */
function resultsAfter(messages: readonly Message[], index: number): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (let at = index + 1, next = messages[at]; next?.role === 'tool'; at += 1, next = messages[at]) {
    results.set(next.callId, next);
  }
  return results;
}

/** The same with each text cut to an equal part of the room. Null: what cannot be cut takes all of it. */
function shortened(block: Block, room: Size): Block | null {
  const fixed = sizeOf(block.map((message) => withText(message, '')));
  const share = Math.floor((room.characters - fixed.characters) / block.length);
  if (share < MIN_TEXT_CHARACTERS) return null;
  const cut = block.map((message) => withText(message, excerpt(textOf(message), share)));
  return fits(cut, room) ? cut : null;
}

const textOf = (message: EarlierMessage): string => (message.role === 'tool' ? message.output : message.text);
const withText = (message: EarlierMessage, text: string): EarlierMessage =>
  message.role === 'tool' ? { ...message, output: text } : { ...message, text };

const sizeOf = (messages: Block): Size => ({
  characters: messages.reduce((sum, message) => sum + charactersOf(message), 0),
  // One more for the comma.
  bytes: messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)) + 1, 0),
});

function fits(block: Block, room: Size): boolean {
  const { characters, bytes } = sizeOf(block);
  return characters <= room.characters && bytes <= room.bytes;
}
