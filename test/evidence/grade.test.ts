import { expect, test } from 'vitest';
import type { RecordedProof } from '../../machines/recorded-proof.ts';
import { gradeOf, type Weakness } from '../../src/evidence/grade.ts';
import { sound } from './sound-proof.ts';

test('V5 what nothing speaks against is verified: without a control it is no more', () => {
  expect(gradeOf(sound)).toEqual({ grade: 'verified', because: ['no-control'] });
  expect(gradeOf({ ...sound, walls: 'none' }).grade).toBe('verified');
});

const weak: readonly [Weakness, Partial<RecordedProof>][] = [
  ['dependencies-changed', { dependenciesChanged: 1 }],
  ['dependencies-unknown', { dependenciesChanged: null }],
  ['pointers-home', { pointersHome: 1 }],
  ['no-tests', { unreported: ['make check'] }],
];

test.each(weak)('V5 %s makes it weak', (weakness, changed) => {
  expect(gradeOf({ ...sound, ...changed })).toEqual({ grade: 'weak', because: [weakness] });
});

test('V5 all that makes it weak is named', () => {
  const { because } = gradeOf({ ...sound, dependenciesChanged: 3, pointersHome: 1, unreported: ['a'] });
  expect(because).toEqual(['dependencies-changed', 'pointers-home', 'no-tests']);
});
