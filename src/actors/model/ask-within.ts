import type { Usage, Share } from '../../../machines/events.ts';
import { type Fault, NO_ANSWER } from '../../../machines/outcome.ts';
import { BUDGET_EXHAUSTED, isLimited } from '../../budget/allowance.ts';
import type { EffectCall } from '../actor.ts';
import { NO_USAGE } from './model-answer.ts';
import { type Asked, ask } from './ask.ts';
import type { Model, ModelRequest } from './model.ts';
import { counted, priceNow } from './model-actor.ts';
import { type Allowance, Purse } from './purse.ts';

/** What a request may have used that was made before a crash, and whose result is unknown: the most it might have. */
export async function lostUsage(model: Model, request: ModelRequest, allowance: Allowance): Promise<Usage> {
  const purse = new Purse(allowance, request);
  const room = purse.answerTokens(await priceNow(model));
  return counted(model, room === null ? NO_USAGE : purse.worst(room));
}

/** The usage of two requests together. */
export function addedUsage(one: Usage, other: Usage): Usage {
  if (one.inputTokens + one.outputTokens === 0) return other;
  if (other.inputTokens + other.outputTokens === 0) return one;
  const price = other.cost?.price ?? one.cost?.price;
  const nanoUsd = (one.cost?.nanoUsd ?? 0) + (other.cost?.nanoUsd ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(one.estimated || other.estimated ? { estimated: true } : {}),
    ...(one.cost || other.cost ? { cost: { nanoUsd, ...(price ? { price } : {}) } } : {}),
  };
}

/** What is left of an allowance after such a usage. */
export const lessUsed = <Left extends Share>(left: Left, { inputTokens, outputTokens, cost }: Usage): Left => ({
  ...left,
  tokens: left.tokens === null ? null : Math.max(0, left.tokens - inputTokens - outputTokens),
  nanoUsd: left.nanoUsd === null ? null : Math.max(0, left.nanoUsd - (cost?.nanoUsd ?? 0)),
});

/** What a model came to that was asked one thing. `interrupted`: it was told to stop. */
export type Said =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly usage: Usage;
      /** The text stops early: the answer was as long as it may be, or the window was full. Absent: it is whole. */
      readonly cut?: 'length' | 'context';
      /** The model asked for a call, where only a text was wanted. */
      readonly isCall?: true;
    }
  | { readonly kind: 'failed'; readonly fault: Fault; readonly usage: Usage }
  | { readonly kind: 'interrupted'; readonly usage: Usage };

export interface Limited {
  readonly allowance: Allowance;
  readonly timeoutMs: number;
}

/**
 * Asks a model once without showing the answer as one of the run. Uncounted usage is taken as the most that the answer
 * might have used. If the allowance is too small for a useful answer, it is not asked (`budget_exhausted`).
 */
export async function askWithin(
  model: Model,
  request: ModelRequest,
  { allowance, timeoutMs }: Limited,
  call: EffectCall,
): Promise<Said> {
  const purse = new Purse(allowance, request);
  const room = purse.answerTokens(await priceNow(model));
  if (room === null) return { kind: 'failed', fault: NO_ROOM, usage: NO_USAGE };
  const most = Math.min(room, request.maxOutputTokens ?? room);
  const limit = isLimited(allowance) ? { maxOutputTokens: most } : {};
  const asked = await ask(model, { ...request, ...limit }, { ...call, delta: () => {} }, timeoutMs);
  return saidBy(asked, await counted(model, usageOf(asked, purse.worst(most))), request.tools.length > 0);
}

const NO_ROOM: Fault = { code: BUDGET_EXHAUSTED, message: 'what is left of the budget has no room for another answer' };

/** Words of a refusal are no summary and no judgement. */
const REFUSED: Fault = { code: NO_ANSWER.refused, message: 'the model refused to answer' };
const FILTERED: Fault = {
  code: NO_ANSWER.filtered,
  message: 'the content filter of the provider held the answer back',
};

/** `isOffered`: the request offers tools. */
function saidBy(asked: Asked, usage: Usage, isOffered: boolean): Said {
  switch (asked.kind) {
    case 'completed': {
      const { text, calls, cut } = asked.event.payload;
      if (cut === 'refusal') return { kind: 'failed', fault: REFUSED, usage };
      if (cut === 'filter') return { kind: 'failed', fault: FILTERED, usage };
      // Where tools are offered, a text beside a call announces it.
      const isCall = cut === 'promised' || (calls.length > 0 && (cut === 'empty' || isOffered));
      return {
        kind: 'answered',
        text: cut === 'promised' || cut === 'empty' ? '' : text,
        usage,
        ...(cut === 'length' || cut === 'context' ? { cut } : {}),
        ...(isCall ? { isCall } : {}),
      };
    }
    case 'failed':
      return { kind: 'failed', fault: { code: asked.error.code, message: asked.error.message }, usage };
    case 'interrupted':
      return { kind: 'interrupted', usage };
  }
}

function usageOf(asked: Asked, worst: Usage): Usage {
  if (asked.kind === 'completed') return asked.event.payload.usage;
  if (!asked.isCounted) return worst;
  return asked.kind === 'failed' ? asked.error.usage : asked.event.payload.usage;
}
