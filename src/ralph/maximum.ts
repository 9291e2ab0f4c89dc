import { DEFAULT_CEILING } from '../../machines/ralph-numbers.ts';

/** Iterations of a label that names no number. */
export const DEFAULT_MAXIMUM = 10;
/** No loop has more iterations than this, whatever it asks for. */
export const HARD_CEILING = DEFAULT_CEILING;
/** How "no maximum but the ceiling" is written. */
export const UNLIMITED = 0;

/**
 * After how many iterations a loop ends: its maximum, or the ceiling where that is lower or there is no maximum.
 *
 * @example
 * effectiveMaximum(0); // 100
 */
export const effectiveMaximum = (maxIterations: number | null, ceiling: number = HARD_CEILING): number =>
  maxIterations === null || maxIterations === UNLIMITED ? ceiling : Math.min(maxIterations, ceiling);

/** `2/10`, or `2` where there is no maximum. */
export const iterationOf = (iteration: number, maxIterations: number | null): string =>
  maxIterations === null || maxIterations === UNLIMITED ? `${iteration}` : `${iteration}/${maxIterations}`;
