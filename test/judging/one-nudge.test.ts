import { expect, test } from 'vitest';
import type { Finding } from '../../machines/outcome.ts';
import { oneNudge, type Told } from '../../src/judging/one-nudge.ts';

const nudge = (detector: string, ...versions: readonly number[]): Finding => ({
  detector,
  level: 'nudge',
  count: versions.length,
  message: 'once more',
  evidence: versions.map((version) => `run-1/${version}`),
});

/** The levels of findings, one after the other. */
function levelsOf(...findings: readonly Finding[]): string[] {
  let told: readonly Told[] = [];
  return findings.map((one) => {
    const noted = oneNudge(one, told);
    ({ told } = noted);
    return noted.finding.level;
  });
}

test('D19 of two detectors that see the same calls the first one speaks', () => {
  const [failing, same] = [nudge('failing-calls', 5, 9, 13, 17), nudge('same-result', 4, 8, 12, 16, 20)];
  expect(levelsOf(failing, same)).toEqual(['nudge', 'observe']);
});

test('D19 one that cites its newest events alone is about the same thing where half of them are', () => {
  const [red, same] = [nudge('standstill', 4, 12, 20, 28, 36), nudge('no-progress', 28, 36, 44, 52)];
  expect(levelsOf(red, same)).toEqual(['nudge', 'observe']);
});

test('D19 of something later in the run the model is told', () => {
  expect(levelsOf(nudge('failing-calls', 5, 9, 13), nudge('same-result', 40, 44, 48))).toEqual(['nudge', 'nudge']);
  expect(levelsOf(nudge('failing-calls', 5, 9), nudge('no-progress', 6, 30, 60, 90))).toEqual(['nudge', 'nudge']);
});

test('D19 refusals and stops are left as they are', () => {
  const stop: Finding = { ...nudge('same-result', 5, 9, 13), level: 'stop' };
  expect(levelsOf(nudge('failing-calls', 5, 9, 13), stop)).toEqual(['nudge', 'stop']);
});

test('D19 a child has stretches of its own', () => {
  const other = { ...nudge('same-result', 5, 9), evidence: ['run-2/5', 'run-2/9'] };
  expect(levelsOf(nudge('failing-calls', 5, 9), other)).toEqual(['nudge', 'nudge']);
});
