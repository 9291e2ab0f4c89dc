import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  controlOf,
  evaded,
  type JudgedFile,
  judgeControl,
  pathsByOutcome,
} from '../../src/evidence/control/judge-control.ts';
import type { TestResult } from '../../src/evidence/test-list.ts';

const ran = (name: string, result: TestResult['result']): TestResult => ({ file: null, name, occurrence: 1, result });
const file = { path: 'test/sum.test.js', labels: ['k1x0x', 'k1x1x'], pairs: [] };
const bare = { ...file, labels: ['k1x0x'] };
const failed = file.labels.map((label) => ran(label, 'failed'));

test.each<readonly [string, readonly TestResult[], boolean]>([
  ['all of them failed', [ran('k1x0x', 'failed'), ran('sums > test_k1x1x', 'failed')], false],
  ['one passed', [ran('k1x0x', 'failed'), ran('k1x1x', 'passed')], true],
  ['one was skipped', [ran('k1x0x', 'failed'), ran('k1x1x', 'skipped')], true],
  ['one was not reported', [ran('k1x0x', 'failed'), ran('k1x11x', 'failed')], true],
  ['one was reported twice', [ran('k1x0x', 'failed'), ran('k1x1x', 'failed'), ran('k1x1x', 'passed')], true],
])('V4 a control where %s', (_what, tests, hasEvaded) => {
  expect(evaded([file], tests)).toEqual(hasEvaded ? [file] : []);
});

const IS = ['held', 'broken', 'unnoticed', 'bare'] as const;

test('V4 each file is held, broken or unnoticed, and broken only where the start noticed it', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), fc.boolean(), (failing, isAtStart) => {
      const labels = failing.map((_, index) => `k${index}x`);
      const onWork = labels.map((label, index) => ran(label, failing[index] ? 'failed' : 'passed'));
      const atStart = isAtStart ? labels.map((label) => ran(label, 'failed')) : [];
      const [judged] = judgeControl([{ path: 'a', labels: ['k_x', ...labels], pairs: [] }], {
        onWork: [ran('k_x', 'failed'), ...onWork],
        atStart: [...(isAtStart ? [ran('k_x', 'failed')] : []), ...atStart],
      });
      const fails = labels.length === 0 ? 'bare' : 'held';
      const evades = isAtStart ? 'broken' : 'unnoticed';
      expect(judged?.is).toBe(failing.every(Boolean) ? fails : evades);
    }),
  );
});

const pairs = [
  { form: 'same', twin: 'k1x2x', changed: 'k1x3x' },
  { form: 'same', twin: 'k1x4x', changed: 'k1x5x' },
  { form: 't.is', twin: 'k1x6x', changed: 'k1x7x' },
];
const PASSED = { p: 'passed', f: 'failed', s: 'skipped' } as const;
type Letter = keyof typeof PASSED;
/** Two letters for each pair: what its twin came to, and the changed one. `-`: not reported. */
const ranPairs = (letters: string): readonly TestResult[] => [
  ...failed,
  ...letters.split(' ').flatMap((pair, index) =>
    [...pair].flatMap((letter, at) => {
      const { twin, changed } = pairs[index] ?? { twin: '', changed: '' };
      return letter === '-' ? [] : [ran(`adds ${at === 0 ? twin : changed}`, PASSED[letter as Letter])];
    }),
  ),
];

test.each<readonly [string, string, string, JudgedFile['is']]>([
  ['every changed copy failed beside its twin', 'pf pf pf', '-- -- --', 'held'],
  ['one of each form did, and another passed unseen', 'pf pp pf', '-- ff --', 'held'],
  ['a changed copy passed that fails at the start', 'pp pf pf', 'pf pf pf', 'broken'],
  ['a changed copy was skipped that fails at the start', 'ps pf pf', 'pf pf pf', 'broken'],
  ['a changed copy went unreported that fails at the start', 'p- pf pf', 'pf pf pf', 'broken'],
  ['all of a form passed, and at the start their twins fail', 'pp pp pf', 'ff ff pf', 'unnoticed'],
  ['all of a form passed, and at the start nothing was reported', 'pp pp pf', '-- -- --', 'unnoticed'],
  ['all of a form pass at the start, too: it asserts nothing', 'pp pp pf', 'pp pp pf', 'held'],
  ['a changed copy that passes at the start went unreported', 'p- p- pf', 'pp pp pf', 'unnoticed'],
  ['no twin passed', 'ff -- sf', '-- -- --', 'bare'],
])('V15 a file without a known assertion is judged by pairs: %s', (_what, onWork, atStart, is) => {
  const tests = { onWork: ranPairs(onWork), atStart: ranPairs(atStart) };
  expect(judgeControl([{ ...bare, pairs }], tests)).toEqual([{ path: bare.path, is }]);
});

test('V15 a known assertion that failed is enough where no twin passed, and not where a pair says otherwise', () => {
  const judged = (onWork: string) =>
    judgeControl([{ ...file, pairs }], { onWork: ranPairs(onWork), atStart: ranPairs('-- -- --') })[0]?.is;
  expect(judged('ff ff ff')).toBe('held');
  expect(judged('pp pp ff')).toBe('unnoticed');
});

test('V15 the start has to run where a changed copy did not fail beside a twin that passed, and not else', () => {
  const isDoubtful = (letters: string) => evaded([{ ...file, pairs }], ranPairs(letters)).length > 0;
  expect(['pf pf pf', 'ff fp --', 'sp -p fp'].map(isDoubtful)).toEqual([false, false, false]);
  expect(['pp pf pf', 'pf p- pf', 'pf pf ps'].map(isDoubtful)).toEqual([true, true, true]);
});

test('V15 a control that no copy evaded is held, whatever the start shows', () => {
  const letters = fc.constantFrom('p', 'f', 's', '-');
  const some = fc.array(
    fc.tuple(letters, letters).map((pair) => pair.join('')),
    { minLength: 3, maxLength: 3 },
  );
  fc.assert(
    fc.property(some, some, (one, other) => {
      const [onWork, atStart] = [ranPairs(one.join(' ')), ranPairs(other.join(' '))];
      const [judged] = judgeControl([{ ...file, pairs }], { onWork, atStart });
      const isCertain = evaded([{ ...file, pairs }], onWork).length === 0;
      if (isCertain) expect(judged?.is).toBe('held');
      if (judged?.is === 'broken') expect(isCertain).toBe(false);
    }),
  );
});

test('V15 one broken file breaks the control of a check, else one held file holds it', () => {
  const files = fc.array(fc.constantFrom(...IS).map((is) => ({ path: is, is })));
  fc.assert(
    fc.property(files, (judged) => {
      const has = (is: JudgedFile['is']) => judged.some((one) => one.is === is);
      const first = (['broken', 'held', 'unnoticed', 'bare'] as const).find(has);
      expect(controlOf(judged)).toBe(first ?? 'none');
      expect(controlOf(judged.toReversed())).toBe(controlOf(judged));
      const { held, broken, unnoticed } = pathsByOutcome(judged);
      expect([...held, ...broken, ...unnoticed]).toHaveLength(judged.length);
    }),
  );
});
