import { amount } from '../text/money.ts';
import { DEFAULT_PROMISE } from './completion-promise.ts';
import { DEFAULT_MAXIMUM, HARD_CEILING } from './maximum.ts';

/** What a label asks for. */
export interface RalphWiggumConfig {
  readonly enabled: boolean;
  /** Iterations; 0 is no maximum but the ceiling. */
  readonly maxIterations: number;
  readonly completionPromise?: string;
  /** The label, as it was written. */
  readonly label: string;
  /** What the user should know: labels that were ignored, a number that was reduced. */
  readonly warnings: readonly string[];
}

/** The forms that match, for a message. */
export const LABEL_FORMS = 'ralph-wiggum or ralph-wiggum-N, such as ralph-wiggum-5';

const LABEL = /^\s*ralph-wiggum(?:-(\d+))?\s*$/i;

/** Whether a label chooses the Ralph loop. */
export const isRalphLabel = (label: string): boolean => LABEL.test(label);

/**
 * What the first matching label asks for; null where no label matches. `ralph-wiggum` is 10 iterations,
 * `ralph-wiggum-N` is N, and `ralph-wiggum-0` has no maximum but the ceiling. A number above the ceiling is reduced to
 * it. Letter case does not count.
 *
 * @example
 * parseRalphWiggumConfig(['bug', 'ralph-wiggum-3'])?.maxIterations; // 3
 * parseRalphWiggumConfig(['bug']); // null
 */
export function parseRalphWiggumConfig(
  labels: readonly string[],
  ceiling: number = HARD_CEILING,
): RalphWiggumConfig | null {
  const [label, ...ignored] = labels.filter(isRalphLabel);
  if (label === undefined) return null;
  const digits = LABEL.exec(label)?.[1];
  const asked = digits === undefined ? Math.min(DEFAULT_MAXIMUM, ceiling) : Number(digits);
  const warnings = [
    ...(asked > ceiling
      ? [`label ${label}: the ceiling is ${amount(ceiling, 'iteration')}, so ${ceiling} is used.`]
      : []),
    ...ignored.map((other) => `label ${other} is ignored: ${label} comes first.`),
  ];
  return {
    enabled: true,
    maxIterations: Math.min(asked, ceiling),
    completionPromise: DEFAULT_PROMISE,
    label,
    warnings,
  };
}
