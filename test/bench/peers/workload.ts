import { z } from 'zod';

/** Steps of a turn. */
export const STEPS = 20;

/** Turns of one process: one after the other, all at once, or only to count what they commit. */
export const TURNS = { sequence: 50, together: 50, counted: 1 } as const;

export const Mode = z.enum(['sequence', 'together', 'counted']);
export type Mode = z.infer<typeof Mode>;

/** What the process of one program is asked for. */
export const AskedPeer = z.strictObject({
  program: z.enum(['loopfold', 'floor', 'mastra', 'langgraph']),
  /** Where the packages of other projects are. */
  installed: z.string().optional(),
  mode: Mode,
  folder: z.string(),
  form: z.string(),
  isFull: z.boolean(),
});
export type AskedPeer = z.infer<typeof AskedPeer>;

/** What it reports. */
export const PeerReport = z.strictObject({
  steps: z.int().positive(),
  seconds: z.number().positive(),
  cpuMicroseconds: z.number().nonnegative(),
  commitsPerStep: z.number().nonnegative().optional(),
  journalMode: z.string(),
  synchronous: z.int(),
});
export type PeerReport = z.infer<typeof PeerReport>;
