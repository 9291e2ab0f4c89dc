/** How many plans one iteration gets: the candidates that are tried first. */
export const MAX_PLANS = 50;
/** A plan of ten steps, with an acceptance test, is no longer. Its input comes on top. */
export const MAX_PLAN_TOKENS = 4_000;
