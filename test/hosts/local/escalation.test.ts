import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { noticing } from '../../support/noticing.ts';
import { createHarness } from '../../support/harness.ts';
import { ended } from '../../support/run-history.ts';
import { note } from '../../support/stand-ins.ts';
import { ask, factsOf, leftWaiting, office, request, untilWaiting } from './office.ts';

const stops = { detectors: [noticing('model.completed', 'stop')] };

test('no answer of a person lifts a stop, also not in another process', async () => {
  const harness = office({ answers: [{ calls: [ask('May I go on?')] }, { text: 'done' }] }, stops);
  const run = await leftWaiting(harness);
  expect(await harness.loops().answer(run, { text: 'yes, always' })).toMatchObject({ kind: 'received' });
  const over = { kind: 'over', outcome: { ending: 'doom_loop', finding: { detector: 'own' } } };
  expect(await harness.loops().resume(run)).toMatchObject(over);
  expect(harness.requests).toHaveLength(1);
});

test('no leave that is granted lifts a stop', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'loopfold-')), 'notes.txt');
  writeFileSync(path, 'x');
  const harness = office({ answers: [{ calls: [request(path)] }, { text: 'done' }] }, stops);
  const live = await harness.start();
  await untilWaiting(live);
  expect(await harness.loops().grant(live.run, { granted: true })).toMatchObject({ kind: 'received' });
  expect((await ended(live)).outcome).toMatchObject({ ending: 'doom_loop' });
  expect(await factsOf(harness.log, live.run, 'person.answered')).toMatchObject([
    { payload: { access: { granted: true } } },
  ]);
  expect(harness.requests).toHaveLength(1);
});

test('a program brings detectors of its own, which watch beside those a run has chosen', async () => {
  const harness = office({ answers: [{ text: 'done' }] }, { detectors: [noticing('model.completed', 'observe')] });
  const live = await harness.start({ detectors: ['off'] });
  await ended(live);
  const decisions = await factsOf(harness.log, live.run, 'decision.made');
  expect(decisions.at(-1)?.payload.findings).toMatchObject([{ detector: 'own', level: 'observe' }]);
});

const again = { tool: 'list', arguments: { path: '.' } };

test.each([
  [['chant'], 'doom_loop', 'identical-calls'],
  [['chant', '-identical-calls'], 'cap_hit', undefined],
])('T7 D0 with the detectors %j, the same call over and over ends in %s', async (detectors, ending, detector) => {
  const harness = office({ answers: [{ calls: [again], repeat: 9 }] });
  const live = await harness.start({
    detectors,
    tools: ['list'],
    maxSteps: 5,
    directory: mkdtempSync(join(tmpdir(), 'loopfold-')),
  });
  const { outcome } = await ended(live);
  expect(outcome.ending).toBe(ending);
  expect(outcome.ending === 'doom_loop' ? outcome.finding.detector : undefined).toBe(detector);
});

test('T7 D0 a continuation that names detectors has it too; one that names none keeps its run’s', async () => {
  const harness = office({ answers: [{ calls: [again], repeat: 9 }] });
  const given = { tools: ['list'], directory: mkdtempSync(join(tmpdir(), 'loopfold-')) };
  const live = await harness.start({ ...given, detectors: ['chant', '-identical-calls'], maxSteps: 5 });
  await ended(live);
  const extended = async (detectors?: string[]) => {
    const next = await harness.loops().extend(live.run, { maxSteps: 9, ...(detectors ? { detectors } : {}) });
    return next.kind === 'live' ? (await ended(next.live)).outcome.ending : next.kind;
  };
  expect(await extended()).toBe('cap_hit');
  expect(await extended(['chant'])).toBe('doom_loop');
});

test('T7 a run recorded without D0 is judged again without it, and with it under a new choice', async () => {
  const harness = createHarness({
    tools: [note],
    model: ({ step }) => (step < 5 ? { calls: [{ tool: 'note', arguments: {} }] } : { text: 'done' }),
  });
  const { run, outcome } = await harness.play({ detectors: ['chant'] });
  expect(outcome.ending).toBe('success');
  const loops = new Loops({ log: harness.log });
  expect(await loops.redecide(run, {})).toMatchObject({ kind: 'redecided', tree: { conclusion: 'agrees' } });
  expect(await loops.redecide(run, { detectors: ['chant'] })).toMatchObject({
    kind: 'redecided',
    tree: { conclusion: 'stops_earlier' },
  });
});

test.each([
  [['defualt'], 'detectors[0]', 'one of: default, strict, off'],
  [['default', { name: 'no-progress', config: { nudge: 40 } }], 'detectors[1].config.nudge', 'less than `stop`'],
  [[{ name: 'cycles', config: { stop: -1 } }], 'detectors[0].config.stop', 'what the detector cycles takes'],
  [[{ name: 'workspace-hash', config: { keep: 2 } }], 'detectors[0].config.repeats', 'at most `keep`'],
  [[{ name: 'similar-output', config: { threshold: 95 } }], 'detectors[0].config.threshold', 'a number from 0 to 1'],
  [[{ name: 'chant', config: { widow: 4 } }], 'detectors[0].config.widow', 'what the detector chant takes'],
])('what is no choice of detectors is refused before there is a run: %j', async (detectors, field, expected) => {
  const log = memoryLog();
  const start = new Loops({ log }).start({ prompt: 'x', detectors: detectors as string[] });
  await expect(start).rejects.toMatchObject({
    name: 'OptionsError',
    faults: [{ field, expected: expect.stringContaining(expected) }],
  });
  expect(await log.runs()).toEqual([]);
});
