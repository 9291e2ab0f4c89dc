import type { EventOf, LevelResult } from '../../machines/events.ts';
import type { Check, CheckSteps } from '../../machines/settings.ts';
import type { LegsSubject } from './legs-subject.ts';
import { steppedProof } from './proof-steps.ts';
import { type BaselineHow, takenBaseline } from './baseline-of-check.ts';
import { startedBy } from '../evidence/command-words.ts';

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

type Baseline = Pick<EventOf<'baseline.taken'>['payload'], 'levels' | 'tests'>;

/**
 * The checks of which a step fails behind one that may have left something running for it, such as a database: behind
 * walls no process outlives its step. Only a run of the whole check can tell.
 */
function doubtfulSteps(taken: Baseline, steps: readonly CheckSteps[]): readonly CheckSteps[] {
  const passed = passedIn(taken.levels);
  const tested = new Set(taken.tests.map(({ check }) => check));
  return steps.filter(({ steps: own }) => {
    const failed = own.findIndex(({ name }) => passed.get(name) === false);
    return own.slice(0, Math.max(0, failed)).some(({ name, command }) => !tested.has(name) && !onlyReads(command));
  });
}

/** Picks the checks that come to more as a whole: they pass, or more of their tests do. */
function joinedChecks(taken: Baseline, whole: Baseline, doubtful: readonly CheckSteps[]): ReadonlySet<string> {
  const passed = passedIn(whole.levels);
  const joined = doubtful.filter(({ check, steps }) => {
    const apart = new Set(steps.map(({ name }) => name));
    return passed.get(check) === true || passing(whole, new Set([check])) > passing(taken, apart);
  });
  return new Set(joined.map(({ check }) => check));
}

const passedIn = (levels: readonly LevelResult[]): ReadonlyMap<string, boolean> =>
  new Map(levels.flatMap(({ checks }) => checks.map(({ name, passed }) => [name, passed] as const)));

const onlyReads = (command: string): boolean => startedBy(command, '').every(({ isReading }) => isReading);

/** Counts the tests of these checks that have passed. */
const passing = ({ tests }: Baseline, checks: ReadonlySet<string>): number =>
  tests
    .filter(({ check }) => checks.has(check))
    .reduce((sum, one) => sum + one.tests.filter(({ result }) => result === 'passed').length, 0);
