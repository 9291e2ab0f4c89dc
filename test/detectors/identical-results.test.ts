import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { identicalCallsKind } from '../../src/detectors/identical-calls.ts';
import type { TraitsOf } from '../../src/detectors/traits.ts';
import { noTraits } from '../../src/detectors/traits.ts';
import { detectorContract } from './detector.contract.ts';
import { soupTraits } from './event-soup.ts';
import {
  asks,
  call,
  done,
  failed,
  foundIn,
  levelsIn,
  lost,
  read,
  refused,
  steered,
  step,
  times,
} from './turn-story.ts';

const counting = (config: object = {}, traits: TraitsOf = noTraits) =>
  identicalCallsKind.create(identicalCallsKind.config.parse({ results: 'count', ...config }), traits);
const status = call('shell', { command: 'gh run view 71' });

detectorContract('identical-calls where results count', () => counting({}, soupTraits));

describe('T7 D0+ identical calls whose results count', () => {
  test('T7 D0+ the third identical call with the same result is a stop, when its result is there', () => {
    const facts = times(3, () => step(status, done('queued')));
    expect(levelsIn(counting(), facts)).toEqual(['stop at 6']);
    expect(foundIn(counting(), facts)).toEqual([
      {
        detector: 'identical-calls',
        level: 'stop',
        count: 3,
        message: 'the same call with the same result 3 times in a row: shell',
        evidence: ['run-1/1', 'run-1/3', 'run-1/5'],
      },
    ]);
  });

  test('T7 D0+ while each result is new, nothing is said, however often the call is made', () => {
    expect(
      levelsIn(
        counting(),
        times(60, (index) => step(status, done(`${index} of 60 jobs done`))),
      ),
    ).toEqual([]);
  });

  test('T7 D0+ where known results take turns, the third call is a nudge, said once, and the tenth a stop', () => {
    const facts = times(13, (index) => step(status, done(index % 2 ? 'queued' : 'running')));
    // The second result is new, so the row begins with it.
    expect(levelsIn(counting(), facts)).toEqual(['nudge at 8', 'stop at 22', 'stop at 24', 'stop at 26']);
    const [nudge] = foundIn(counting(), facts);
    expect(nudge?.message).toBe('the same call 3 times in a row, and its results only take turns: shell');
  });

  test('T7 D0+ results that differ only in what is new each time are the same', () => {
    const facts = times(3, (index) => step(status, done(`queued at 10:00:0${index}, took ${index} ms`)));
    expect(levelsIn(counting(), facts)).toEqual(['stop at 6']);
  });

  test('T7 D0+ a result that no longer changes is a stop at the threshold, counted from its first time', () => {
    const results = ['queued', 'running', 'building', 'failed', 'failed', 'failed'];
    const facts = results.flatMap((said) => step(status, done(said)));
    expect(levelsIn(counting(), facts)).toEqual(['stop at 12']);
  });

  test('T7 D0+ another call between ends the row, also of calls whose results change', () => {
    const facts = times(9, (index) => (index % 3 === 2 ? step(read('a')) : step(status, done(`${index} done`))));
    expect(levelsIn(counting(), facts)).toEqual([]);
  });

  test('T7 D0+ `changing` sets the stop of results that take turns; less than the threshold is the threshold', () => {
    const facts = times(7, (index) => step(status, done(index % 2 ? 'queued' : 'running')));
    expect(levelsIn(counting({ changing: 5 }), facts)).toEqual(['nudge at 8', 'stop at 12', 'stop at 14']);
    expect(levelsIn(counting({ threshold: 4, changing: 2 }), facts)).toEqual([
      'stop at 10',
      'stop at 12',
      'stop at 14',
    ]);
  });

  test('T7 D0+ refused calls and failed ones have results too, and those of one answer are one', () => {
    const none = times(3, (): LoopEvent[] => [asks(status), refused()]);
    expect(levelsIn(counting(), none)).toEqual(['stop at 6']);
    expect(
      levelsIn(
        counting(),
        times(3, () => step(status, failed())),
      ),
    ).toEqual(['stop at 6']);
    const parallel = [asks(status, status, status), done('a', 2), done('a', 0), done('a', 1)];
    expect(levelsIn(counting(), parallel)).toEqual([]);
    expect(
      foundIn(
        counting(),
        times(3, () => parallel),
      ),
    ).toMatchObject([{ level: 'stop', count: 3 }]);
  });

  test('T7 D0+ a call that was interrupted has no result: it neither counts nor ends the row', () => {
    const facts = [...times(2, () => step(status)), asks(status), lost(), ...step(status)];
    expect(levelsIn(counting(), facts)).toEqual(['stop at 8']);
  });

  test('T7 D0+ a message of a person begins the row anew', () => {
    const facts = [...times(2, () => step(status)), steered, ...times(2, () => step(status))];
    expect(levelsIn(counting(), facts)).toEqual([]);
  });

  test('T7 D0+ a call that is exempt, or polls, is like no other, and ends the row', () => {
    for (const traits of [{ identity: 'exempt' } as const, { polling: true } as const]) {
      const detector = counting({}, (tool) => (tool === 'wait' ? traits : {}));
      const waits = times(5, () => step(call('wait')));
      expect(levelsIn(detector, waits)).toEqual([]);
      const between = [...times(2, () => step(status)), ...step(call('wait')), ...times(2, () => step(status))];
      expect(levelsIn(detector, between)).toEqual([]);
    }
  });

  test('T7 D0+ with results ignored, as before they counted, the third call is a stop whatever it brings', () => {
    const facts = times(3, (index) => step(status, done(`${index} done`)));
    for (const config of [{}, { results: 'ignore' }]) {
      const detector = identicalCallsKind.create(identicalCallsKind.config.parse(config), noTraits);
      expect(levelsIn(detector, facts)).toEqual(['stop at 5']);
    }
  });
});
