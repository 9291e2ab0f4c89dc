import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import { failingCalls } from '../../src/detectors/failing-calls.ts';
import { noProgress, noProgressKind } from '../../src/detectors/no-progress.ts';
import { sameTool } from '../../src/detectors/same-tool.ts';
import { standstill } from '../../src/detectors/work-standstill.ts';
import { fc } from '../support/fast-check.ts';
import { call, done, failed, inPlaces, levelsIn, read, runs, shell, step, times, traitsHere } from './turn-story.ts';

/**
 * No window forgets: what lies between the counted calls changes nothing. Other detectors count rows that another
 * call ends by their definition: identical-calls, repeated-error, repeated-observation, alternating, cycles, soft-hard,
 * ladder-identical, streak-ladder (of the same tool), same-result, rewrites, and the nudge of same-tool. failing-calls
 * counts a row too, which results that are known do not end; any news ends waits and looks of no-progress.
 */
interface Counted {
  readonly make: (nudge: number, stop: number) => Detector;
  readonly counted: (index: number) => LoopEvent[];
  /** Another call: a new one, or where a new result ends the row, one whose result is known. */
  readonly other: (index: number) => LoopEvent[];
  readonly first?: readonly LoopEvent[];
  readonly nudges: boolean;
}

const newCall = (index: number) => step(read(`new-${index}`), done(`text ${index}`));
const STEPS = { nudgeSteps: 1e6, nudgeTokens: 1e9, stopSteps: 1e7, stopTokens: 1e9 };
const kinds: readonly (readonly [string, Counted])[] = [
  [
    'no-progress',
    {
      make: (nudge, stop) =>
        noProgress(noProgressKind.config.parse({ nudge, stop, global: 10_000 }) as never, traitsHere),
      counted: () => step(read('a'), done('the same')),
      other: newCall,
      nudges: true,
    },
  ],
  [
    'standstill',
    {
      make: (nudge, stop) => standstill({ nudge, stop, ...STEPS }, traitsHere),
      counted: () => runs('npm test', 'FAIL a.test.ts > adds tax', 1),
      other: newCall,
      nudges: true,
    },
  ],
  [
    'same-tool',
    {
      make: (_, stop) => sameTool({ nudge: 0, stop }, traitsHere),
      counted: () => step(read('a')),
      other: newCall,
      nudges: false,
    },
  ],
  [
    'failing-calls',
    {
      make: (nudge, stop) => failingCalls({ nudge, stop }, traitsHere),
      counted: (index) => step(call('edit', { index }), failed()),
      other: () => step(read('known')),
      first: step(read('known')),
      nudges: true,
    },
  ],
];

/** At which counted call each level comes first. */
function firstLevels(detector: Detector, { counted, other, first = [] }: Counted, gaps: readonly number[]) {
  let state = detector.init();
  let others = 0;
  const facts = [
    ...first.map((fact) => ({ fact, at: 0 })),
    ...gaps.flatMap((gap, index) => [
      ...counted(index).map((fact) => ({ fact, at: index + 1 })),
      ...times(gap, () => other((others += 1))).map((fact) => ({ fact, at: 0 })),
    ]),
  ];
  const levels = new Map<string, number>();
  for (const [place, event] of inPlaces(facts.map(({ fact }) => fact)).entries()) {
    const noticed = detector.step(state, event);
    state = noticed.state;
    const level = noticed.finding?.level;
    if (level && !levels.has(level)) levels.set(level, facts[place]?.at ?? 0);
  }
  return Object.fromEntries(levels);
}

describe('D16 no window forgets', () => {
  test.each(kinds)('D16 whatever lies between, nudge and stop of %s come at the same counted call', (_, kind) =>
    fc.assert(
      fc.property(
        // With fewer, one other call between two of them is a row of two in turn, which has a count of its own.
        fc.integer({ min: 4, max: 39 }),
        fc.integer({ min: 1, max: 38 }),
        fc.array(fc.nat({ max: 10 }), { minLength: 45, maxLength: 45 }),
        (nudge, more, gaps) => {
          const stop = Math.min(40, nudge + more);
          const expected = kind.nudges ? { nudge, stop } : { stop };
          expect(firstLevels(kind.make(nudge, stop), kind, gaps)).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    ),
  );
});

describe('D8 calls that are known', () => {
  const levels = (facts: readonly LoopEvent[]) => levelsIn(noProgress(undefined, traitsHere), facts).length;
  const test9 = times(9, () => runs('npm run types', 'no errors'));

  test('D8 a good result that is the same after a new change begins anew: the change broke nothing', () => {
    const change = (index: number) =>
      step(call('edit', { path: 'a', oldText: '1', newText: `${index}` }), done('in place'));
    expect(levels(times(40, (index) => [...change(index), ...runs('npm run types', 'no errors')]))).toBe(0);
    expect(levels([...test9, ...change(1), ...test9])).toBe(0);
  });

  test('D8 a bad result that is the same after a change counts on, and so does one after a change made before', () => {
    const change = (index: number) =>
      step(call('edit', { path: 'a', oldText: '1', newText: `${index}` }), done('in place'));
    const red = (index: number) => [...change(index), ...runs('npm run types', 'a.ts(1,1): error TS1: no', 2)];
    expect(levels(times(10, red))).toBe(1);
    const same = times(10, () => [...step(shell('touch a'), done('')), ...runs('npm run types', 'no errors')]);
    expect(levels(same)).toBeGreaterThan(0);
  });
});
