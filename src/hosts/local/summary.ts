import { tokensOf } from '../../budget/reached.ts';
import { sentinelOf } from '../../strategies/sentinel.ts';
import type { Situation } from '../../runtime/cast.ts';
import { lifeOf } from '../../runtime/fold.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';

/** The last words of a run: which limit it met, and what it had done until then. */
export function endingSummary({ state }: Situation, { rounds: { count }, describe: { round } }: LoopDefinition): string {
  const { outcome, spend } = lifeOf(state);
  const how = outcome ? (sentinelOf(outcome)?.text ?? outcome.ending) : 'ended';
  // The steps of children count too.
  const rounds = round === 'step' ? [] : [amount(count(lifeOf(state)), round)];
  const used = [...rounds, amount(spend.steps, 'step'), amount(spend.toolCalls, 'tool call'), amount(tokensOf(spend), 'token')];
  return `${how}, after ${used.join(', ')}`;
}

const amount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
