import { expect, test } from 'vitest';
import type { RecordedProof } from '../../machines/recorded-proof.ts';
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
  ['pointers-home', { pointersHome: 1 }],
  ['suppressions', { suppressions: 1 }],
  ['tests-in-sources', { testsInSources: ['src/lib.rs'] }],
  ['no-tests', { unreported: ['make check'] }],
  ['grounds-allowed', { allowed: ['sum.test.js'] }],
];

test.each(weak)('V5 %s makes it weak', (weakness, changed) => {
  expect(gradeOf({ ...best, ...changed })).toEqual({ grade: 'weak', because: [weakness] });
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
