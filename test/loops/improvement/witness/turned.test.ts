import { expect, test } from 'vitest';
import type { Witness } from '../../../../machines/improvement-facts.ts';
import type { RecordedProof } from '../../../../machines/recorded-proof.ts';
import { turnedBy } from '../../../../src/loops/improvement/witness/turn-of-tests.ts';

const PROOF: RecordedProof = {
  base: 'tree-1',
  legs: [],
  grounds: [],
  groundsChanged: 0,
  walls: 'full',
  dependenciesChanged: 0,
  tests: [],
  unreported: ['lint'],
  unchanged: false,
  pointersHome: 0,
};
const shown = (kind: Witness['kind'], proof: Partial<RecordedProof> = {}, held = ['a.test.js'], isAlone = true) =>
  turnedBy({ kind, text: 'adds' }, { proof: { ...PROOF, ...proof }, file: 'a.test.js', held, isAlone });

test('I12 I13 a witness that turned, with its control, shows it, though another check names no tests or is red', () => {
  expect(shown('test')).toEqual({ turned: true, because: 'red before, and passes now: adds' });
  expect(shown('acceptance', { legs: [{ leg: 'base', tree: 'tree-2', passed: false }] }).turned).toBe(true);
  expect(shown('error', {}, []).turned).toBe(true);
  expect(shown('interval', {}, []).turned).toBe(true);
});

test.each([
  ['there is no witness', shown('none'), 'adds'],
  ['no test that must fail ran in its file', shown('test', {}, ['b.test.js']), 'no test that must fail'],
  ['no test that must fail ran at all', shown('acceptance', {}, []), 'no test that must fail'],
  ['installed dependencies have changed', shown('error', { dependenciesChanged: 1 }), 'dependencies have changed'],
  ['a program of a check has changed', shown('test', { toolsChanged: ['make'] }), 'make'],
  ['what is installed leads back into the workspace', shown('test', { pointersHome: 1 }), 'leads back'],
  ['changed tests were let count', shown('test', { allowed: ['a.test.js'] }), 'let count'],
  ['nothing is known of dependencies', shown('test', { dependenciesChanged: null }), 'not known'],
])('I12 nothing is shown where %s', (_, { turned, because }, why) => {
  expect([turned, because]).toEqual([false, expect.stringContaining(why)]);
});

test('I12 beside other experiments unknown times of dependencies are not held against it', () => {
  expect(shown('test', { dependenciesChanged: null }, ['a.test.js'], false).turned).toBe(true);
  expect(shown('test', { dependenciesChanged: 2 }, ['a.test.js'], false).turned).toBe(false);
});
