import { z } from 'zod';

/** What an agent has to promise where nothing else is configured. */
export const DEFAULT_PROMISE = 'TASK COMPLETE';
const MAX_PROMISE_CHARACTERS = 200;

const PHRASE = `a phrase on one line, without < > or a backtick, at most ${MAX_PROMISE_CHARACTERS} characters`;

/** The phrase between the tags. It stands on one line, and nothing in it can end the tag or the code around it. */
export const CompletionPromise = z
  .string({ error: PHRASE })
  .max(MAX_PROMISE_CHARACTERS, { error: PHRASE })
  .regex(/^[^<>`\p{Cc}\u2028\u2029]*\S[^<>`\p{Cc}\u2028\u2029]*$/u, { error: PHRASE })
  .refine((phrase) => phrase.isWellFormed(), { error: PHRASE });

/** How no promise is asked for. Letter case does not count, because that of a promise does not. */
export const NoPromise = z
  .string()
  .regex(/^[nN][oO][nN][eE]$/)
  .transform(() => null);

/** A phrase, or how none is asked for. */
export const PromiseOption = z.union([NoPromise, CompletionPromise], { error: `${PHRASE}, or 'none'` });

/** The reason why a loop ends whose agent has promised that the task is complete. */
export const PROMISE_GIVEN = 'completion promise given';

/**
 * The exact text that an agent writes to promise it.
 *
 * @example
 * promiseText('TASK COMPLETE'); // '<promise>TASK COMPLETE</promise>'
 */
export const promiseText = (phrase: string): string => `<promise>${phrase.trim()}</promise>`;
