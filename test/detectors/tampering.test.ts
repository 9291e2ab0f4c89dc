import { expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { GroundChange, RecordedProof } from '../../machines/recorded-proof.ts';
import { tampering } from '../../src/detectors/tampering.ts';
import { nudges } from '../../src/judging/judge-in-order.ts';
import { checked, disputed, iterationStarted } from '../support/facts.ts';
import { findingsAt, foundIn } from './folding.ts';

const REMOVED: GroundChange = { path: 'test/sum.test.js', how: 'restored' };
const SCRIPTS: GroundChange = { path: 'package.json', how: 'keys', keys: ['scripts'] };
const ADDED: GroundChange = { path: 'test/more.test.js', how: 'absent' };

function verified(grounds: readonly GroundChange[], more: Partial<RecordedProof> = {}): LoopEvent {
  const { type, payload } = disputed('digest');
  const { dispute: _, ...proof } = payload.proof as RecordedProof;
  return {
    type,
    payload: { ...payload, proof: { ...proof, grounds: [...grounds], groundsChanged: grounds.length, ...more } },
  };
}

test('D15 work that changed what its checks rest on is told which changes do not count, and is never ended', () => {
  const found = findingsAt(tampering(), [iterationStarted(0), verified([REMOVED, SCRIPTS, ADDED])]);
  expect(found).toEqual([
    null,
    {
      detector: 'tampering',
      level: 'nudge',
      count: 3,
      message:
        'the work changed files that its checks rest on, and the checks ran without these changes: ' +
        'test/sum.test.js, package.json (scripts), test/more.test.js (new)',
      evidence: ['run/2'],
    },
  ]);
});

test('D15 the same changes are told once, others again', () => {
  const facts = [
    verified([REMOVED]),
    verified([REMOVED]),
    verified([REMOVED, ADDED]),
    verified([]),
    verified([REMOVED]),
  ];
  expect(findingsAt(tampering(), facts).map((finding) => finding?.count ?? 0)).toEqual([1, 0, 2, 0, 1]);
});

test('D15 changes that a person has approved count, and checks in the workspace say nothing of them', () => {
  const dispute = { is: 'approved' as const, digest: '', diff: '', tests: [], testsCount: 0 };
  expect(foundIn(tampering(), [verified([REMOVED], { dispute }), verified([]), checked(true)])).toEqual([]);
});

test.each<[string, GroundChange['how'], boolean]>([
  ['test/more.test.js', 'absent', false],
  ['tests/more.rs', 'absent', false],
  ['pkg/more_test.go', 'absent', false],
  ['test/__snapshots__/more.test.js.snap', 'absent', false],
  ['test/more.test.js', 'restored', true],
  ['vitest.config.ts', 'absent', true],
  ['tests/conftest.py', 'absent', true],
  ['src/__mocks__/net.ts', 'absent', true],
  ['test/.mocharc.json', 'absent', true],
  ['test/package.json', 'absent', true],
  ['.npmrc', 'absent', true],
])('D15 tests that were only added are not told of: %s %s', (path, how, isTold) =>
  expect(foundIn(tampering(), [verified([{ path, how }])])).toHaveLength(isTold ? 1 : 0),
);

test('D15 more changes than are named are told of, whatever those are', () =>
  expect(foundIn(tampering(), [verified([ADDED], { groundsChanged: 2 })])).toHaveLength(1));

test('D15 of a thousand changed files five are named, and the others counted', () => {
  const grounds = Array.from({ length: 9 }, (_, index) => ({ ...REMOVED, path: `test/${index}.test.js` }));
  const [finding] = foundIn(tampering(), [verified(grounds, { groundsChanged: 1_000 })]);
  expect(finding?.message).toMatch(/test\/4\.test\.js and 995 more$/);
  expect(finding?.message).not.toContain('test/5.test.js');
});

test('D15 a model reads it as it is, and not as a circle', () => {
  const findings = foundIn(tampering(), [verified([REMOVED])]);
  expect(nudges({ findings })).toEqual([
    'The work changed files that its checks rest on, and the checks ran without these changes: test/sum.test.js.',
  ]);
});
