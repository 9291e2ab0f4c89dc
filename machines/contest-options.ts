import { z } from 'zod';

/** The most attempts that compete, and run at once. */
export const MAX_ATTEMPTS = 20;

/** The run that each attempt of a contest is, as it would be started alone. */
const Competing = z.strictObject({
  /** The name of a loop that the host knows. */
  loop: z.string().default('iteration'),
  /** The most iterations of one attempt. Null: as many as its budget allows. */
  maxIterations: z.int().positive().nullable().default(null),
  strategy: z.strictObject({ name: z.string(), config: z.json() }).nullable().default(null),
  /** The options of that loop. */
  options: z.json().optional(),
});

/** The options of a contest. Its number of attempts is its limit of iterations. */
export const ContestOptions = z.strictObject({
  /** How many attempts run at once. */
  parallel: z.int().min(1).max(MAX_ATTEMPTS).default(2),
  /** The models of the attempts, by turns. Empty: the model of the run. */
  models: z.array(z.string()).max(MAX_ATTEMPTS).default([]),
  attempt: Competing.prefault({}),
});
export type ContestOptions = z.infer<typeof ContestOptions>;
