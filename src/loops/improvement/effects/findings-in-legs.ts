import type { Check } from '../../../../machines/settings.ts';
import { fileIn } from '../discovery/finding-facts.ts';
import { foundInChecks } from '../discovery/check-errors.ts';
import type { FindingsOf } from '../evaluation/head-losses.ts';
import type { FoundIn } from '../evaluation/resolve-by-checks.ts';
import type { PreparedLegs } from '../../../verification/prepare-legs.ts';

/** Reads what checks show of the trees of legs. */
export function foundInLegs({ plan }: Pick<PreparedLegs, 'plan'>, checks: readonly Check[]): FoundIn {
  const [, work] = plan.trees;
  const place = fileIn(new Set([...plan.base.keys(), ...work.keys()]));
  return (tree) => foundInChecks(tree, checks, place);
}

/** What compilers and linters say in one check. */
export const errorsIn =
  (foundIn: FoundIn): FindingsOf =>
  (check) => {
    const found = foundIn({ levels: [{ level: 'L0', passed: check.passed, checks: [check] }], tests: [] });
    const errors = [...found].filter(([, { source }]) => source === 'type-errors' || source === 'lint');
    return new Map(errors.map(([fingerprint, { title }]) => [fingerprint, title]));
  };
