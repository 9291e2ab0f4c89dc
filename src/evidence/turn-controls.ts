import type { CheckControl, RecordedProof } from '../../machines/recorded-proof.ts';

/** The reason why nothing shows that the tests which turned green can fail. */
export type Uncontrolled = 'no-control' | 'bare-control' | 'unnoticed-control';

const BECAUSE: { readonly [is in Exclude<CheckControl['is'], 'held'>]: Uncontrolled } = {
  bare: 'bare-control',
  unnoticed: 'unnoticed-control',
  none: 'no-control',
  // Such work has not passed.
  broken: 'no-control',
};

/** Tells whether a test failed on the base and passes now. */
export const hasTurned = ({ tests }: Pick<RecordedProof, 'tests'>): boolean =>
  tests.some(({ turnedCount }) => turnedCount > 0);

/**
 * Returns why tests that turned are no witness: tests that must fail were not seen to fail in each of their checks.
 * Where each check has no control of its own recorded, one of any file counts.
 */
export function uncontrolled({
  tests,
  control,
  controls,
}: Pick<RecordedProof, 'tests' | 'control' | 'controls'>): readonly Uncontrolled[] {
  if (!controls) return control?.held.length ? [] : ['no-control'];
  const turned = new Set(tests.filter(({ turnedCount }) => turnedCount > 0).map(({ check }) => check));
  const theirs = controls.filter(({ check }) => turned.has(check));
  const because = new Set(theirs.flatMap(({ is }) => (is === 'held' ? [] : [BECAUSE[is]])));
  return theirs.length === 0 ? ['no-control'] : [...because];
}
