import { describe, expect, test } from 'vitest';
import type { Verified } from '../../machines/outcome.ts';
import type { Approver, CheckControl } from '../../machines/recorded-proof.ts';
import { approvalText, worthOf } from '../../src/projections/grade-text.ts';
import { approverText } from '../../src/projections/approver-text.ts';
import { sound } from '../evidence/sound-proof.ts';
import { fc } from '../support/fast-check.ts';

const AT = '2030-01-01T00:00:00.000Z';
const verification = { version: 3, passed: true, levels: [] };
const controlOf = (check: string, is: CheckControl['is']): CheckControl => ({ check, by: 'tests', is });

describe('given a success that is not enough', () => {
  const ended = (verified: Partial<Verified>, controls: readonly CheckControl[]) =>
    worthOf({
      ending: {
        version: 4,
        at: AT,
        reason: '',
        evidence: [],
        outcome: { ending: 'success', partial: false, verified: { version: 3, workspace: null, ...verified } },
      },
      verification: { ...verification, proof: { ...sound, controls: [...controls] } },
      ruled: null,
    }).shortfall;
  const controls = [controlOf('npm test', 'held'), controlOf('make lint', 'none'), controlOf('tsc', 'bare')];

  test('V15 it is said which checks found no planted error, and what would make it enough', () => {
    const why = 'not enough: no planted error was found by make lint, tsc; --accept verified takes such a success';
    expect(ended({ grade: 'verified', enough: false }, controls)).toBe(why);
  });

  test('V15 of many checks the first are named, and the others counted', () => {
    const many = Array.from({ length: 8 }, (_, index) => controlOf(`check ${index}`, 'none'));
    expect(ended({ grade: 'verified', enough: false }, many)).toContain('check 4 and 3 more;');
  });

  test.each([
    { grade: 'verified', enough: true },
    { grade: 'verified' },
    { grade: 'weak', enough: false },
    { grade: 'verified', enough: false, version: 2 },
  ] as const)('V15 nothing is said of $grade, enough $enough, by checks that are these or not', (verified) => {
    expect(ended(verified, controls)).toBeNull();
  });
});

describe('given a person who let changed tests count', () => {
  const ada: Approver = { name: 'ada', email: 'ada@example.org', door: 'terminal' };
  const digest = 'abcdef0123456789'.repeat(4);
  const dispute = { is: 'approved' as const, digest, diff: '', testsCount: 0, tests: [], approver: ada };
  const ruledOn = (ruled: { readonly at: string; readonly digest: string } | null) =>
    worthOf({ ending: null, verification: { ...verification, proof: { ...sound, dispute } }, ruled }).approval;

  test('V13 the line says who, where, when, and which difference', () => {
    const approval = ruledOn({ at: AT, digest });
    expect(approval && approvalText(approval)).toBe(
      `approved by ada <ada@example.org> at a terminal, ${AT}, difference abcdef0123456789`,
    );
  });

  test('V13 a ruling on another difference says nothing of this one', () => {
    expect(ruledOn({ at: AT, digest: 'f'.repeat(64) })).toBeNull();
    expect(ruledOn(null)).toBeNull();
  });

  test('V13 no name or address begins a line of its own, or steers a terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string({ unit: 'binary' })), (name, email) => {
        expect(approverText({ name, email, door: 'token' })).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});
