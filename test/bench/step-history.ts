import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** One measurement that was kept, to compare later ones with. */
export const Measured = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{7,}$/),
  on: z.iso.date(),
  /** CPU time of a step in sequence, in spins. */
  spinsPerStep: z.number().positive(),
  /** Durable steps in sequence, of the raw loop with as many commits. */
  ofRawLoop: z.number().positive(),
  /** Fifty turns at once, of our own sequence. */
  ofSequence: z.number().positive(),
});
export type Measured = z.infer<typeof Measured>;

export const historyFile = join(import.meta.dirname, 'history.jsonl');

/** Oldest first. */
export const measurements = (): readonly [Measured, ...Measured[]] =>
  z.tuple([Measured], Measured).parse(
    readFileSync(historyFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  );

/** What all others are compared with. */
export const [first] = measurements();
