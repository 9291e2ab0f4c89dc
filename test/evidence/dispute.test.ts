import { describe, expect, test } from 'vitest';
import type { Approver } from '../../machines/recorded-proof.ts';
import { disputeOf, disputesWith, NO_DISPUTES, type PastDisputes } from '../../src/evidence/dispute.ts';
import { fc } from '../support/fast-check.ts';

const ada: Approver = { name: 'ada', email: null, door: 'terminal' };
const disputed = (patch: string, past: PastDisputes) =>
  disputeOf({ patch: { text: patch, digest: patch }, tests: [], past: { ...past, count: 1 }, canAsk: true });
const { digest } = disputed('the difference', NO_DISPUTES);
const ruled = (payload: { readonly digest: string; readonly by?: Approver }) =>
  disputesWith(NO_DISPUTES, { type: 'grounds.approved', payload: { reason: null, ...payload } });

describe('given a person who let changed tests count', () => {
  test('V13 the next checks of exactly these changes name them', () => {
    expect(disputed('the difference', ruled({ digest, by: ada }))).toMatchObject({ is: 'approved', approver: ada });
  });

  test('V13 any other change is asked about again, and names no person', () => {
    fc.assert(
      fc.property(
        fc.string().filter((patch) => patch !== 'the difference'),
        (patch) => {
          const dispute = disputed(patch, ruled({ digest, by: ada }));
          expect(dispute.is).toBe('asked');
          expect(dispute).not.toHaveProperty('approver');
        },
      ),
    );
  });

  test('V13 a later ruling takes the place of it, also where no person is known to have made that one', () => {
    const { ruling } = disputesWith(ruled({ digest, by: ada }), {
      type: 'grounds.approved',
      payload: { digest, reason: null },
    });
    const dispute = disputed('the difference', { count: 1, ruling });
    expect(dispute.is).toBe('approved');
    expect(dispute).not.toHaveProperty('approver');
  });

  test('V13 a person who denied them has approved nothing', () => {
    const { ruling } = disputesWith(NO_DISPUTES, { type: 'grounds.denied', payload: { digest, reason: 'no' } });
    const dispute = disputed('the difference', { count: 1, ruling });
    expect(dispute).toMatchObject({ is: 'denied', reason: 'no' });
    expect(dispute).not.toHaveProperty('approver');
  });
});
