import type { IterationContext } from '../../../machines/iteration.machine.ts';
import { tokensOf } from '../../budget/reached.ts';
import { sentinelOf } from '../../strategies/sentinel.ts';
import type { Situation } from '../../runtime/cast.ts';

/** The last words of a run: which limit it met, and what it had done until then. */
export function endingSummary({ settings, state }: Situation): string {
  const { outcome, spend, iterations } = state.snapshot.context as IterationContext;
  const how = outcome ? (sentinelOf(outcome)?.text ?? outcome.ending) : 'ended';
  const rounds = settings.loop === 'iteration' ? [amount(iterations, 'iteration')] : [];
  const used = [...rounds, amount(spend.steps, 'step'), amount(spend.toolCalls, 'tool call'), amount(tokensOf(spend), 'token')];
  return `${how}, after ${used.join(', ')}`;
}

const amount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
