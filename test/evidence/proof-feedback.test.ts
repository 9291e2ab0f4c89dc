import { expect, test } from 'vitest';
import type { LevelResult } from '../../machines/events.ts';
import type { RecordedProof } from '../../machines/recorded-proof.ts';
import { checkedTests } from '../../src/evidence/tests-of-checks.ts';
import { type Proven, withProof } from '../../src/evidence/proof-feedback.ts';
import { sound } from './sound-proof.ts';

const check = { name: 'unit', passed: true, output: '', exitCode: 0, durationMs: 5 };
const green: LevelResult[] = [{ level: 'L1', passed: true, checks: [check] }];
const red: LevelResult[] = [{ level: 'L1', passed: false, checks: [{ ...check, passed: false, exitCode: 1 }] }];
const legs = (base: boolean, work?: boolean): RecordedProof['legs'] => [
  { leg: 'base', tree: 'first', passed: base },
  ...(work === undefined ? [] : [{ leg: 'work' as const, tree: 'work', passed: work }]),
];
const proven = (changed: Partial<RecordedProof> = {}, more: Partial<Proven> = {}): Proven => ({
  proof: { ...sound, legs: legs(true), ...changed },
  tests: [],
  providedChanged: [],
  uncaptured: [],
  moved: false,
  canAsk: true,
  ...more,
});
const said = (levels: readonly LevelResult[]) => levels.at(-1)?.checks.find(({ name }) => name === 'proof');

test('V2 checks that pass on both legs stand as they are, and so do those that fail on unchanged grounds', () => {
  expect(withProof(green, proven())).toEqual(green);
  expect(withProof(red, proven({ legs: legs(false) }))).toEqual(red);
});

test('V4 tests that the work wrote to while they ran are named, and nothing passes', () => {
  const levels = withProof(green, proven({ touched: ['test/sum.test.js'] }));
  expect(levels.at(-1)?.passed).toBe(false);
  expect(said(levels)?.output).toContain('- test/sum.test.js');
});

test('V6 where no person is asked, the model is told so', () => {
  const dispute = { is: 'told', digest: '', diff: '', testsCount: 0, tests: [] } as const;
  const disputed = { legs: legs(false, true), groundsChanged: 1, dispute: { ...dispute, tests: [] } };
  expect(said(withProof(red, proven(disputed)))?.output).toContain('a person will decide');
  const output = said(withProof(red, proven(disputed, { canAsk: false })))?.output;
  expect(output).toContain('no person is asked');
  expect(output).not.toContain('will decide');
});

test('V3 provided files that are not what they were are named, and nothing passes', () => {
  const levels = withProof(green, proven({}, { providedChanged: ['.env.test'] }));
  expect(levels.map(({ passed }) => passed)).toEqual([false]);
  expect(said(levels)?.output).toMatch(/Put them back as they were: \.env\.test$/);
});

test('V2 checks that fail with the grounds of the base say which changes do not count', () => {
  const grounds: RecordedProof['grounds'] = [
    { path: 'package.json', how: 'keys', keys: ['scripts'] },
    { path: 'test/a.js', how: 'restored' },
    { path: 'test/new.js', how: 'absent' },
  ];
  const levels = withProof(red, proven({ legs: legs(false), grounds, groundsChanged: 4 }));
  expect(said(levels)).toMatchObject({ passed: false });
  expect(said(levels)?.output.split('\n').slice(1)).toEqual([
    '- package.json (scripts)',
    '- test/a.js',
    '- test/new.js (new: left out)',
    '- and 1 more',
  ]);
});

test('V2 work that fails with its own grounds alone says so', () => {
  const levels = withProof(red, proven({ legs: legs(true, false), groundsChanged: 1 }));
  expect(said(levels)?.output).toContain('with your own changes of them (1) they fail');
});

test('V1 work that is the base proves nothing where the base is green', () => {
  const levels = withProof(green, proven({ unchanged: true }));
  expect(levels.every(({ passed }) => passed)).toBe(false);
  expect(said(levels)?.output).toContain('Nothing has changed since the run began');
});

test('V4 lost tests and cut reports fail the level, by name', () => {
  const base = new Map([['unit', { complete: true, tests: [1, 2].map(numbered) }]]);
  const leg = { checks: [check], tests: new Map([['unit', { complete: true, tests: [numbered(1)] }]]) };
  const levels = withProof(green, proven({}, { tests: checkedTests(base, leg, null) }));
  expect(said(levels)?.output).toBe(
    'Tests of unit that were there when the run began do not pass:\n- was not run: a.test.js: test 2',
  );
  const cut = { ...leg, tests: new Map([['unit', { complete: false, tests: [1, 2].map(numbered) }]]) };
  const ofCut = withProof(green, proven({}, { tests: checkedTests(base, cut, null) }));
  expect(said(ofCut)?.output).toBe('unit ended before its test runner had reported all tests.');
  const ofNone = withProof(green, proven({}, { tests: checkedTests(base, { ...leg, tests: new Map() }, null) }));
  expect(said(ofNone)?.output).toMatch(/^unit names its tests no more: .*lines that look like tests/);
});

const numbered = (number: number) => ({
  file: 'a.test.js',
  name: `test ${number}`,
  occurrence: 1,
  result: 'passed' as const,
});

test('V3 a workspace that is another one after the checks is not what they have passed on', () => {
  expect(said(withProof(green, proven({}, { moved: true })))?.output).toContain('have changed while they were checked');
});

test('V3 what the checks ran without is named where they fail, and changes no verdict', () => {
  const uncaptured = [{ path: '.env.js', because: 'it looks secret' }];
  const levels = withProof(red, proven({ legs: legs(false) }, { uncaptured }));
  expect(said(levels)?.output).toContain('so the checks ran without them');
  expect(said(levels)?.output).toContain('- .env.js: it looks secret');
  expect(withProof(green, proven({}, { uncaptured }))).toEqual(green);
});
