/** How many plans one iteration gets: the candidates that are tried first. */
export const MAX_PLANS = 50;
/** A plan is worth this part of the estimate of its experiment: without it, an experiment would begin by planning. */
const PART_OF_ESTIMATE = 0.1;
/** A plan of ten steps is no longer. Its input comes on top. */
export const MAX_PLAN_TOKENS = 2_000;
export const MAX_PLAN_CHARS = 20_000;

/** What a plan may use, in tokens, its input included. */
export const planTokens = (estimateTokens: number): number => Math.ceil(estimateTokens * PART_OF_ESTIMATE);
