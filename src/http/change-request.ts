import { z } from '@hono/zod-openapi';
import type { ChangeOptions } from '../config/change.ts';
import { RunOptions } from '../config/options.ts';
import { runsUserCode } from '../strategies/strategy-kinds.ts';

const MAX_NAME_CHARS = 200;
const MAX_STRATEGY_CHARS = 1_000;
const MAX_DETECTORS = 100;

const cap = z.union([z.int().nonnegative(), z.literal('none')]).optional();
const named = z.strictObject({ name: z.string().max(MAX_NAME_CHARS), config: z.record(z.string(), z.unknown()) });

/** Whether a strategy that is asked for is a module, whose code would run on the server. */
export function isOwnStrategy(asked: unknown): boolean {
  const read = RunOptions.shape.strategy.safeParse(asked);
  return read.success && runsUserCode(read.data?.name);
}

/** The end of the sentence that refuses one. */
export const EXPECTED_STRATEGY = 'expected a strategy by its name: a module is named in the configuration';

/** What is changed of a run's limits, or of its judge. What is absent stays as it was. */
const ChangeFields = z.strictObject({
  maxIterations: cap,
  maxSteps: cap,
  maxToolCalls: cap,
  maxTokens: cap,
  maxTime: z.union([z.int().nonnegative(), z.string().max(40)]).optional(),
  maxCost: z.union([z.number().nonnegative(), z.string().max(40)]).optional(),
  strategy: z
    .union([z.string().max(MAX_STRATEGY_CHARS), named])
    .refine((asked) => !isOwnStrategy(asked), { error: EXPECTED_STRATEGY })
    .optional(),
  detectors: z
    .array(z.union([z.string().max(MAX_NAME_CHARS), named]))
    .max(MAX_DETECTORS)
    .optional(),
});

export const ChangeRequest = ChangeFields
  // Absent members only: an option that is undefined is not one that was left out.
  .transform((given) => JSON.parse(JSON.stringify(given)) as ChangeOptions);
