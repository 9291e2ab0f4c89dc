import { z } from 'zod';

/** How much a model thinks before it answers; `default` leaves that to its provider. */
export const EFFORTS = ['default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** How a run's model is asked. What is absent is left to its provider. */
export const ModelParameters = z.strictObject({
  effort: z.enum(EFFORTS).optional(),
  temperature: z.number().nonnegative().optional(),
  /** The longest answer, reasoning included. */
  maxAnswerTokens: z.int().positive().optional(),
  /** By the provider's name: what only it understands. */
  providerOptions: z.record(z.string(), z.record(z.string(), z.json())).optional(),
});
export type ModelParameters = z.infer<typeof ModelParameters>;
