import type { Outcome } from '../../../../machines/outcome.ts';
import { tokensOf } from '../../../budget/limit-use.ts';
import { causeOf } from '../../../strategies/attempt-failure.ts';
import { sentinelOf } from '../../../strategies/sentinel.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';

/** The summary of an ended run in one sentence: what limit or fault ended it, and what it had done until then. */
export function endingSummary(
  { state }: RunContext,
  { rounds: { count }, describe: { round } }: LoopDefinition,
): string {
  const { outcome, spend } = lifeOf(state);
  // The steps of children count too.
  const rounds = round === 'step' ? [] : [amount(count(lifeOf(state)), round)];
  const used = [
    ...rounds,
    amount(spend.steps, 'step'),
    amount(spend.toolCalls, 'tool call'),
    amount(tokensOf(spend), 'token'),
  ];
  return `${outcome ? howEnded(outcome) : 'ended'}, after ${used.join(', ')}`;
}

function howEnded(outcome: Outcome): string {
  if (outcome.ending !== 'abort') return sentinelOf(outcome)?.text ?? outcome.ending;
  const cause = causeOf(outcome);
  return cause === null ? outcome.ending : `${outcome.ending}: ${cause}`;
}

const amount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
