import { checkOfStep } from '../evidence/steps/with-steps.ts';
import { leavesNothing } from '../evidence/reading-commands.ts';
import type { PreparedLegs } from './prepared-legs.ts';
import type { CheckedHow, RanTree } from './ran-tree.ts';

/**
 * The checks that have failed on a tree, with all their steps: one step may build what another one runs, but a linter
 * that passed builds nothing.
 */
export function failingOf(red: RanTree, how: CheckedHow, { readers }: PreparedLegs['plan']): CheckedHow {
  const steps = checkOfStep(how.stepped?.cut);
  const wholeOf = (name: string) => steps.get(name) ?? name;
  const failing = new Set(red.checks.flatMap(({ name, passed }) => (passed ? [] : [wholeOf(name)])));
  const passed = new Set(red.checks.flatMap((check) => (check.passed ? [check.name] : [])));
  const checks = how.checks.filter(
    ({ name }) => failing.has(wholeOf(name)) && !(passed.has(name) && leavesNothing(readers.get(name))),
  );
  return { ...how, stepped: undefined, checks };
}
