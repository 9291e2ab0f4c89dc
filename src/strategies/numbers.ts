import { z } from 'zod';

// Every `error` is the end of the sentence "expected …".

/** A whole number of `things`, `least` or more. `orElse` ends the sentence with other values that the caller allows. */
export function whole(least: number, things: string, orElse = '') {
  const error = `a whole number of ${things}, ${least} or more${orElse}`;
  return z.int({ error }).min(least, { error });
}

/** The same with an upper bound. */
export function wholeWithin(least: number, most: number, things: string) {
  const error = `a whole number of ${things}, ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

/** A part of a whole. `orElse` ends the sentence with other values that the caller allows. */
export function share(orElse = '') {
  const error = `a number from 0 to 1${orElse}`;
  return z.number({ error }).min(0, { error }).max(1, { error });
}

/**
 * The parsed config of a strategy that is constructed directly. Throws a `RangeError` that names every invalid field.
 */
export function checked<Config extends z.ZodType>(strategy: string, schema: Config, config: unknown): z.output<Config> {
  const parsed = schema.safeParse(config);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: expected ${message}`);
  throw new RangeError(`strategy ${strategy}: ${wrong.join('; ')}`);
}

const Cap = z.object({ maxIterations: whole(1, 'iterations', ', or null').nullable() });

/** The same for its cap, where null leaves the end to the run's own limits. */
export const checkedCap = (strategy: string, maxIterations: number | null): number | null =>
  checked(strategy, Cap, { maxIterations }).maxIterations;

/** Ends the sentence "expected …" for a cap that is refused; null for one that is accepted. */
export const capExpected = (maxIterations: unknown): string | null =>
  Cap.safeParse({ maxIterations }).error?.issues[0]?.message ?? null;
