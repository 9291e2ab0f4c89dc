import type { Usage } from '../../../machines/events.ts';
import type { Actor, EffectCall } from '../actor.ts';
import { NO_USAGE } from './answer.ts';
import { type Asked, ask } from './ask.ts';
import type { Model, ModelRequest } from './model.ts';
import { counted, priceNow } from './model-actor.ts';
import { type Allowance, Purse } from './purse.ts';

/** A summary that has not come by then is done without: the ending itself has a limit. */
const SUMMARY_LIMIT_MS = 20_000;

export interface SummaryInput {
  readonly request: ModelRequest;
  /** What was set aside for it. */
  readonly allowance: Allowance;
  /** What is said anyway, and alone where the model says nothing. */
  readonly sentinel: string;
}

/**
 * Asks a model once to sum a run up, within what was set aside for that: `summary.written`, which begins with the sentinel
 * whatever comes of it. After a crash nobody asks again: what was set aside may be used up.
 *
 * @example
 * for await (const event of summaryActor(model).perform({ request, allowance, sentinel }, call)) accept(event);
 */
export function summaryActor(model: Model, timeoutMs = SUMMARY_LIMIT_MS): Actor<SummaryInput> {
  return {
    effectClass: () => 'repeatable',
    async *perform({ request, allowance, sentinel }, call) {
      const purse = new Purse(allowance, request);
      const room = purse.answerTokens(await priceNow(model));
      const asked = room === null || call.attempt > 1 ? null : await ask(model, { ...request, maxOutputTokens: room }, quietly(call), timeoutMs);
      const said = asked?.kind === 'completed' ? asked.event.payload.text.trim() : '';
      const usage = await counted(model, usageOf(asked, purse.worst(room ?? 0), call.attempt > 1 && room !== null));
      yield { type: 'summary.written', payload: { text: said === '' ? sentinel : `${sentinel}\n\n${said}`, usage } };
    },
  };
}

/** It is no answer of the run: nobody is shown how it comes to be. */
const quietly = (call: EffectCall): EffectCall => ({ ...call, delta: () => {} });

function usageOf(asked: Asked | null, worst: Usage, wasLost: boolean): Usage {
  if (asked === null) return wasLost ? worst : NO_USAGE;
  if (asked.kind === 'completed') return asked.event.payload.usage;
  if (!asked.isCounted) return worst;
  return asked.kind === 'failed' ? asked.error.usage : asked.event.payload.usage;
}
