import type { FlickeringTests } from '../../../../machines/recorded-proof.ts';
import type { CheckedTests, ReportedTests } from '../../../evidence/checked-tests.ts';
import { stillTurned, turnedOf, turnedTests } from '../../../evidence/turned-tests.ts';
import { type SelectedTests, selectedTests } from '../../../evidence/selected-tests.ts';
import type { PreparedLegs } from './prepared-legs.ts';
import { type CheckedHow, checksUpTo, ranTree } from './ran-tree.ts';

/** A test that passes by chance shows itself in more runs: as many as that, where they are quick. */
const MAX_RUNS = 5;
const MAX_REPEATED_MS = 1_500;

/** What became of the tests that turned with the work, where the same files were checked again. */
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

type AgainHow = Pick<CheckedHow, 'run' | 'checks' | 'environment' | 'signal'>;
type Selection = ReadonlyMap<string, SelectedTests>;

/**
 * Runs the tests that turned once more on the files of the start, where they have to fail, and again on the work, where
 * they have to pass: alone where their runner can, else with their whole check. Null: told to stop.
 */
export async function turnedAgain(
  tests: readonly CheckedTests[],
  trees: Trees,
  legs: Pick<PreparedLegs, 'place' | 'prepare'>,
  how: AgainHow,
): Promise<TurnedAgain | null> {
  const turned = turnedTests(tests);
  if (turned.length === 0) return { flaky: [], unsteady: [] };
  const checks = checksUpTo(new Set(turned.map(({ check }) => check)), how.checks);
  const again = async (leg: string, tree: string, only: Selection): Promise<ReportedTests | null> => {
    const ran = await ranTree(leg, tree, legs, { ...how, checks, only, runsAll: true, delta: () => {} });
    return ran && ran.tests;
  };
  const all: Selection = new Map();
  const chosen: Selection = new Map(
    turned.flatMap(({ check, tests: own }) => {
      const selected = selectedTests(own);
      return selected ? [[check, selected] as const] : [];
    }),
  );
  const began = performance.now();
  let only = chosen;
  for (let run = 1; run <= MAX_RUNS; run += 1) {
    const ran = await again('again', trees.work, only);
    if (ran === null) return null;
    const unsteady = turnedOf(turned, stillTurned(turned, ran), 'without');
    if (unsteady.length > 0 && only.size > 0) {
      // Alone, a test may lack what another one leaves for it, or its runner does not select.
      only = all;
      continue;
    }
    if (unsteady.length > 0) return { flaky: [], unsteady };
    if (performance.now() - began > MAX_REPEATED_MS) break;
  }
  const onStart = await again('again-start', trees.base, only);
  return onStart && { flaky: turnedOf(turned, stillTurned(turned, onStart), 'with'), unsteady: [] };
}
