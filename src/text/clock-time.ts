const DAY_MS = 86_400_000;

/**
 * A time (RFC 3339) by the clock, and with its day where it is a day or more after another time, in ms since 1970.
 *
 * @example
 * clockTime('2026-11-22T10:05:00.000Z', Date.parse('2026-11-22T10:00:00.000Z')); // '10:05:00 UTC'
 */
export const clockTime = (time: string, from: number): string =>
  `${Date.parse(time) - from < DAY_MS ? '' : `${time.slice(0, 10)} `}${time.slice(11, 19)} UTC`;
