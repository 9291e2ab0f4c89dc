/** How many plans one iteration gets: the candidates that are tried first. */
export const MAX_PLANS = 50;
/** A plan of ten steps is no longer. Its input comes on top. */
export const MAX_PLAN_TOKENS = 2_000;
export const MAX_PLAN_CHARS = 20_000;
