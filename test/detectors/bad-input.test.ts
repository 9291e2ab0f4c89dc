import { describe, expect, test } from 'vitest';
import type { LoopEvent } from '../../machines/events.ts';
import {
  asks,
  byDefault,
  call,
  done,
  failed,
  foundByDefault,
  inPlaces,
  read,
  runs,
  shell,
  step,
  times,
} from './turn-story.ts';

const LEVELS = ['observe', 'nudge', 'block', 'stop'] as const;
const MEGABYTE = 1_000_000;

/** CPU time in milliseconds. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const filled = (line: string): string => line.repeat(Math.ceil(MEGABYTE / line.length)).slice(0, MEGABYTE);

describe('D16 D18 whatever a model and its tools bring', () => {
  // The bound is generous: other tests run at the same time.
  test.each([
    ['a log', '2026-01-01T10:00:00Z GET /cart 200 in 12 ms from 0x7ffeb1 id=4711\n'],
    ['red tests', 'FAIL a.test.ts > adds tax (12 ms)\n'],
    ['one line of letters', 'a'],
    ['one line of spaces after a red test', ' '],
    ['one line of digits', '1234567890'],
    ['hyphens', '-'],
    ['lone surrogates', '\ud800'],
  ])('D18 a result of 1 MB ends soon: %s', (_, line) => {
    const facts: LoopEvent[] = [
      ...runs('npm test', `FAIL x ${filled(line)} y`, 1),
      ...step(read('a'), failed(filled(line))),
    ];
    expect(cpuOf(() => expect(foundByDefault(facts, LEVELS)).toEqual([]))).toBeLessThan(5_000);
  });

  test('D16 a call of 1 MB ends soon', () => {
    const facts = [
      ...step(shell(`echo ${filled('true; ')}`.slice(0, 100_000)), done('')),
      ...step(call('write', { path: 'a', content: filled('x ') }), done('written')),
      ...step(call('odd', { [filled('k')]: 1 }), done('')),
    ];
    expect(foundByDefault(facts, LEVELS)).toEqual([]);
  });

  test('D16 2,000 calls of one answer are one step, and end soon', () => {
    const many = 2_000;
    const facts = [asks(...times(many, (index) => read(`${index}`))), ...times(many, (index) => failed('no', index))];
    const detectors = byDefault();
    const states = detectors.map((detector) => detector.init());
    const found = inPlaces(facts).flatMap((event) =>
      detectors.flatMap((detector, at) => {
        const { state, finding } = detector.step(states[at], event);
        states[at] = state;
        return finding ?? [];
      }),
    );
    expect(found).toEqual([]);
  });

  test('D16 after an answer with very many calls the state is small again', () => {
    const many = 500;
    const facts = [
      asks(...times(many, (index) => call('ask', { question: `word${index}a word${index}b` }))),
      ...times(many, (index) => done('ok', index)),
    ];
    for (const detector of byDefault()) {
      const state = inPlaces(facts).reduce((before, fact) => detector.step(before, fact).state, detector.init());
      expect(JSON.stringify(state).length).toBeLessThan(100_000);
    }
  });
});
