import { estimatedTokens, charactersOf } from '../../budget/message-length.ts';
import { expectedTokens, type Room } from './full-window.ts';
import type { Message, ModelRequest } from './model.ts';
import { recentMessages } from './recent-messages.ts';

/**
 * Said at the end of the conversation, so that all before it is as the provider has cached it. The tools stay for the
 * same reason, and because some providers refuse calls in a conversation without them.
 */
const INSTRUCTION = [
  'This conversation no longer fits your window: it is replaced by what you write now. Call no tool.',
  'Write for yourself what you need to go on, in at most 1,000 words:',
  'what the task demands, what is done (files, commands and their results), what was found out and tried in vain, what is left, and what you were about to do.',
  'Name paths, functions, commands and errors exactly. Claim nothing that was not shown.',
].join('\n');

/** A request that was refused says that estimates are low: the one for the summary keeps well within the window. */
const SAFE_PART = 0.5;
const FITTING_PART = 0.95;

/** What has to be summarised, and the model that does it. */
export interface Summarised {
  readonly request: ModelRequest;
  /** Which of its messages is the task, from 0: those before it are of an earlier conversation. */
  readonly task: number;
  readonly room: Room;
}

/**
 * The request for the summary of a conversation: the conversation itself and one message more; or, where that does not
 * fit, the task and the newest messages. `window`: the size of the model's, in tokens.
 */
export function compactionRequest({ request, task, room }: Summarised, window: number): ModelRequest {
  const instruction: Message = { role: 'user', text: INSTRUCTION };
  const { learnedTokens } = room;
  const whole = expectedTokens(request, room) + estimatedTokens(INSTRUCTION.length);
  if (learnedTokens === null && whole <= window * FITTING_PART)
    return { ...request, messages: [...request.messages, instruction] };
  const fitting = taskAndRecent(request.messages, task, Math.floor(window * SAFE_PART));
  return { ...request, messages: [...fitting, instruction] };
}

/** The task, and the newest messages since; where all of these fit, the newest before it, too, in their place. */
function taskAndRecent(messages: readonly Message[], at: number, maxTokens: number): readonly Message[] {
  const task = messages.slice(at, at + 1);
  const since = messages.slice(at + 1);
  const left = maxTokens - estimatedTokens(lengthOf(since));
  if (left < 0) return [...task, ...recentMessages(since, { maxTokens })];
  return [...recentMessages(messages.slice(0, at), { maxTokens: left }), ...task, ...since];
}

const lengthOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + charactersOf(message), 0);
