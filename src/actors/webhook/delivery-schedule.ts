const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Of age, and of tries: the time in which no process delivers does not count for the second. */
export const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;

/**
 * How long to wait after a failed try. Null: the report is given up, because it is a day old and was tried for a day,
 * which is the sum of its waits. `attempts` counts the failed one.
 *
 * @example
 * nextTryInMs({ attempts: 3, createdAt: '2030-01-01T00:00:00.000Z' }, Date.parse('2030-01-01T00:00:03.000Z')); // 4000
 */
export function nextTryInMs(
  { attempts, createdAt }: { readonly attempts: number; readonly createdAt: string },
  now: number,
): number | null {
  const isOld = now + waitMs(attempts) > Date.parse(createdAt) + GIVEN_UP_AFTER_MS;
  return isOld && triedForMs(attempts) > GIVEN_UP_AFTER_MS ? null : waitMs(attempts);
}

const waitMs = (attempts: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));

/** From the first try to the one after so many, where each was made when it was due. */
function triedForMs(attempts: number): number {
  let sum = 0;
  for (let attempt = 1; attempt <= attempts && sum <= GIVEN_UP_AFTER_MS; attempt += 1) sum += waitMs(attempt);
  return sum;
}
