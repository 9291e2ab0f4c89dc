import { CHARACTERS_PER_TOKEN } from '../../budget/estimated-tokens.ts';
import { charactersOf } from '../../budget/message-length.ts';
import type { Message } from './model.ts';

export interface Kept {
  readonly messages: number;
  readonly characters: number;
}

const NOTHING: Kept = { messages: 0, characters: 0 };

/**
 * How many of the newest messages fit into so many estimated tokens, and their length. A call is not parted from its
 * results, and the first message of all, the task, is not among them.
 *
 * @example
 * keptMessages(transcript.messages(), 4_000);
 */
export function keptMessages(messages: readonly Message[], maxTokens: number): Kept {
  let whole = NOTHING;
  let characters = 0;
  for (let at = messages.length - 1; at > 0; at -= 1) {
    const message = messages[at];
    if (!message) break;
    characters += charactersOf(message);
    if (characters > maxTokens * CHARACTERS_PER_TOKEN) break;
    if (message.role !== 'tool') whole = { messages: messages.length - at, characters };
  }
  return whole;
}
