import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { Actor, EffectCall } from '../actor.ts';
import { askAgain, type AskOptions } from './ask-again.ts';
import type { Said } from './ask-within.ts';
import { compactionRequest } from './compaction-request.ts';
import { DEFAULT_CONTEXT_TOKENS } from './context-tokens.ts';
import { type Room, windowOf } from './full-window.ts';
import { keptMessages } from './kept-messages.ts';
import { lostUsage } from './lost-usage.ts';
import { NO_USAGE } from './model-answer.ts';
import type { Model, ModelRequest } from './model.ts';
import type { Allowance } from './purse.ts';
import { summaryText, withoutModel } from './summary-text.ts';

export interface CompactionInput {
  /** The request that is too long. */
  readonly request: ModelRequest;
  readonly room: Room;
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
 * stands for its summary, and `warning.raised` (`compaction_failed`) says so. A request that was lost in a crash is
 * counted as used, and asked again.
 *
 * @example
 * const input = { request, room, allowance, keepsRecent: true, steering: [] };
 * for await (const event of compactionActor(model).execute(input, call)) accept(event);
 */
export function compactionActor(model: Model, options: AskOptions = {}): Actor<CompactionInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute(input, call) {
      const { allowance, room } = input;
      const window = (await windowOf(model, room.learnedTokens)) ?? DEFAULT_CONTEXT_TOKENS;
      const request = compactionRequest(input.request, room, window);
      const before = call.attempt > 1 ? await lostUsage(model, request, allowance) : NO_USAGE;
      const said = await askAgain(model, { request, allowance, before }, call, options);
      if (said.kind === 'interrupted') yield interrupted(said, call);
      else yield* compacted(said, input, window);
    },
  };
}

function* compacted(
  said: Exclude<Said, { kind: 'interrupted' }>,
  { request: { messages }, keepsRecent, steering }: CompactionInput,
  window: number,
): Generator<LoopEvent> {
  const text = said.kind === 'answered' ? said.text.trim() : '';
  if (text === '') yield failed(said);
  yield {
    type: 'context.compacted',
    payload: {
      summary: summaryText(text === '' ? withoutModel(messages) : text, steering, window),
      usage: said.usage,
      kept: keptMessages(messages, keepsRecent ? Math.floor(window * KEPT_PART) : 0),
    },
  };
}

const interrupted = ({ usage }: Said, { signal }: EffectCall): EventOf<'effect.interrupted'> => ({
  type: 'effect.interrupted',
  payload: { actor: 'compaction', reason: String(signal.reason), usage },
});

function failed(said: Exclude<Said, { kind: 'interrupted' }>): EventOf<'warning.raised'> {
  const why = said.kind === 'failed' ? said.fault.message : 'the model said nothing';
  const message = `The conversation was summarised without the model: ${why}`;
  return { type: 'warning.raised', payload: { code: 'compaction_failed', message } };
}
