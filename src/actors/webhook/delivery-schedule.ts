const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Counted from the event that is reported. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;

/**
 * How long to wait after a failed try. Null: the report is given up. `attempts` counts the failed one.
 *
 * @example
 * nextTryInMs({ attempts: 3, createdAt: '2030-01-01T00:00:00.000Z' }, Date.parse('2030-01-01T00:00:03.000Z')); // 4000
 */
export function nextTryInMs(
  { attempts, createdAt }: { readonly attempts: number; readonly createdAt: string },
  now: number,
): number | null {
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  return now + waitMs > Date.parse(createdAt) + GIVEN_UP_AFTER_MS ? null : waitMs;
}
