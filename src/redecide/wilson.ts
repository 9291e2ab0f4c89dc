/** The 97.5th percentile of the normal distribution: 95 % lie within it on both sides. */
const Z = 1.959964;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * The interval in which a share lies with 95 % confidence, by Wilson's score. Null where nothing was counted.
 *
 * @example
 * wilson(19, 20); // { low: 0.76…, high: 0.99… }
 */
export function wilson(part: number, whole: number): Interval | null {
  if (whole === 0) return null;
  const share = part / whole;
  const z2 = Z * Z;
  const middle = share + z2 / (2 * whole);
  const half = Z * Math.sqrt((share * (1 - share)) / whole + z2 / (4 * whole * whole));
  const scale = 1 + z2 / whole;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}
