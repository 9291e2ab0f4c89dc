/** Node fires a longer timer at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
