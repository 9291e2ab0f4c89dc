import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { Check } from '../../../../machines/settings.ts';
import { type CheckedTree, failingTests, skippedTests } from './baseline-tests.ts';
import { checkErrors } from './check-errors.ts';
import type { FileIn } from './file-in.ts';
import { discoveryOf } from './found.ts';

/**
 * All that the checks of a tree show, by fingerprint: whether a finding is gone from another tree is told by looking it
 * up there.
 *
 * @example
 * const isGone = !foundInChecks(after, settings.checks, fileIn(files)).has(discovery.fingerprint);
 */
export function foundInChecks(
  tree: CheckedTree,
  checks: readonly Pick<Check, 'name' | 'command'>[],
  fileIn: FileIn,
): ReadonlyMap<string, Discovery> {
  const { types, lint, others } = checkErrors(tree, checks, fileIn);
  const all = [...failingTests(tree), ...skippedTests(tree), ...types, ...lint, ...others].map(discoveryOf);
  return new Map(all.map((one) => [one.fingerprint, one]));
}
