import type { Limits } from '../../machines/settings.ts';
import type { Ceilings } from './defaults.ts';
import { type ConfigFault, faultAt } from './fault.ts';

/** The smaller of what was asked for and the ceiling; null where neither bounds anything. */
export function effectiveCap(asked: number | null, ceiling: number | null): number | null {
  if (asked === null || ceiling === null) return asked ?? ceiling;
  return Math.min(asked, ceiling);
}

/** What was asked for above a ceiling. */
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
 * Why a turn might never end, as a fault, or nothing. Tool calls do not bound it: an answer in text uses none of them,
 * and one that was cut off, or whose checks fail, asks for another. Nor does money: an answer may cost nothing.
 */
export function turnWithoutEnd(limits: Limits): ConfigFault[] {
  const ends = [limits.maxSteps, limits.maxTokens, limits.maxTimeMs];
  if (ends.some((limit) => limit !== null)) return [];
  return [faultAt('maxSteps', 'none', 'a cap on the turn: maxSteps, maxTokens or maxTime')];
}

/** Why a loop of iterations, or one attempt in it, might never end. A token budget is settled only after an attempt. */
export function iterationWithoutEnd(limits: Limits, attempt: Limits): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (limits.maxIterations === null && limits.maxTokens === null && limits.maxTimeMs === null) {
    const expected = "a cap on the loop: maxIterations, or with 'none' maxTokens or maxTime";
    faults.push(faultAt('maxIterations', 'none', expected));
  }
  if (attempt.maxSteps === null && limits.maxTimeMs === null) {
    faults.push(faultAt('maxSteps', 'none', 'a cap on each attempt: maxSteps or maxTime'));
  }
  return faults;
}
