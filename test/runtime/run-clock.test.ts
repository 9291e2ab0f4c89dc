import { describe, expect, test } from 'vitest';
import { jumpWarning } from '../../src/runtime/jump-warning.ts';
import { JUMP_MS, notBefore, RunClock } from '../../src/runtime/run-clock.ts';
import { fc } from '../support/fast-check.ts';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;

/** Readings of a machine on which time passes, and whose clock is set. */
function machine() {
  let [passedMs, setMs] = [0, 0];
  return {
    readings: { now: () => NOW + Math.floor(passedMs) + setMs, monotonic: () => 17 + passedMs },
    pass: (ms: number) => void (passedMs += ms),
    set: (ms: number) => void (setMs += ms),
  };
}

const span = fc.double({ min: 0, max: 3 * HOUR_MS, noNaN: true });
const jump = fc.integer({ min: -9 * 86_400_000, max: 9 * 86_400_000 });
const life = fc.array(fc.record({ span, jump }), { maxLength: 40 });

describe('B3 the clock of a run', () => {
  test('B3 whatever the machine sets its clock to, recorded times never go back and differ by lived time', () => {
    fc.assert(
      fc.property(life, (steps) => {
        const { readings, pass, set } = machine();
        const clock = new RunClock(readings);
        const first = clock.now();
        let [livedMs, newest] = [0, first];
        for (const step of steps) {
          pass(step.span);
          set(step.jump);
          livedMs += step.span;
          const at = clock.now(newest);
          expect(at).toBeGreaterThanOrEqual(newest);
          expect(Math.abs(at - first - livedMs)).toBeLessThanOrEqual(1);
          newest = at;
        }
      }),
    );
  });

  test('B3 over processes, lived time is the sum of their spans, and no time is before one recorded earlier', () => {
    fc.assert(
      fc.property(fc.array(life, { minLength: 1, maxLength: 5 }), (processes) => {
        const { readings, pass, set } = machine();
        let newest = readings.now();
        for (const steps of processes) {
          const clock = new RunClock(readings);
          const begun = clock.now(newest);
          expect(begun).toBe(Math.max(newest, readings.now()));
          let livedMs = 0;
          newest = begun;
          for (const step of steps) {
            pass(step.span);
            set(step.jump);
            livedMs += step.span;
            const at = clock.now(newest);
            expect(at).toBeGreaterThanOrEqual(newest);
            newest = at;
          }
          expect(Math.abs(newest - begun - livedMs)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('B3 a jump is reported once, with its length and direction, and is 0 where the clock is only kept right', () => {
    const { readings, pass, set } = machine();
    const clock = new RunClock(readings);
    const jumped: number[] = [];
    for (const ms of [0, 2 * HOUR_MS, 0, -24 * HOUR_MS, JUMP_MS - 1, 1 - JUMP_MS, JUMP_MS]) {
      pass(4_000);
      set(ms);
      jumped.push(clock.jumped());
    }
    expect(jumped).toEqual([0, 2 * HOUR_MS, 0, -24 * HOUR_MS, 0, 0, JUMP_MS]);
  });

  test('B3 starting behind the newest recorded time is no jump', () => {
    const { readings, pass } = machine();
    const clock = new RunClock(readings);
    expect(clock.now(NOW + HOUR_MS)).toBe(NOW + HOUR_MS);
    pass(1_000);
    expect(clock.jumped()).toBe(0);
    expect(clock.now()).toBe(NOW + HOUR_MS + 1_000);
  });

  test('B3 a process that only records a command is not before the newest recorded time either', () => {
    const newest = new Date(NOW).toISOString();
    expect(notBefore(NOW - HOUR_MS, newest)).toBe(newest);
    expect(notBefore(NOW + 1, newest)).toBe('2030-01-01T00:00:00.001Z');
  });

  test('B3 the warning says which way, how far, and that it is not counted', () => {
    expect(jumpWarning(2 * HOUR_MS).payload.message).toMatch(
      /^The clock jumped ahead by 2 h 0 min, which is not counted/,
    );
    expect(jumpWarning(-90_000).payload.message).toMatch(/^The clock jumped back by 1 min 30 s, which is not counted/);
  });
});
