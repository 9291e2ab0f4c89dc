import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import { noProgress } from '../../src/detectors/no-progress.ts';
import { asks, call, done, foundByDefault, inPlaces, runs, shell, step, times, traitsHere } from './turn-story.ts';

const detector = (): Detector => noProgress(undefined, traitsHere) as Detector;
const EPOCH = Date.UTC(2026, 0, 1);
const SECOND = 1_000;

/** The findings, with the number of the step; `atOf`: when a step was over, in seconds. */
function found(steps: readonly LoopEvent[][], atOf: (index: number) => number | null = () => null): string[] {
  let state: unknown = detector().init();
  const versioned = inPlaces(steps.flat());
  let version = 0;
  return steps.flatMap((facts, index) =>
    facts.flatMap(() => {
      const event = versioned[version++];
      const seconds = atOf(index);
      if (!event) return [];
      const at = seconds === null ? {} : { at: new Date(EPOCH + seconds * SECOND).toISOString() };
      const noticed = detector().step(state, { ...event, ...at });
      state = noticed.state;
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      return noticed.finding ? [`${noticed.finding.level} at step ${index + 1}`] : [];
    }),
  );
}

const wait = (output = 'in_progress') => runs('sleep 20; gh run view 7', output);
const took = (wallMs: number, cpuMs: number | null, command = 'make wait'): LoopEvent[] => [
  asks(shell(command)),
  { type: 'tool.completed', payload: { callId: '0.0', output: 'not yet', took: { wallMs, cpuMs } } },
];

describe('D17 waiting is bounded by its time', () => {
  test('D17 waits of 20 s are a nudge at 10 minutes and a stop at 40, and their number is nothing', () => {
    expect(found(times(120, () => [wait()]))).toEqual(['nudge at step 30', 'stop at step 120']);
    const short = times(119, () => wait());
    expect(foundByDefault(short.flat(), ['nudge', 'block', 'stop'])).toEqual(['no-progress: nudge 30']);
  });

  test('D17 the time that has passed counts where it is longer than what the calls say', () => {
    expect(
      found(
        times(60, () => [wait()]),
        (index) => 60 * index,
      ),
    ).toEqual(['nudge at step 11', 'stop at step 41', ...times(19, (index) => `stop at step ${42 + index}`)]);
  });

  test('D17 news begin the time anew', () => {
    const withNews = times(200, (index) => [wait(index % 25 === 0 ? `job ${index} is done` : 'in_progress')]);
    expect(found(withNews)).toEqual([]);
    expect(found(times(400, (index) => [wait(`${index} of 400`)]))).toEqual([]);
  });

  test('D17 a command that leaves the processor at rest for more than 5 s waits, whatever its words are', () => {
    expect(found(times(30, () => [took(20_000, 100)]))).toEqual(['nudge at step 30']);
    expect(found(times(10, () => [took(20_000, 10_000)]))).toEqual(['nudge at step 10']);
    expect(found(times(10, () => [took(20_000, null)]))).toEqual(['nudge at step 10']);
    expect(found(times(10, () => [took(4_000, 0)]))).toEqual(['nudge at step 10']);
  });

  test('D17 looks without any pause are bounded by their number, also where each took a moment', () => {
    const looks = (facts: LoopEvent[]) => found(times(30, () => [facts]));
    expect(looks(runs('kubectl get pods', 'Pending'))).toEqual(['nudge at step 20', 'stop at step 30']);
    expect(looks(took(40, 10, 'kubectl get pods'))).toEqual(['nudge at step 20', 'stop at step 30']);
    const seen = times(100, (index) => [runs('kubectl get pods', `${index} of 100 are ready`)]);
    expect(found(seen)).toEqual([]);
  });

  test('D17 waits of one answer are one: they wait at the same time', () => {
    const jobs = times(40, (index) => shell(`sleep 60; gh run view ${index}`));
    const together = [asks(...jobs), ...jobs.map((_, index) => done('in_progress', index))];
    expect(found(times(9, () => [together]))).toEqual([]);
    expect(found(times(10, () => [together]))).toEqual(['nudge at step 10']);
  });

  test('D17 a clock that is set back neither throws nor brings a nudge twice', () => {
    const backAndForth = (index: number) => (index % 2 ? 700 : 0) + index;
    expect(
      found(
        times(29, () => [wait()]),
        backAndForth,
      ),
    ).toEqual(['nudge at step 2']);
    expect(
      found(
        times(29, () => [wait()]),
        (index) => -1_000 * index,
      ),
    ).toEqual([]);
    const odd = inPlaces(times(5, () => wait()));
    let state: unknown = detector().init();
    for (const event of odd) ({ state } = detector().step(state, { ...event, at: 'no time' }));
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  test('D17 a declared poll that fails as long as it waits is bounded by its time too', () => {
    const polling = noProgress(undefined, () => ({ ...traitsHere('shell'), polling: true })) as Detector;
    const up = (index: number) => runs(`sleep 30; curl -sf localhost:3000 # ${index}`, 'curl: (7) refused', 7);
    let state = polling.init();
    const levels = inPlaces(times(60, up)).flatMap((event) => {
      const noticed = polling.step(state, event);
      state = noticed.state;
      return noticed.finding?.level ?? [];
    });
    expect(levels).toEqual(['nudge']);
    expect(found(times(30, () => [step(call('wait_for_job', { job: 7 }), done('pending'))]))).toEqual([
      'nudge at step 20',
      'stop at step 30',
    ]);
  });
});
