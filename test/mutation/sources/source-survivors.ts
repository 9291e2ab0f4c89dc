import { runtimeSurvivors } from './runtime-survivors.ts';

const NO_MONEY = 'Equivalent: where neither is limited nothing was reserved, and no cost is told.';
const BEGUN = 'Equivalent: a run starts before anything else is observed of it, and that sets it.';
const ALL_SERVED = 'Equivalent: each wish has its part by then.';
const BOTH_OR_NONE = 'Equivalent: where there is a first price there is a second, which is the first by default.';
const LEFT_OUT = 'Equivalent: tool calls are left out of what is used up.';
const LIMITED = 'Equivalent: a call is refused, or a deadline passes, only where there is that limit.';
const ONE_RUN = 'Equivalent: the events of a run stand together, and each may have an entry of its own.';
const REMOVED = 'Equivalent: the listener is removed as soon as it was called.';

/** Edits that no test notices, and why not. Kept exact by `npm run mutate -- sources`. */
export const sourceSurvivors: Readonly<Record<string, string>> = {
  ...runtimeSurvivors,
  'budget/allowance.ts keptUsage.cost: 0 -> 1': NO_MONEY,
  'budget/fair-shares.ts tokenParts: 0 -> 1': ALL_SERVED,
  'budget/next-call.ts NextCall.#task: 0 -> 1': BEGUN,
  'budget/next-call.ts NextCall.#isAttempt: true -> false': BEGUN,
  'budget/next-call.ts priceOfEither: first && second -> (first) || (second)': BOTH_OR_NONE,
  'budget/limit-use.ts usedUp.used: 0 -> 1 (2)': LEFT_OUT,
  'judging/affordability.ts usedBy: 0 -> 1 (2)': LIMITED,
  'judging/affordability.ts scarcest.money: 0 -> 1': LIMITED,
  'judging/affordability.ts scarcest.tokens: 0 -> 1': LIMITED,
  'judging/judge-memory.ts JudgeMemory.#noteWriter.writer: 1 -> 0': ONE_RUN,
  'judging/strategy-effects.ts inTime: true -> false': REMOVED,
};
