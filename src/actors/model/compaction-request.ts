import { estimatedTokens } from '../../budget/estimated-tokens.ts';
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

/**
 * The request for the summary of a conversation: the conversation itself and one message more; or, where that does not
 * fit, the task and the newest messages.
 */
export function compactionRequest(request: ModelRequest, room: Room, window: number): ModelRequest {
  const instruction: Message = { role: 'user', text: INSTRUCTION };
  const { learnedTokens } = room;
  const whole = expectedTokens(request, room) + estimatedTokens(INSTRUCTION.length);
  if (learnedTokens === null && whole <= window * FITTING_PART)
    return { ...request, messages: [...request.messages, instruction] };
  const [task, ...rest] = request.messages;
  const recent = recentMessages(rest, { maxTokens: Math.floor(window * SAFE_PART) });
  return { ...request, messages: [...(task ? [task] : []), ...recent, instruction] };
}
