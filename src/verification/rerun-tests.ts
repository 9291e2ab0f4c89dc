import type { FlickeringTests } from '../../machines/recorded-proof.ts';
import type { CheckedTests } from '../evidence/tests-of-checks.ts';
import { stillTurned, type TurnedTests, turnedOf, turnedTests } from '../evidence/test-turns.ts';
import { type SelectedTests, selectedTests } from '../evidence/test-selection.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { type CheckedHow, checksUpTo, ranTree } from './check-tree.ts';

/**
 * A test that is right at random shows itself in more runs: in so many, where they are quick. After an attempt of which
 * one has shown itself, the next attempts of the run are draws of the same lot, and take more.
 */
const MAX_RUNS = 8;
const MAX_REPEATED_MS = 1_500;
const MORE_EACH = 2;

/** The outcome of tests that turned with the work, where the same files were checked again. */
export interface TurnedAgain {
  /** They passed on the files of the start, too. */
  readonly flaky: readonly FlickeringTests[];
  /** They failed with the work. */
  readonly unsteady: readonly FlickeringTests[];
}

interface Trees {
  /** Hash of the tree that the run began with. */
  readonly base: string;
  /** Hash of the tree of the first leg. */
  readonly work: string;
}

interface AgainHow extends Pick<CheckedHow, 'run' | 'checks' | 'stepped' | 'environment' | 'signal'> {
  /** The number of verifications of this run that found an unsteady test. */
  readonly unsteadyBefore: number;
}
type Selection = ReadonlyMap<string, SelectedTests>;

/**
 * Runs the tests that turned once more on the files of the start, where they have to fail, and again on the work, where
 * they have to pass: alone where their runner can, else with their whole check. Null: told to stop.
 */
export async function turnedAgain(
  tests: readonly CheckedTests[],
  trees: Trees,
  legs: Pick<PreparedLegs, 'place' | 'prepare' | 'call' | 'plan'>,
  { unsteadyBefore, ...how }: AgainHow,
): Promise<TurnedAgain | null> {
  const turned = turnedTests(tests);
  if (turned.length === 0) return { flaky: [], unsteady: [] };
  const checks = checksUpTo(new Set(turned.map(({ check }) => check)), how.checks, legs.plan);
  const passing = async (leg: string, tree: string, only: Selection) => {
    const ran = await ranTree(leg, tree, legs, { ...how, checks, only, runsAll: true, delta: () => {} });
    return ran && stillTurned(turned, ran.tests);
  };
  const most = 1 + MORE_EACH * unsteadyBefore;
  const worked = await repeated((only) => passing('again', trees.work, only), turned, most);
  if (worked === null || worked.unsteady.length > 0) return worked && { flaky: [], unsteady: worked.unsteady };
  const onStart = await passing('again-start', trees.base, worked.only);
  return onStart && { flaky: turnedOf(turned, onStart, 'with'), unsteady: [] };
}

type Passing = (only: Selection) => Promise<readonly TurnedTests[] | null>;

const ALL: Selection = new Map();

/**
 * Runs tests again on the same files. Alone, a test may lack what another one leaves for it, or its runner does not
 * select: tests that fail twice alone run with their whole check. Null: told to stop.
 */
async function repeated(
  passing: Passing,
  turned: readonly TurnedTests[],
  most: number,
): Promise<{ readonly unsteady: readonly FlickeringTests[]; readonly only: Selection } | null> {
  const alone: Selection = new Map(
    turned.flatMap(({ check, tests }) => {
      const selected = selectedTests(tests);
      return selected ? [[check, selected] as const] : [];
    }),
  );
  const first = await drawn(passing, turned, alone, most);
  if (first === null) return null;
  const found = { unsteady: first.failed, only: alone };
  if (first.failed.length === 0 || first.runs > 1 || alone.size === 0) return found;
  const again = await drawn(passing, turned, alone, 0);
  // Alone it has failed and passed.
  if (again === null || again.failed.length === 0) return again && found;
  const whole = await drawn(passing, turned, ALL, most);
  return whole && { unsteady: whole.failed, only: ALL };
}

/** Runs tests until one fails, or until there was enough of it: once, where `most` is 0. Null: told to stop. */
async function drawn(passing: Passing, turned: readonly TurnedTests[], only: Selection, most: number) {
  const began = performance.now();
  for (let runs = 1; ; runs += 1) {
    const passed = await passing(only);
    if (passed === null) return null;
    const failed = turnedOf(turned, passed, 'without');
    const isEnough = runs >= MAX_RUNS * most || performance.now() - began > MAX_REPEATED_MS * most;
    if (failed.length > 0 || isEnough) return { failed, runs };
  }
}
