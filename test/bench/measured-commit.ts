import { z } from 'zod';

/** What a commit costs after so much CPU work, in microseconds of the clock. */
export const CommitCost = z.strictObject({
  wal: z.enum(['reused', 'growing']),
  workMicroseconds: z.number().nonnegative(),
  value: z.number().positive(),
  low: z.number().positive(),
  high: z.number().positive(),
  /** Of it, CPU time of our process. */
  cpu: z.number().nonnegative(),
});
export type CommitCost = z.infer<typeof CommitCost>;
