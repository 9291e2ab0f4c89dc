import { describe, expect, test } from 'vitest';
import type { CheckControl } from '../../machines/recorded-proof.ts';
import { Grade } from '../../machines/outcome.ts';
import { isEnough, uncontrolledChecks } from '../../src/evidence/enough.ts';
import { fc } from '../support/fast-check.ts';

const control = fc.record<CheckControl>({
  check: fc.string(),
  by: fc.constantFrom('tests', 'reading'),
  is: fc.constantFrom('held', 'broken', 'unnoticed', 'bare', 'none'),
});
const proofs = fc.record({ controls: fc.array(control) }, { requiredKeys: [] });
const grades = fc.constantFrom(...Grade.options);
const accepts = fc.constantFrom(undefined, 'verified', 'weak');

describe('given the grade of a success', () => {
  test('V15 witnessed and approved are enough, whatever else is known', () => {
    fc.assert(
      fc.property(fc.constantFrom('witnessed', 'approved'), fc.option(proofs, { nil: undefined }), accepts, (...of) => {
        const [grade, proof, accept] = of;
        expect(isEnough({ grade }, proof, accept)).toBe(true);
      }),
    );
  });

  test('V15 verified is enough exactly where every check found a planted error, or where it is accepted', () => {
    fc.assert(
      fc.property(fc.array(control), accepts, (controls, accept) => {
        const isFound = controls.length > 0 && controls.every(({ is }) => is === 'held');
        expect(isEnough({ grade: 'verified' }, { controls }, accept)).toBe(isFound || accept !== undefined);
      }),
    );
  });

  test('V15 weak is enough where it is to be accepted alone, and an unshown improvement never', () => {
    fc.assert(
      fc.property(fc.option(proofs, { nil: undefined }), accepts, (proof, accept) => {
        expect(isEnough({ grade: 'weak' }, proof, accept)).toBe(accept === 'weak');
        expect(isEnough({ grade: 'not regressed' }, proof, accept)).toBe(false);
      }),
    );
  });

  test('V15 a proof from before each check had a control is as it was: all but weak is enough', () => {
    expect(isEnough({ grade: 'verified' }, {})).toBe(true);
    expect(isEnough({ grade: 'weak' }, {})).toBe(false);
  });

  test('V15 who accepts more never gets less', () => {
    fc.assert(
      fc.property(grades, proofs, (grade, proof) => {
        const [strict, verified, weak] = [undefined, 'verified', 'weak'].map((accept) =>
          isEnough({ grade }, proof, accept as 'verified' | 'weak' | undefined),
        );
        expect([strict && !verified, verified && !weak]).toEqual([false, false]);
      }),
    );
  });
});

test('V15 the checks that found no planted error are named', () => {
  const controls = [
    { check: 'npm test', by: 'tests', is: 'held' },
    { check: 'make lint', by: 'reading', is: 'none' },
  ] as const;
  expect(uncontrolledChecks([...controls])).toEqual(['make lint']);
});
