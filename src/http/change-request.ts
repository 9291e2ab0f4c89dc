import { z } from '@hono/zod-openapi';
import type { ChangeOptions } from '../config/change.ts';

const cap = z.union([z.int().nonnegative(), z.literal('none')]).optional();

/** What is changed of a run's limits, or of its judge. What is absent stays as it was. */
export const ChangeRequest = z
  .strictObject({
    maxIterations: cap,
    maxSteps: cap,
    maxToolCalls: cap,
    maxTokens: cap,
    maxTime: z.union([z.int().nonnegative(), z.string().max(40)]).optional(),
    maxCost: z.union([z.number().nonnegative(), z.string().max(40)]).optional(),
    strategy: z.string().max(1_000).optional(),
    detectors: z.array(z.string().max(200)).max(100).optional(),
  })
  // Absent members only: an option that is undefined is not one that was left out.
  .transform((given) => JSON.parse(JSON.stringify(given)) as ChangeOptions);
