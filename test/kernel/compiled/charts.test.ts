import { expect, test } from 'vitest';
import type { LoopEvent, Recorded } from '../../../machines/events.ts';
import { compilationOf } from '../../../src/kernel/compiled/compile.ts';
import { begin } from '../../../src/kernel/step.ts';
import { fc } from '../../support/fast-check.ts';
import { tenthOfMany } from '../../support/tenth.ts';
import { anyChart, EVENTS } from './any-chart.ts';
import { SideBySide } from './side-by-side.ts';

const CHARTS = 1_500;

const started = { type: 'run.started', payload: {}, at: '', version: 1 } as never;
const eventOf = (type: string, index: number) =>
  ({ type, payload: {}, at: '', version: index }) as unknown as Recorded<LoopEvent>;

/** Some charts throw as soon as they begin, and some never come to rest: XState says so for both. */
function begins(machine: Parameters<typeof begin>[0]): boolean {
  try {
    begin(machine, started);
    return true;
  } catch {
    return false;
  }
}

test('any chart is compiled and does what XState does, also where its guards and actions throw', () => {
  let taken = 0;
  let left = 0;
  fc.assert(
    fc.property(anyChart, fc.array(fc.nat(5), { minLength: 5, maxLength: 30, size: 'max' }), (machine, choices) => {
      machine.options.maxIterations = 20;
      if (!begins(machine)) return;
      expect(compilationOf(machine)).toMatchObject({ kind: 'compiled' });
      const both = new SideBySide(machine, started, EVENTS.map(eventOf));
      for (const [index, choice] of choices.entries()) {
        const type = EVENTS[choice];
        if (type === undefined) both.thaw();
        else both.take(eventOf(type, index));
        if (choice === 0) both.tryAll();
      }
      taken += choices.length;
      left += both.left;
    }),
    { numRuns: tenthOfMany(CHARTS) },
  );
  expect(taken - left).toBeGreaterThan(tenthOfMany(CHARTS) * 2);
  expect(left).toBeGreaterThan(0);
});
