import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { ImprovementReport } from '../../../src/loops/improvement/report/improvement-report.ts';
import * as is from '../../support/facts.ts';
import * as has from './night-facts.ts';
import { recordedNight } from './recorded-night.ts';
import { sampleNight } from './sample-night.ts';
import { approvedNight, CANNOT, CUT, cutNight, witnessedNight } from './witnessed-night.ts';

function nightIn(events: readonly LoopEvent[]) {
  const report = new ImprovementReport();
  for (const fact of recordedNight(events)) report.observe(fact);
  return report.data();
}

test('I8 the data of a report has numbers where the page has texts', () => {
  const night = nightIn(sampleNight());
  expect(night).toMatchObject({
    run: 'night',
    prompt: 'Keep the public interface.',
    startedAt: '2026-03-01T22:00:00.000Z',
    tookMs: 38_000,
    ending: { outcome: 'success', name: 'success', grade: null, reason: 'nothing else is to be found' },
    options: { costTracking: true, minRelevanceScore: 0.6, experiments: true },
    counts: { iterations: 3, improvements: 1, rate: 1 / 3 },
    lastSearch: { iteration: 3, belowMinimum: 1, best: 0.65, beyond: 0 },
    costs: { tokens: { discovery: 18_300, filter: 2_400, total: 204_700 }, nanoUsd: { discovery: 1_810_000 } },
  });
  expect(night.iterations.map(({ number, result, found, tried }) => ({ number, result, found, tried }))).toEqual([
    { number: 1, result: 'improvement-found', found: 5, tried: 2 },
    { number: 2, result: 'error', found: 2, tried: 1 },
    { number: 3, result: 'no-candidates', found: 1, tried: 0 },
  ]);
  expect(night.iterations[1]).toMatchObject({
    error: 'the provider answers 500',
    known: 1,
    belowMinimum: 1,
    durationMs: 6_000,
    tokens: { discovery: 9_300, experiment: 30_000, total: 39_300 },
    costNanoUsd: { total: 8_910_000 },
  });
  expect(night.sources.find(({ source }) => source === 'lint')).toEqual({
    source: 'lint',
    found: 0,
    tried: 0,
    kept: 0,
    failures: 1,
    fault: 'lint: command not found',
  });
  expect(night.measured).toMatchObject([
    { iteration: 1, tier: 'benchmark parse', passed: true, ratio: 0.712, pairs: 9 },
  ]);
  expect(JSON.parse(JSON.stringify(night))).toEqual(night);
});

test('I13 a kept change has its witness and its grade with the reason, and the ending the same grade', () => {
  const { kept, ending } = nightIn(witnessedNight());
  expect(kept).toEqual([
    {
      iteration: 1,
      finding: {
        id: 'failing-tests-1',
        title: 'Test fails: adds',
        source: 'failing-tests',
        file: 'test/sum.test.js',
      },
      witness: { kind: 'test', text: 'Test fails: adds' },
      grade: 'witnessed',
      because: 'red before, and passes now: Test fails: adds',
      commit: 'c0ffeefailing-tests-1'.padEnd(40, '0'),
      branch: 'loopfold/night',
      files: [{ path: 'src/clock.ts', added: 3, removed: 1 }],
      change: 'change-failing-tests-1',
    },
  ]);
  expect(ending).toMatchObject({ outcome: 'success', name: 'success, witnessed', grade: 'witnessed' });
});

test('I13 what a person approved is kept as not regressed, and no tier has refused it', () => {
  const { kept, notShown, refused, tiers, ending } = nightIn(approvedNight());
  expect(kept).toMatchObject([{ grade: 'not regressed', because: 'no acceptance test was written for it' }]);
  expect([notShown, refused, ending]).toEqual([[], [], null]);
  expect(tiers.find(({ tier }) => tier === 'witness')).toMatchObject({ passed: 0, refused: [] });
});

test('I13 a change that nothing shows is not among the refused: it has its branch and the reason', () => {
  const { notShown, refused } = nightIn(witnessedNight());
  expect(notShown).toMatchObject([
    {
      iteration: 1,
      finding: { title: 'The page loads faster' },
      witness: { kind: 'none' },
      because: 'no acceptance test was written for it',
      branch: 'loopfold/night-items-2',
      commit: 'abad1dea'.padEnd(40, '0'),
      change: 'change-items-2',
    },
  ]);
  expect(refused.map(({ finding }) => finding.id)).not.toContain('items-2');
  const lost = has.evaluated('a', 'witness', {
    reason: 'not shown: no test; no branch keeps it: it changes nothing',
    grade: 'not regressed',
    because: 'no test',
  });
  const begun = [has.nightStarted(), is.iterationStarted(0), has.discovered(['a']), has.filtered(['a'])];
  expect(nightIn([...begun, has.experimented('a'), has.preparedFor('a'), lost]).notShown).toMatchObject([
    { because: 'not shown: no test; no branch keeps it: it changes nothing', branch: null, commit: null },
  ]);
});

test('I14 what was refused says how its experiment ended, and whether a later iteration continues it', () => {
  const { refused } = nightIn(witnessedNight());
  expect(refused.map(({ finding, by, ended, goesOn }) => [finding.id, by, ended, goesOn])).toEqual([
    ['todos-3', 'L1/unit', CUT, true],
    ['todos-3', 'resolves', 'its agent has finished', false],
    ['items-4', 'ended', CANNOT, false],
  ]);
});

test('I14 an experiment that was cut too often does not go on', () => {
  const again = cutNight().slice(1);
  const often = [0, 1, 2, 3].flatMap((iteration) => [is.iterationStarted(iteration), ...again.slice(1)]);
  const { refused } = nightIn([has.nightStarted(), ...often]);
  expect(refused.map(({ goesOn }) => goesOn)).toEqual([true, true, true, false]);
});

test('I15 a budget without room for the first iteration gives one that exceeded it, at no cost', () => {
  const { iterations, counts, ending } = nightIn([has.nightStarted(), is.decidedToEnd('budget'), is.strategyEnded]);
  expect(counts).toEqual({ iterations: 1, improvements: 0, rate: 0 });
  expect(iterations).toMatchObject([
    { number: 1, result: 'budget-exceeded', durationMs: 0, found: 0, tried: 0, tokens: { total: 0 } },
  ]);
  expect(ending).toMatchObject({ outcome: 'budget', grade: null });
});
