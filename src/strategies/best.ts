import { Level } from '../../machines/events.ts';
import type { Accepted } from '../../machines/outcome.ts';
import type { Measures } from './report.ts';
import { summaryOf } from './iteration-summary.ts';
import type { IterationCompleteEvent, IterationSummary } from './strategy.ts';

/** The rank of the highest level that passed: 0 where none did, 1 for `L0`. */
export const rankOf = ({ highestLevel }: Pick<Measures, 'highestLevel'>): number =>
  highestLevel === null ? 0 : Level.options.indexOf(highestLevel) + 1;

/** The best iteration: by its share of passed checks, then by its level. Of equals the later one. */
export function bestOf(iterations: readonly IterationSummary[]): IterationSummary | null {
  const [first, ...others] = iterations;
  if (!first) return null;
  return others.reduce((best, one) => (isBehind(one, best) ? best : one), first);
}

/** Whether the best iteration, the newest included, is the workspace as the run found it, and passes no check. */
export function bestIsNothing(event: IterationCompleteEvent): boolean {
  const { previousIterations: before, workspaceAtStart } = event;
  const checksTotal = before.at(-1)?.checksTotal ?? 0;
  const newest = summaryOf(event, { durationMs: 0, checksTotal, metadata: null, workspaceRef: null });
  const best = bestOf([...before, newest]);
  return best?.checksPassed === 0 && best.workspaceHash !== null && best.workspaceHash === workspaceAtStart;
}

function isBehind(one: IterationSummary, other: IterationSummary): boolean {
  const compared = [
    shareOf(one) - shareOf(other),
    rankOf(one) - rankOf(other),
    Number(one.agentSuccess) - Number(other.agentSuccess),
  ];
  return (compared.find((difference) => difference !== 0) ?? 0) < 0;
}

const shareOf = ({ checksPassed, checksTotal }: Measures): number =>
  checksTotal === 0 ? 0 : checksPassed / checksTotal;

/** An iteration as the result that is accepted although some checks fail. */
export const acceptedOf = ({ iteration, workspaceHash, workspaceRef, failingChecks }: IterationSummary): Accepted => ({
  iteration,
  workspace: workspaceHash,
  ref: workspaceRef,
  failing: [...failingChecks],
});
