import { MAX_ATTEMPTS } from '../../machines/contest-facts.ts';
import { z } from 'zod';
import { MIN_ANSWER_TOKENS } from '../budget/allowance.ts';
import { parseDuration } from '../text/duration.ts';
import { NANO_USD_PER_USD } from '../text/money.ts';
import { parseSize } from '../text/size.ts';

// Options that are numbers, times, sizes or money. Every `error` is the end of the sentence "expected …" in a fault.

/** A whole number of at least so much. */
const wholeNumber = (least: number, error: string) => z.int({ error }).min(least, { error });

/** A number, or its digits: flags and the environment have only text. */
export const written = (least: number, error: string) => {
  const number = wholeNumber(least, error);
  return z.union([number, z.string().regex(/^\d+$/).transform(Number).pipe(number)], { error });
};

const ATTEMPTS = `a whole number of attempts, 1 to ${MAX_ATTEMPTS}`;

/** How many attempts compete, or run at once. */
export const attempts = written(1, ATTEMPTS).refine((count) => count <= MAX_ATTEMPTS, { error: ATTEMPTS });

const none = z.literal('none').transform(() => null);

export function cap(least: number, unit: string) {
  const error = `a whole number of ${unit}, ${least} or more, or 'none'`;
  return z.union([none, written(least, error)], { error });
}

/** The length of one answer. */
export const answerTokens = cap(MIN_ANSWER_TOKENS, 'tokens');

export const milliseconds = (least: number) => written(least, `a whole number of milliseconds, ${least} or more`);

export const TIMEOUT = 'a time such as 90s, 30m or 2h';
/** Digits without a unit are refused: the unit of `30` would be a guess. */
export const timeout = (error: string) =>
  z.union([wholeNumber(1, error), z.string().transform(parseDuration).pipe(wholeNumber(1, error))], { error });
const TIME = `${TIMEOUT}, or 'none'`;
export const duration = z.union([none, timeout(TIME)], { error: TIME });
export const iterations = cap(1, 'iterations');

const SIZE = 'a size such as 200mb or 4gb';

/** Bytes, or text with a unit. */
export const size = z.union([wholeNumber(1, SIZE), z.string().transform(parseSize).pipe(wholeNumber(1, SIZE))], {
  error: SIZE,
});

const COST = "US dollars, such as 2.50, or 'none'";
const usd = z.number({ error: COST }).nonnegative({ error: COST }).max(1e6, { error: COST });
/** US dollars as a user writes them, converted to billionths. */
export const money = z.union(
  [
    none,
    z
      .union([
        usd,
        z
          .string()
          .regex(/^\$?\d+(\.\d+)?$/)
          .transform((text) => Number(text.replace('$', '')))
          .pipe(usd),
      ])
      .transform((amount) => Math.round(amount * NANO_USD_PER_USD)),
  ],
  { error: COST },
);
