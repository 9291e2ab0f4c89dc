import { tokensOf } from '../../../budget/reached.ts';
import { sentinelOf } from '../../../strategies/sentinel.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';
import { lifeOf } from '../../../kernel/fold.ts';
import type { LoopDefinition } from '../../../kernel/loop-definition.ts';

/** The summary of an ended run in one sentence: which limit it reached, and what it had done until then. */
export function endingSummary(
  { state }: RunContext,
  { rounds: { count }, describe: { round } }: LoopDefinition,
): string {
  const { outcome, spend } = lifeOf(state);
  const how = outcome ? (sentinelOf(outcome)?.text ?? outcome.ending) : 'ended';
  // The steps of children count too.
  const rounds = round === 'step' ? [] : [amount(count(lifeOf(state)), round)];
  const used = [
    ...rounds,
    amount(spend.steps, 'step'),
    amount(spend.toolCalls, 'tool call'),
    amount(tokensOf(spend), 'token'),
  ];
  return `${how}, after ${used.join(', ')}`;
}

const amount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
