import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../machines/settings.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import type { Fact } from '../../src/kernel/effect-handlers.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { DetectorSet } from '../../src/judging/detector-set.ts';
import { noticing } from '../support/noticing.ts';
import * as has from '../support/facts.ts';
import { createHarness } from '../support/harness.ts';
import { ended, history } from '../support/run-history.ts';
import { note } from '../support/stand-ins.ts';

const inPlaces = (...events: readonly Pick<Fact, 'type' | 'payload'>[]): Fact[] =>
  events.map((event, index) => ({ ...event, run: 'run', version: index + 1, at: '2030-01-01T00:00:00.000Z' }) as Fact);

/** Counts what it sees. */
const counting: Detector<number> = {
  name: 'counting',
  init: () => 0,
  step: (count, event) =>
    event.type === 'model.completed'
      ? {
          state: count + 1,
          finding: { detector: 'counting', level: 'observe', count: count + 1, message: 'one more', evidence: [] },
        }
      : { state: count },
};
const watched = (watching: (choices: RunSettings['detectors']) => readonly Detector[], ...facts: Fact[]) => {
  const lookout = new DetectorSet({ detectors: ['default'] }, watching);
  for (const fact of facts) lookout.observe(fact, turnLoop);
  return lookout;
};

describe('what is held against a run', () => {
  test('what was noticed holds until the work goes on', () => {
    const facts = inPlaces(has.modelAnswered, has.modelAnswered);
    expect(watched(() => [counting as Detector], ...facts).findings.map(({ count }) => count)).toEqual([1, 2]);
    const on = inPlaces(has.modelAnswered, has.stepStarted(1), has.modelAnswered);
    expect(watched(() => [counting as Detector], ...on).findings.map(({ count }) => count)).toEqual([2]);
  });

  test('a continuation starts its chosen detectors anew, and they see how the run began', () => {
    const seen: string[] = [];
    const hearing: Detector = {
      name: 'hearing',
      init: () => null,
      step: (state, { type }) => (seen.push(type), { state }),
    };
    const chosen: unknown[] = [];
    const change = {
      ...has.continued(),
      payload: { ...has.continued().payload, detectors: ['strict'] },
    } as typeof has.steered;
    const facts = inPlaces(
      has.turnStarted(),
      has.modelAnswered,
      change,
      has.modelAnswered,
      has.continued(),
      has.modelAnswered,
    );
    const lookout = watched((choices) => (chosen.push(choices), [counting as Detector, hearing]), ...facts);
    expect(lookout.findings.map(({ count }) => count)).toEqual([1]);
    expect(chosen).toEqual([['default'], ['strict'], ['strict']]);
    expect(seen).toEqual([
      'run.started',
      'model.completed',
      'run.started',
      'run.continued',
      'model.completed',
      'run.started',
      'run.continued',
      'model.completed',
    ]);
  });

  test('a continuation that chooses no detectors keeps the choice and the polling that the run began with', () => {
    const asked: unknown[] = [];
    const settings = { detectors: ['strict'], polling: ['npm run wait'] } as Pick<RunSettings, 'detectors' | 'polling'>;
    const lookout = new DetectorSet(settings, (choices, polling) => (asked.push([choices, polling]), []));
    for (const fact of inPlaces(has.turnStarted(), has.continued())) lookout.observe(fact, turnLoop);
    expect(asked).toEqual([
      [['strict'], ['npm run wait']],
      [['strict'], ['npm run wait']],
    ]);
  });

  test('a loop says what its own facts mean to detectors, who see the facts of every loop as they are', () => {
    const seen: string[] = [];
    const hearing: Detector = {
      name: 'hearing',
      init: () => null,
      step: (state, { type }) => (seen.push(type), { state }),
    };
    const lookout = new DetectorSet({ detectors: ['default'] }, () => [hearing]);
    const loop = { rounds: turnLoop.rounds, observe: () => [{ kind: 'message', text: '' }] as const };
    for (const fact of inPlaces(has.turnStarted(), has.stepStarted(0), has.steered)) lookout.observe(fact, loop);
    expect(seen).toEqual(['run.started', 'model.completed', 'run.steered']);
  });

  test('D7 more words of a person forgive a stop: it is noted, no more; nothing else is forgotten', () => {
    const both = (level: 'stop' | 'nudge') => noticing('model.completed', level, level);
    const facts = inPlaces(has.modelAnswered, has.steered);
    const lookout = watched(() => [both('stop'), both('nudge')], ...facts);
    expect(lookout.findings.map(({ detector, level }) => `${detector} ${level}`)).toEqual([
      'stop observe',
      'nudge nudge',
    ]);
    const answered = watched(() => [both('stop')], ...inPlaces(has.modelAnswered, has.personAnswered('0.0')));
    expect(answered.findings.map(({ level }) => level)).toEqual(['stop']);
  });
});

describe('a detector that throws', () => {
  const broken = (isBroken: () => boolean): Detector => ({
    name: 'broken',
    init: () => null,
    step: (state, { type }) => {
      if (isBroken() && type === 'model.completed') throw new TypeError('no such field');
      return { state };
    },
  });

  test('stops the run with its name and place, and the run can be resumed once it is fixed', async () => {
    let isBroken = true;
    const harness = createHarness({
      model: { answers: [{ text: 'done' }] },
      tools: [note],
      detectors: [broken(() => isBroken)],
    });
    const { run, done } = await harness.start();
    await expect(done).rejects.toMatchObject({
      name: 'DetectorError',
      detector: 'broken',
      message:
        `detector broken failed on model.completed (${run}/4): no such field. ` +
        'Fix it or leave it out, and resume the run.',
    });
    expect((await history(harness.log, run)).map(({ type }) => type)).not.toContain('model.completed');
    isBroken = false;
    expect((await ended(await harness.resume(run))).outcome.ending).toBe('success');
  });
});
