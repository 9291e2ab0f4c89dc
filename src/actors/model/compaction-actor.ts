import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { Actor, EffectCall } from '../actor.ts';
import { askAgain, type AskOptions } from './summary-actor.ts';
import { type Said, lostUsage } from './ask-within.ts';
import { compactionRequest, type Summarised } from './compaction-request.ts';
import { DEFAULT_CONTEXT_TOKENS } from './context-tokens.ts';
import { windowOf } from './full-window.ts';
import { NO_USAGE } from './model-answer.ts';
import type { Message, Model } from './model.ts';
import type { Allowance } from './purse.ts';
import { cutSummary, summaryRoom, summaryText, withoutModel } from './summary-text.ts';
import { CHARACTERS_PER_TOKEN, charactersOf } from '../../budget/message-length.ts';

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

/** A request that is too long, and how much may stay of it. */
export interface CompactionInput extends Summarised {
  /** What is left for it. */
  readonly allowance: Allowance;
  /** The newest messages may stay beside the summary: not where that was too long before. */
  readonly keepsRecent: boolean;
  /** What people have added to the task: repeated in full, since no summary may lose it. Oldest first. */
  readonly steering: readonly string[];
}

/** The part of the window that the newest messages may take beside the summary. */
const KEPT_PART = 1 / 8;

/**
 * Asks a model to summarise a conversation that no longer fits its window: `context.compacted`, with the summary and
 * how many of the newest messages stay. Where the model does not answer within the allowance, a list of what was done
 * stands for its summary, and `warning.raised` (`compaction_failed`) says so; where the summary stops early, or is
 * longer than its room, that list stands after it (`compaction_cut`). A request that was lost in a crash is counted as
 * used, and asked again.
 *
 * @example
 * const input = { request, task: 0, room, allowance, keepsRecent: true, steering: [] };
 * for await (const event of compactionActor(model).execute(input, call)) accept(event);
 */
export function compactionActor(model: Model, options: AskOptions = {}): Actor<CompactionInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute(input, call) {
      const { allowance } = input;
      const window = (await windowOf(model, input.room.learnedTokens)) ?? DEFAULT_CONTEXT_TOKENS;
      const request = compactionRequest(input, window);
      const before = call.attempt > 1 ? await lostUsage(model, request, allowance) : NO_USAGE;
      const said = await askAgain(model, { request, allowance, before }, call, options);
      if (said.kind === 'interrupted') yield interrupted(said, call);
      else yield* compacted(said, input, window);
    },
  };
}

function* compacted(
  said: Done,
  { request, task, keepsRecent, steering }: CompactionInput,
  window: number,
): Generator<LoopEvent> {
  const { messages } = request;
  const { summary, warning } = summaryOf(said, messages.toSpliced(task, 1), window);
  if (warning) yield { type: 'warning.raised', payload: warning };
  yield {
    type: 'context.compacted',
    payload: {
      summary: summaryText(summary, steering, window),
      usage: said.usage,
      kept: keptMessages(messages.slice(task), keepsRecent ? Math.floor(window * KEPT_PART) : 0),
    },
  };
}

type Done = Exclude<Said, { kind: 'interrupted' }>;
type Warning = EventOf<'warning.raised'>['payload'];

const interrupted = ({ usage }: Said, { signal }: EffectCall): EventOf<'effect.interrupted'> => ({
  type: 'effect.interrupted',
  payload: { actor: 'compaction', reason: String(signal.reason), usage },
});

/** What stands for the other messages, and what people have to know about it. */
function summaryOf(said: Done, others: readonly Message[], window: number): { summary: string; warning?: Warning } {
  const text = said.kind === 'answered' ? said.text.trim() : '';
  const why = whyCut(said, text, window);
  if (text === '') {
    const nothing = why === null ? 'the model said nothing' : `the model said nothing: ${why}`;
    const because = said.kind === 'failed' ? said.fault.message : nothing;
    const message = `The conversation was summarised without the model: ${because}`;
    return { summary: withoutModel(others), warning: { code: 'compaction_failed', message } };
  }
  if (why === null) return { summary: text };
  const message = `The summary of the conversation was cut off: ${why}. A list of what was done last stands after it.`;
  return { summary: cutSummary(text, others, window), warning: { code: 'compaction_cut', message } };
}

/** Why the text of a summary lacks its end. Null: it does not. */
function whyCut(said: Done, text: string, window: number): string | null {
  if (said.kind === 'answered' && said.cut === 'length') return 'the answer was as long as it may be';
  if (said.kind === 'answered' && said.cut === 'context') return 'the window of the model was full';
  const room = summaryRoom(window);
  return text.length > room ? `it had ${text.length} characters, and has room for ${room}` : null;
}
