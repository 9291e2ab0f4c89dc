import { describe, expect, test } from 'vitest';
import type { Check, CheckSteps } from '../../machines/settings.ts';
import { asCut, checkOfStep, countOfSteps, withSteps } from '../../src/evidence/steps/with-steps.ts';

const check = (name: string, command = name): Check => ({ level: 'L0', name, command, timeoutMs: 1_000 });
const steps = (...commands: readonly string[]): CheckSteps => ({
  check: 'all',
  steps: commands.map((command) => check(`all: ${command}`, command)),
});
const CHECKS = [check('first'), check('all'), check('last')];
const RECORDED = [steps('lint', 'test', 'build')];
const TESTS = [{ check: 'all: test' }];
const namesOf = (checks: readonly Check[]) => checks.map(({ name }) => name);

describe('V17 checks run by the steps that were recorded before any work', () => {
  test('V17 recorded steps replace their check, and checks without steps stay', () => {
    const { checks, cut } = withSteps(CHECKS, RECORDED, TESTS);
    expect(namesOf(checks)).toEqual(['first', 'all: lint', 'all: test', 'all: build', 'last']);
    expect(checks).toHaveLength(countOfSteps(CHECKS.length, RECORDED));
    expect([...checkOfStep(cut).values()]).toEqual(['all', 'all', 'all']);
    expect(withSteps(CHECKS, undefined, [])).toEqual({ checks: CHECKS, cut: [] });
    expect(countOfSteps(CHECKS.length)).toBe(CHECKS.length);
  });

  test('V17 a tree of other steps runs the whole check, under the name of the step that has tests', () => {
    const { checks, cut } = withSteps(CHECKS, RECORDED, TESTS);
    expect(asCut(checks, cut, RECORDED)).toEqual(checks);
    for (const now of [[], [steps('lint', 'test')], [steps('lint', 'test', 'build', 'more')]]) {
      const whole = { ...check('all'), name: 'all: test' };
      expect(asCut(checks, cut, now)).toEqual([check('first'), whole, check('last')]);
    }
    const untested = withSteps(CHECKS, RECORDED, []);
    expect(namesOf(asCut(checks, untested.cut, []))).toEqual(['first', 'all: build', 'last']);
  });

  test('V17 steps with equal names and other commands do not match the recorded ones', () => {
    const { checks, cut } = withSteps(CHECKS, RECORDED, TESTS);
    const [{ steps: own }] = RECORDED as [CheckSteps];
    const other = { check: 'all', steps: own.map((step) => ({ ...step, command: `${step.command} || true` })) };
    expect(namesOf(asCut(checks, cut, [other]))).toEqual(['first', 'all: test', 'last']);
  });
});
