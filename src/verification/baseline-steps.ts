import type { EventOf } from '../../machines/events.ts';
import type { Check, CheckSteps } from '../../machines/settings.ts';
import { doubtfulSteps, joinedChecks } from './step-dependence.ts';
import type { LegsSubject } from './legs-subject.ts';
import { steppedProof } from './proof-steps.ts';
import { type BaselineHow, takenBaseline } from './taken-baseline.ts';

interface SteppedHow extends Omit<BaselineHow, 'checks' | 'steps' | 'stepped'> {
  /** As they were configured. */
  readonly whole: readonly Check[];
  readonly steps: readonly CheckSteps[];
}

/**
 * Runs all checks on the tree that a run begins with, step by step: but for those that come to more as a whole, which
 * run so. Null: told to stop. Throws a `GitError`.
 */
export async function steppedBaseline(
  subject: LegsSubject,
  { whole, steps, ...how }: SteppedHow,
): Promise<EventOf<'baseline.taken'>['payload'] | null> {
  const take = (cut: readonly CheckSteps[]) => {
    const { subject: stepped, ...by } = steppedProof(subject, whole, { steps: cut, tests: [] });
    return takenBaseline(stepped, { ...how, ...by, steps: cut });
  };
  const apart = await take(steps);
  const doubtful = apart ? doubtfulSteps(apart, steps) : [];
  if (apart === null || apart.fault || doubtful.length === 0) return apart;
  const names = new Set(doubtful.map(({ check }) => check));
  const { heldOut: _, requireRed: __, ...plain } = how;
  const joined = await takenBaseline(subject, { ...plain, checks: whole.filter(({ name }) => names.has(name)) });
  if (joined === null) return null;
  const joint = joinedChecks(apart, joined, doubtful);
  return joint.size === 0 ? apart : take(steps.filter(({ check }) => !joint.has(check)));
}
