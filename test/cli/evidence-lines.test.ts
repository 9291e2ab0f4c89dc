import { expect, test } from 'vitest';
import { evidenceLines } from '../../src/app/views/evidence-lines.ts';
import { sound } from '../evidence/sound-proof.ts';

test('V5 work whose tests that must fail did not has no grade on its page', () => {
  const control = { held: [], broken: ['test/sum.test.js'], unnoticed: [] };
  const lines = evidenceLines({ passed: false, proof: { ...sound, control } });
  expect(lines.join('\n')).not.toContain('verified');
  expect(lines).toContain('    control: tests that must fail did not, in test/sum.test.js');
  expect(evidenceLines({ passed: true, proof: sound }).join('\n')).toContain('): no test failed before and passes now');
});

test('V5 work that lost a test of its start has no grade on its page, though its commands exit with 0', () => {
  const lost = [{ file: 'sum.test.js', name: 'adds', occurrence: 1, how: 'skipped' as const }];
  const tests = [
    { check: 'L1', turnedCount: 0, turned: [], kept: 1, fresh: 0, lostCount: 1, lost, reportMissing: false },
  ];
  const lines = evidenceLines({ passed: false, proof: { ...sound, tests } });
  expect(lines.join('\n')).not.toMatch(/witnessed|verified|weak/);
  expect(lines.join('\n')).toContain('1 lost');
});

test('V5 the page of checks that ran in the workspace says that they are weak, and why', () => {
  const why =
    '    weak (the checks pass, but rest on what the work could change): ' +
    'the checks ran in the workspace, where the work can change what they rest on';
  expect(evidenceLines({ passed: true })).toEqual(['  evidence', why]);
  expect(evidenceLines({ passed: false })).toEqual([]);
  expect(evidenceLines({ passed: true, ungraded: true })).toEqual([]);
});

test('V13 V15 below the grade the page says why it is not enough, and who approved', () => {
  const approver = { name: 'ada', email: null, door: 'token' as const };
  const approval = { approver, at: '2030-01-01T00:00:00.000Z', digest: 'abcdef0123456789'.repeat(4) };
  const lines = evidenceLines({ passed: true, proof: sound }, { shortfall: 'not enough: because', approval });
  expect(lines.slice(2, 4)).toEqual([
    '    not enough: because',
    '    approved by ada with a token, 2030-01-01T00:00:00.000Z, difference abcdef0123456789',
  ]);
});
