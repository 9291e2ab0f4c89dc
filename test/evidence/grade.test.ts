import { describe, expect, test } from 'vitest';
import type { CheckControl, RecordedProof } from '../../machines/recorded-proof.ts';
import { gradedChecks, gradeOf, type Weakness } from '../../src/evidence/grade.ts';
import { sound } from './sound-proof.ts';

const turned = (turnedCount: number): RecordedProof['tests'][number] => ({
  check: 'npm test',
  turnedCount,
  turned: [],
  kept: 3,
  fresh: 0,
  lostCount: 0,
  lost: [],
  reportMissing: false,
});
const control = { held: ['test/sum.test.js'], broken: [], unnoticed: [] };
const best: RecordedProof = { ...sound, tests: [turned(1)], control };

test('V5 a test that turned green behind walls, where tests that must fail did, is witnessed', () => {
  expect(gradeOf(best)).toEqual({ grade: 'witnessed', because: [] });
});

test('V5 a check that only reads the work is a test, and needs no control', () => {
  expect(gradeOf({ ...sound, turnedChecks: ['tsc'] })).toEqual({ grade: 'witnessed', because: [] });
});

const less: readonly [Weakness, Partial<RecordedProof>][] = [
  ['nothing-turned', { tests: [turned(0)] }],
  ['no-control', { control: { held: [], broken: [], unnoticed: ['test/sum.test.js'] } }],
  ['no-control', { turnedChecks: ['tsc'], control: { held: [], broken: [], unnoticed: [] } }],
  ['no-walls', { walls: 'none' }],
  ['network', { networked: ['npm run e2e'] }],
  ['one-leg', { oneLeg: true }],
];

test.each(less)('V5 %s: it is verified', (weakness, changed) => {
  expect(gradeOf({ ...best, ...changed })).toEqual({ grade: 'verified', because: [weakness] });
});

test('V5 a proof from before there was a control is no more than verified', () => {
  const { control: _, ...older } = best;
  expect(gradeOf(older)).toEqual({ grade: 'verified', because: ['no-control'] });
});

const weak: readonly [Weakness, Partial<RecordedProof>][] = [
  ['dependencies-changed', { dependenciesChanged: 1 }],
  ['dependencies-unknown', { dependenciesChanged: null }],
  ['tools-changed', { toolsChanged: ['npm'] }],
  ['outside-changed', { outsideChanged: ['/opt/tests/run.sh'] }],
  [
    'dependencies-unmet',
    { dependenciesUnmet: [{ name: 'ms', asked: 'package.json', wanted: '3.0.0', installed: '2.0.0' }] },
  ],
  ['pointers-home', { pointersHome: 1 }],
  ['suppressions', { suppressions: 1 }],
  ['tests-in-sources', { testsInSources: ['src/lib.rs'] }],
  ['no-tests', { unreported: ['make check'] }],
  ['tests-unplaced', { unplaced: ['prove'] }],
  ['grounds-allowed', { allowed: ['sum.test.js'] }],
];

test.each(weak)('V5 %s makes it weak', (weakness, changed) => {
  expect(gradeOf({ ...best, ...changed })).toEqual({ grade: 'weak', because: [weakness] });
});

const held = { check: 'npm test', by: 'tests', is: 'held' } as const;
const reading = { check: 'tsc', by: 'reading', is: 'held' } as const;

describe('given a proof in which each check has a control', () => {
  test('V15 one check whose test turned and whose control held is witnessed, whatever the others have', () => {
    const others = [reading, { check: 'make check', by: 'tests', is: 'none' }] as const;
    expect(gradeOf({ ...best, controls: [held, ...others] })).toEqual({ grade: 'witnessed', because: [] });
  });

  const reasons: readonly [CheckControl['is'], Weakness][] = [
    ['bare', 'bare-control'],
    ['unnoticed', 'unnoticed-control'],
    ['none', 'no-control'],
  ];

  test.each(reasons)('V15 where that control is %s, and no other check has turned, it is verified', (is, weakness) => {
    const controls = [{ ...held, is }, reading, { ...held, check: 'npm run more' }];
    expect(gradeOf({ ...best, controls })).toEqual({ grade: 'verified', because: [weakness] });
  });

  test('V15 a check without an entry counts as one of which nothing could be found out', () => {
    expect(gradeOf({ ...best, controls: [reading] })).toEqual({ grade: 'verified', because: ['no-control'] });
  });

  test('V15 an error that a reading check has found is no witness of a test', () => {
    const proof = { ...sound, turnedChecks: ['tsc'], controls: [reading] };
    expect(gradeOf(proof)).toEqual({ grade: 'verified', because: ['reads-only'] });
  });
});

describe('given tests that turn by themselves', () => {
  const flaky = [{ check: 'npm test', tests: [{ file: null, name: 'at times', occurrence: 1 }] }];

  test('V15 a check in which only a flaky test turned makes the success weak', () => {
    const graded = gradeOf({ ...best, tests: [turned(0), { ...turned(1), check: 'npm run more' }], flaky });
    expect(graded).toEqual({ grade: 'weak', because: ['flaky'] });
  });

  test('V15 a check in which another test has turned goes by that one', () => {
    expect(gradeOf({ ...best, controls: [held], flaky })).toEqual({ grade: 'witnessed', because: [] });
  });
});

describe('given changed tests that count because they were approved', () => {
  const approver = { name: 'ada', email: 'ada@example.org', door: 'terminal' } as const;
  const dispute = { is: 'approved' as const, digest: 'd', diff: '', testsCount: 1, tests: [], approver };

  test('V13 a person who is known makes it approved, though no test has turned', () => {
    expect(gradeOf({ ...sound, dispute })).toEqual({ grade: 'approved', because: ['grounds-approved'] });
  });

  test('V13 without a person who is known it is weak', () => {
    const { approver: _, ...unknown } = dispute;
    expect(gradeOf({ ...best, dispute: unknown })).toEqual({ grade: 'weak', because: ['grounds-approved'] });
  });

  test.each(['form', 'editor'] as const)(
    'X11 V13 a person who is named by a %s alone is recorded, and it stays weak',
    (door) => {
      const named = { ...dispute, approver: { ...approver, door } };
      expect(gradeOf({ ...best, dispute: named })).toEqual({ grade: 'weak', because: ['grounds-approved'] });
    },
  );

  test.each(weak)('V13 no person makes up for %s', (weakness, changed) => {
    expect(gradeOf({ ...sound, dispute, ...changed })).toEqual({ grade: 'weak', because: [weakness] });
  });
});

test('V5 all that makes it weak is named', () => {
  const { because } = gradeOf({ ...best, dependenciesChanged: 3, pointersHome: 1, unreported: ['a'] });
  expect(because).toEqual(['dependencies-changed', 'pointers-home', 'no-tests']);
});

test('V5 checks that ran in the workspace are weak, unless they are from before such checks had a grade', () => {
  expect(gradedChecks({})).toEqual({ grade: 'weak', because: ['in-workspace'] });
  expect(gradedChecks({ ungraded: true })).toBeNull();
  expect(gradedChecks({ proof: best })).toEqual(gradeOf(best));
});
