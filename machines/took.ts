import { z } from 'zod';

const milliseconds = z.int().nonnegative();

/** The time that a command took: waiting takes no CPU time, and work does. */
export const Took = z.strictObject({
  /** From its start to its end, by a clock that is never set. */
  wallMs: milliseconds,
  /** User and system time of all its processes, nearly. Null: the system does not tell. */
  cpuMs: milliseconds.nullable(),
});
export type Took = z.infer<typeof Took>;
