import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import type { Detector } from '../../src/detectors/detector.ts';
import { DETECTOR_KINDS } from '../../src/detectors/detector-kinds.ts';
import { detectorsOf, PROFILES } from '../../src/detectors/profile.ts';
import { fc } from '../support/fast-check.ts';
import {
  asks,
  type Call,
  call,
  done,
  failed,
  foundByDefault,
  inPlaces,
  read,
  shell,
  times,
  traitsHere,
} from './turn-story.ts';

/** `same-message` looks at texts; `identical-calls` counts calls as they are asked for where it ignores results. */
const COUNTING = DETECTOR_KINDS.filter(({ name }) => name !== 'same-message');
const choices = COUNTING.flatMap(({ name }) => [
  { name, config: name === 'identical-calls' ? { results: 'count' } : {} },
  ...(PROFILES.get('default') ?? []).filter((one) => typeof one !== 'string' && one.name === name),
]);
const detectors = choices.flatMap((choice) => {
  const chosen = detectorsOf([choice], traitsHere);
  return chosen.kind === 'detectors' ? chosen.detectors : [];
});

interface Way {
  readonly calls: (index: number) => Call;
  readonly end: (index: number) => LoopEvent;
}
const ways: readonly Way[] = [
  { calls: () => read('a'), end: (at) => done('the same', at) },
  { calls: (at) => read(`${at}`), end: (at) => failed('no such file', at) },
  { calls: (at) => call('grep', { pattern: `p${at}` }), end: (at) => done('[no line of any file matches]', at) },
  { calls: (at) => shell(`make part${at}`), end: (at) => done('make: *** error 1\n[exit code 2]', at) },
  { calls: (at) => call('lookup', { at }), end: (at) => done('', at) },
];

/** The findings of each round, where each has so many calls. */
function foundInRounds(detector: Detector, rounds: number, copies: number, { calls, end }: Way): string[] {
  const round = (): LoopEvent[] => [asks(...times(copies, calls)), ...times(copies, end)];
  let state = detector.init();
  const facts = inPlaces(times(rounds, round));
  return facts.flatMap((event, index) => {
    const noticed = detector.step(state, event);
    state = noticed.state;
    if (!noticed.finding) return [];
    return [`${noticed.finding.level} in round ${Math.floor(index / (copies + 1))}`];
  });
}

describe('D16 an answer is one step', () => {
  test('D16 every kind is looked at', () =>
    expect(new Set(detectors.map(({ name }) => name)).size).toBe(COUNTING.length));

  test('D16 many calls in each answer bring what one call in each answer brings, and nothing sooner', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...detectors),
        fc.constantFrom(...ways),
        fc.integer({ min: 2, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        (detector, way, copies, rounds) => {
          expect(foundInRounds(detector, rounds, copies, way)).toEqual(foundInRounds(detector, rounds, 1, way));
        },
      ),
      { numRuns: 300 },
    ));

  const together = (calls: readonly Call[], end: (index: number) => LoopEvent): LoopEvent[] => [
    asks(...calls),
    ...calls.map((_, index) => end(index)),
  ];
  const unknown = (index: number): LoopEvent => ({
    type: 'tool.failed',
    payload: { callId: `0.${index}`, fault: { code: 'tool_unknown', message: 'there is no such tool' } },
  });
  const strange = ['Read', 'Grep', 'Glob', 'LS', 'Bash', 'TodoWrite'];

  test.each([
    [
      '12 reads of paths that may exist',
      together(
        times(12, (at) => read(`src/guess${at}.ts`)),
        (at) => failed('no', at),
      ),
    ],
    [
      '16 searches for unused names',
      together(
        times(16, (at) => call('grep', { pattern: `unused${at}` })),
        (at) => done('', at),
      ),
    ],
    [
      '16 syntax checks',
      together(
        times(16, (at) => shell(`test -f a.txt # mod${at}`)),
        (at) => done('[no output]', at),
      ),
    ],
    [
      '3 equal searches',
      together(
        times(3, () => call('grep', { pattern: 'x' })),
        (at) => done('a.txt:1:x', at),
      ),
    ],
    [
      '6 calls of tools of another harness',
      together(
        strange.map((tool) => call(tool, { path: 'p' })),
        unknown,
      ),
    ],
  ])('D16 %s in one answer say nothing to the default profile', (_, facts) => {
    expect(foundByDefault(facts, ['observe', 'nudge', 'block', 'stop'])).toEqual([]);
  });
});
