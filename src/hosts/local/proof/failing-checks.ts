import { checkOfStep } from '../../../evidence/steps/with-steps.ts';
import type { CheckedHow, RanTree } from './ran-tree.ts';

/** The checks that have failed on a tree, with all their steps: one step may build what another one runs. */
export function failingOf(red: RanTree, how: CheckedHow): CheckedHow {
  const steps = checkOfStep(how.stepped?.cut);
  const wholeOf = (name: string) => steps.get(name) ?? name;
  const failing = new Set(red.checks.flatMap(({ name, passed }) => (passed ? [] : [wholeOf(name)])));
  return { ...how, stepped: undefined, checks: how.checks.filter(({ name }) => failing.has(wholeOf(name))) };
}
