import type { Actor } from '../actor.ts';
import { askForText } from './ask-for-text.ts';
import { lostUsage } from './ask-within.ts';
import type { Model, ModelRequest } from './model.ts';
import type { Allowance } from './purse.ts';

/** A summary that has not come by then is done without: the ending itself has a limit. */
const SUMMARY_LIMIT_MS = 20_000;

export interface SummaryInput {
  readonly request: ModelRequest;
  /** What was set aside for it. */
  readonly allowance: Allowance;
  /** What is said anyway, and alone where the model says nothing. */
  readonly sentinel: string;
}

const CUT = {
  code: 'summary_cut',
  message: 'The summary at the end was cut off at its greatest length: allow more with summaryTokens.',
};

/**
 * Asks a model once to sum a run up, and once more where it calls a tool instead, within the reservation for that:
 * `summary.written`, which always begins with the sentinel, after `warning.raised` (`summary_cut`) where the answer
 * stops early. After a crash the model is not asked again: the reservation may be used up.
 *
 * @example
 * for await (const event of summaryActor(model).execute({ request, allowance, sentinel }, call)) accept(event);
 */
export function summaryActor(model: Model, timeoutMs = SUMMARY_LIMIT_MS): Actor<SummaryInput> {
  return {
    effectClass: () => 'repeatable',
    async *execute({ request, allowance, sentinel }, call) {
      const said =
        call.attempt > 1
          ? ({ kind: 'interrupted', usage: await lostUsage(model, request, allowance) } as const)
          : await askForText(model, request, { allowance, timeoutMs }, call);
      const text = said.kind === 'answered' ? said.text.trim() : '';
      const isCut = said.kind === 'answered' && said.cut !== undefined;
      if (isCut) yield { type: 'warning.raised', payload: CUT };
      const parts = [sentinel, text, isCut && text !== '' ? '[This summary was cut off here.]' : ''];
      yield {
        type: 'summary.written',
        payload: { text: parts.filter((part) => part !== '').join('\n\n'), usage: said.usage },
      };
    },
  };
}
