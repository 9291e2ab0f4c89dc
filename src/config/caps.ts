import type { Limits } from '../../machines/settings.ts';
import type { Ceilings } from '../options/defaults.ts';
import { type ConfigFault, faultAt } from '../options/config-fault.ts';

/** The smaller of a cap and its ceiling; null where neither is set. */
export function effectiveCap(asked: number | null, ceiling: number | null): number | null {
  if (asked === null || ceiling === null) return asked ?? ceiling;
  return Math.min(asked, ceiling);
}

/** A cap above its ceiling is a fault. */
export function aboveCeiling(
  field: string,
  asked: number | null | undefined,
  unit: keyof Ceilings,
  ceilings: Ceilings,
): ConfigFault[] {
  const ceiling = ceilings[unit];
  if (asked == null || ceiling === null || asked <= ceiling) return [];
  return [faultAt(field, asked, `a whole number of ${unit}, at most ${ceiling} (the ceiling)`)];
}

/**
 * Whether a loop has a bounded number of rounds. Tool calls do not bound it, because an answer in text uses none; nor
 * does money, because calls may cost nothing.
 */
const isBounded = (rounds: number | null, { maxTokens, maxTimeMs }: Limits): boolean =>
  rounds !== null || maxTokens !== null || maxTimeMs !== null;

/**
 * The limits of a run that works for another: its own, with no more tokens or money than the other has. A run without a
 * bound of its own gets the other's time limit.
 */
export function limitsWithin(own: Limits, around: Limits): Limits {
  const maxTokens = effectiveCap(own.maxTokens, around.maxTokens);
  const maxCostNanoUsd = effectiveCap(own.maxCostNanoUsd ?? null, around.maxCostNanoUsd ?? null);
  const limits = { ...own, maxTokens, maxCostNanoUsd };
  return isBounded(limits.maxSteps, limits) ? limits : { ...limits, maxTimeMs: around.maxTimeMs };
}

const OF_A_TURN: readonly (keyof Limits)[] = ['maxSteps', 'maxTokens', 'maxTimeMs'];

/** Why a run without children might never end: none of the caps that bound it is set. */
export function aloneWithoutEnd(limits: Limits, bounds: readonly (keyof Limits)[] = OF_A_TURN): ConfigFault[] {
  if (bounds.some((cap) => limits[cap] != null)) return [];
  const options = bounds.map((cap) => cap.replace(/Ms$/, ''));
  const [first = 'maxTime'] = options;
  const what = first === 'maxSteps' ? 'the turn' : 'the run';
  return [faultAt(first, 'none', `a cap on ${what}: ${options.slice(0, -1).join(', ')} or ${options.at(-1)}`)];
}

/** Why a loop of iterations, or one attempt in it, might never end. */
export function iterationWithoutEnd(limits: Limits, attempt: Limits): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (!isBounded(limits.maxIterations, limits)) {
    const expected = "a cap on the loop: maxIterations, or with 'none' maxTokens or maxTime";
    faults.push(faultAt('maxIterations', 'none', expected));
  }
  const within = limitsWithin(attempt, limits);
  if (!isBounded(within.maxSteps, within)) {
    faults.push(faultAt('maxSteps', 'none', 'a cap on each attempt: maxSteps, maxTokens or maxTime'));
  }
  return faults;
}
