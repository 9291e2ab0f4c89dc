import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import { standstill } from '../../src/detectors/work-standstill.ts';
import {
  asks,
  call,
  done,
  foundIn,
  inPlaces,
  levelsIn,
  read,
  runs,
  shell,
  step,
  steered,
  times,
  traitsHere,
} from './turn-story.ts';

const detector = standstill(undefined, traitsHere);
const edit = (text: string): LoopEvent[] =>
  step(call('edit', { path: 'src/tax.ts', oldText: 'a', newText: text }), done('src/tax.ts: the new text is in place'));
const red = (test: string, ms = 100) => runs('npm test', `FAIL a.test.ts > ${test}\nTests 1 failed (${ms} ms)`, 1);
const green = runs('npm test', 'Tests 12 passed');

/** At which of the rounds something is found. */
const found = (rounds: number, round: (index: number) => LoopEvent[]) => {
  const sizes = times(rounds, (index) => round(index).length);
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
  return levelsIn(detector, times(rounds, round)).map((one) => {
    const [level, place] = one.split(' at ');
    return `${level} at round ${ends.findIndex((end) => Number(place) <= end) + 1}`;
  });
};

describe('D18 the work goes on, and what comes of it stays the same', () => {
  test('D18 the same red test, whatever is edited, is a nudge at the eighth run and a stop at the sixteenth', () => {
    const round = (index: number) => [...edit(`attempt ${index}`), ...red('adds tax', 100 + index)];
    expect(found(16, round)).toEqual(['nudge at round 8', 'stop at round 16']);
    const [nudge] = foundIn(detector, times(8, round));
    expect(nudge).toMatchObject({ detector: 'standstill', level: 'nudge', count: 8, evidence: { length: 8 } });
    expect(nudge?.evidence.at(-1)).toBe('run-1/32');
    expect(nudge?.message).toMatch(/^8 results in a row were red in ways that were seen before/);
  });

  test('D18 two errors in turn are a standstill: each fix brings the other back', () => {
    const errors = ["error TS2304: Cannot find name 'Cart'.", "error TS6133: 'Cart' is never read."];
    const round = (index: number) => [
      ...edit(`${index}`),
      ...runs('npx tsc', `src/a.ts(${index},1): ${errors[index % 2]}`, 2),
    ];
    // The second error is new, so the row begins with it.
    expect(found(17, round)).toEqual(['nudge at round 9', 'stop at round 17']);
  });

  test('D18 what is done and undone in other words each time brings the same two red tests', () => {
    const round = (index: number) => [
      ...edit(index % 2 ? `without insurance, try ${index}` : `with insurance, try ${index}`),
      ...red(index % 2 ? 'skips insurance' : 'shows insurance'),
    ];
    expect(found(17, round)).toEqual(['nudge at round 9', 'stop at round 17']);
  });

  test('D18 what lies between, and runs in other words, change nothing', () => {
    const commands = ['npm test', 'npx vitest run', 'npm test 2>&1 | tail -20'];
    const round = (index: number) => [
      ...step(read(`src/${index}.ts`), done(`text ${index}`)),
      ...edit(`${index}`),
      ...runs(commands[index % 3] ?? '', `FAIL a.test.ts > adds tax\nDuration ${index} ms`, 1),
    ];
    expect(found(16, round)).toEqual(['nudge at round 8', 'stop at round 16']);
  });

  test('D18 new errors each time are progress, however long it takes', () =>
    expect(found(60, (index) => [...edit(`${index}`), ...red(`case ${index}`)])).toEqual([]));

  test('D18 a run that turns green between is progress, and so is a word of a person', () => {
    const seven = (index: number) => times(7, (at) => [...edit(`${index}.${at}`), ...red('adds tax')]);
    expect(found(9, (index) => [...seven(index), ...green])).toEqual([]);
    expect(found(9, (index) => [...seven(index), steered])).toEqual([]);
    expect(found(3, (index) => [...seven(index), ...runs('npm run lint', 'no errors')])).not.toEqual([]);
  });

  test('D18 what is read, and what a call waits for, says nothing of the work', () => {
    const log = 'FAIL a.test.ts > adds tax\n1 failed';
    expect(found(40, (index) => step(read(`log-${index}`), done(log)))).toEqual([]);
    expect(found(40, () => runs('cat test.log', log))).toEqual([]);
    expect(found(40, () => runs('sleep 20; gh run view 7', log))).toEqual([]);
  });

  test('D18 one that turns green is progress, beside another in the same answer that stays red', () => {
    const both = (unit: string) => [
      asks(shell('npm run unit'), shell('npm run browser')),
      done(unit, 0),
      done('FAIL b > opens\n[exit code 1]', 1),
    ];
    const rounds = times(6, () => both('FAIL a > adds\n[exit code 1]'));
    expect(levelsIn(detector, [...rounds, ...both('all is well'), ...times(6, () => both('all is well'))])).toEqual([]);
  });

  test('D18 several red runs of one answer count once', () => {
    const both = [...step(call('shell', { command: 'npm test' }), done('FAIL a > x\n[exit code 1]'))];
    expect(
      levelsIn(
        detector,
        times(7, () => both),
      ),
    ).toEqual([]);
    const state = inPlaces(times(100, () => both)).reduce(
      (before, fact) => detector.step(before, fact).state,
      detector.init(),
    );
    expect(state.outcomes.evidence.length).toBeLessThanOrEqual(20);
  });
});
