import type { BaseTests } from '../../../machines/recorded-proof.ts';
import type { Check, CheckSteps } from '../../../machines/settings.ts';

/** A check that runs step by step. */
export interface CutCheck {
  /** As it was configured. */
  readonly check: Check;
  readonly steps: readonly Check[];
  /** The name of the step that stands for all where they cannot be told apart: the last one that has tests. */
  readonly carrier: string;
}

/** Checks as they run. */
export interface SteppedChecks {
  /** With the steps of a check in its place. */
  readonly checks: readonly Check[];
  readonly cut: readonly CutCheck[];
}

/** Checks with the steps that were recorded of them before any work, and the tests that these had then. */
export function withSteps(
  checks: readonly Check[],
  recorded: readonly CheckSteps[] | undefined,
  tests: readonly Pick<BaseTests, 'check'>[],
): SteppedChecks {
  const known = new Map(recorded?.map(({ check, steps }) => [check, steps]));
  const named = new Set(tests.map(({ check }) => check));
  const cut = checks.flatMap((check) => {
    const steps = known.get(check.name);
    const carrier = steps?.findLast(({ name }) => named.has(name)) ?? steps?.at(-1);
    return steps && carrier ? [{ check, steps, carrier: carrier.name }] : [];
  });
  return { checks: checks.flatMap((check) => known.get(check.name) ?? [check]), cut };
}

/**
 * The checks for a tree in which checks are cut as `now`: one whose steps are others than those that were recorded runs
 * whole, under the name of one of them. So nothing passes that its own command would fail.
 */
export function asCut(
  checks: readonly Check[],
  cut: readonly CutCheck[],
  now: readonly CheckSteps[],
): readonly Check[] {
  const found = new Map(now.map(({ check, steps }) => [check, textOf(steps)]));
  const whole = cut.filter(({ check, steps }) => found.get(check.name) !== textOf(steps));
  const replaced = new Map(whole.flatMap((one) => one.steps.map(({ name }) => [name, one])));
  return checks.flatMap((check) => {
    const one = replaced.get(check.name);
    if (!one) return [check];
    return check.name === one.carrier ? [{ ...one.check, name: one.carrier }] : [];
  });
}

/** The check that each step belongs to, by its name. */
export const checkOfStep = (cut: readonly CutCheck[] = []): ReadonlyMap<string, string> =>
  new Map(cut.flatMap(({ check, steps }) => steps.map(({ name }) => [name, check.name])));

const textOf = (steps: readonly Check[]): string => JSON.stringify(steps.map(({ name, command }) => [name, command]));

/** Counts the checks that run of so many that are configured. */
export const countOfSteps = (configured: number, recorded: readonly CheckSteps[] = []): number =>
  recorded.reduce((count, { steps }) => count + steps.length - 1, configured);
