import { expect, test } from 'vitest';
import type { RecordedProof } from '../../machines/recorded-proof.ts';
import { judgedEvidence, type RecordedEvidence } from '../../src/evidence/judge-evidence.ts';
import { sound } from './sound-proof.ts';

const TURNED = {
  check: 'unit',
  turnedCount: 1,
  turned: [],
  kept: 0,
  fresh: 0,
  lostCount: 0,
  lost: [],
  reportMissing: false,
} as const;
/** All that the rules of today go by. */
const whole: RecordedProof = {
  ...sound,
  tests: [{ ...TURNED, turned: [], lost: [] }],
  toolsChanged: [],
  suppressions: 0,
  testsInSources: [],
  networked: [],
  turnedChecks: [],
  control: { held: ['sum.test.js'], broken: [], unnoticed: [] },
  controls: [{ check: 'unit', by: 'tests', is: 'held' }],
};
const started = {
  base: 'base',
  at: '2026-03-01T12:00:00.000Z',
  head: null,
  protect: [],
  unprotect: [],
  dependencies: [],
};
const CHECKS = [{ level: 'L1', name: 'unit', command: 'npm test', timeoutMs: 1 }] as const;
const settings: RecordedEvidence['settings'] = { checks: [...CHECKS], proof: { ...started, inherited: [] } };
const success = { ending: 'success', verified: { version: 9, workspace: 'work' }, partial: false } as const;

const judged = (proof: RecordedProof | undefined, more: Partial<RecordedEvidence> = {}) => {
  const verification = { passed: true, workspace: 'work', levels: [], ...(proof ? { proof } : {}) };
  return judgedEvidence({ settings, outcome: success, verification, ...more });
};
const without = (member: keyof RecordedProof): RecordedProof => {
  const { [member]: _left, ...rest } = whole;
  return rest as RecordedProof;
};

test('V11 what is recorded whole is called what the grades of today say', () => {
  expect(judged(whole)).toEqual({ today: 'witnessed', because: [] });
  expect(judged({ ...whole, walls: 'none' })).toEqual({ today: 'verified', because: ['no-walls'] });
  expect(judged({ ...whole, dependenciesChanged: 2 })).toMatchObject({ today: 'weak' });
});

test.each([
  ['controls', 'control', 'witnessed'],
  ['toolsChanged', 'tools', 'witnessed'],
  ['suppressions', 'suppressions', 'witnessed'],
  ['testsInSources', 'tests-in-sources', 'witnessed'],
  ['networked', 'network', 'witnessed'],
] as const)('V11 without %s it is unknown, and at most what the rest says', (member, unrecorded, atMost) => {
  expect(judged(without(member))).toMatchObject({ today: 'unknown', unrecorded: [unrecorded], atMost });
});

test('V11 of a run from before each check had a control, the best is as its one control and its compiler say', () => {
  const { controls: _, ...earlier } = whole;
  const unnoticed = { ...earlier, control: { held: [], broken: [], unnoticed: ['sum.test.js'] } };
  expect(judged(unnoticed)).toMatchObject({ atMost: 'verified', because: ['unnoticed-control'] });
  const read = { ...earlier, tests: [], turnedChecks: ['types'] };
  expect(judged(read)).toMatchObject({ atMost: 'verified', because: ['reads-only'] });
});

test('V11 it is unknown where the run did not look at earlier ones, or has no result of its held-out checks', () => {
  const heldOut = { from: '/exam', digest: '', checks: [], tells: 'count' } as const;
  expect(judged(whole, { settings: { ...settings, proof: { ...started } } })).toMatchObject({
    today: 'unknown',
    unrecorded: ['earlier-runs'],
  });
  const asked = { ...settings, proof: { ...started, inherited: [], heldOut: { ...heldOut, checks: [] } } };
  expect(judged(whole, { settings: asked })).toMatchObject({ unrecorded: ['held-out'] });
});

test('V11 a run from before there was a proof is weak, and unknown where its checks cannot be read', () => {
  expect(judged(undefined)).toEqual({ today: 'weak', because: ['in-workspace'] });
  expect(judged(whole, { verification: null })).toMatchObject({ today: 'unknown', unrecorded: ['verification'] });
});

test.each([
  ['checks-failed', { legs: [{ leg: 'base', tree: 'work', passed: false }] }],
  ['unchanged', { unchanged: true }],
  ['lost-tests', { tests: [{ ...TURNED, turned: [], lost: [], lostCount: 1 }] }],
  ['no-report', { tests: [{ ...TURNED, turned: [], lost: [], reportMissing: true }] }],
  ['control', { control: { held: [], broken: ['sum.test.js'], unnoticed: [] } }],
  ['held-out', { heldOut: { checks: 2, failed: 1, ran: [], replaced: 0 } }],
] as const)('V11 a success that would not count today for %s is refused', (because, more) => {
  expect(judged({ ...whole, ...more } as RecordedProof)).toEqual({ today: 'refused', because: [because] });
});

test('V11 what a person approved is weak, though a leg fails and tests are lost', () => {
  const dispute = { is: 'approved', digest: '', diff: '', testsCount: 1, tests: [] } as const;
  const legs = [{ leg: 'base' as const, tree: 'first', passed: false }];
  const tests = [{ ...TURNED, turned: [], lost: [], lostCount: 1 }];
  expect(judged({ ...whole, legs, tests, dispute: { ...dispute, tests: [] } })).toMatchObject({ today: 'weak' });
});

test('V11 a run without a success claims none, and one without checks is unverified', () => {
  expect(judged(whole, { outcome: null })).toEqual({ today: 'none' });
  const limit = { name: 'steps', limit: 3, used: 3 } as const;
  expect(judged(whole, { outcome: { ending: 'cap_hit', limit } })).toEqual({ today: 'none' });
  expect(judged(whole, { outcome: { ...success, verified: null } })).toEqual({ today: 'unverified' });
  expect(judged(whole, { outcome: { ...success, partial: true } })).toEqual({ today: 'unverified' });
});
