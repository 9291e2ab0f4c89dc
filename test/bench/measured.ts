import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CommitCost } from './measured-commit.ts';

/** When something was measured, of which commit, on what. */
const Circumstances = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{7,}$/),
  on: z.iso.date(),
  machine: z.string(),
});
export type Circumstances = z.infer<typeof Circumstances>;

const Estimated = z.strictObject({ value: z.number(), low: z.number(), high: z.number() });

/** Durable steps, warm, in one process, beside the raw loop. */
export const MeasuredSteps = z.strictObject({
  ...Circumstances.shape,
  /** Steps a second: of ours in sequence and 50 at once, and of the raw loop with 2.1 commits a step. */
  sequence: Estimated,
  together: Estimated,
  rawAsBefore: Estimated,
  /** The plain floor: an XState machine, one commit a transition, and no feature. */
  floor: Estimated,
  floorOfRawAsBefore: Estimated,
  floorCpuMicroseconds: Estimated,
  /** Of the raw loop with as many commits as ours, and of the one with 2.1. */
  ofRaw: Estimated,
  ofRawAsBefore: Estimated,
  togetherOfSequence: Estimated,
  togetherOfRawAsBefore: Estimated,
  cpuMicroseconds: Estimated,
  togetherCpuMicroseconds: Estimated,
  /** In sequence, with the log in memory; and in a file, where no commit waits for the disk. */
  inMemoryCpuMicroseconds: Estimated,
  unsyncedCpuMicroseconds: Estimated,
  spins: Estimated,
  commits: z.strictObject({ sequence: z.number(), together: z.number() }),
});
export type MeasuredSteps = z.infer<typeof MeasuredSteps>;

const MeasuredParts = z.strictObject({
  ...Circumstances.shape,
  parts: z.array(z.strictObject({ part: z.string(), microseconds: z.number().nonnegative() })),
});

const MeasuredCommits = z.strictObject({ ...Circumstances.shape, commits: z.array(CommitCost) });

/** Other projects on our workload, cold, each in processes of its own. */
const MeasuredPeers = z.strictObject({
  ...Circumstances.shape,
  rounds: z.int().positive(),
  lanes: z.array(
    z.strictObject({
      name: z.string(),
      keeps: z.string(),
      synchronous: z.int(),
      commitsPerStep: z.number(),
      sequence: Estimated,
      together: Estimated,
      /** How many times as fast loopfold is, in the same rounds. */
      times: z.strictObject({ sequence: Estimated, together: Estimated }),
    }),
  ),
});

/** What the page about performance is made of. */
export const MeasuredPage = z.strictObject({
  steps: MeasuredSteps,
  parts: MeasuredParts,
  commits: MeasuredCommits,
  peers: MeasuredPeers,
});
export type MeasuredPage = z.infer<typeof MeasuredPage>;

export const measuredFile = join(import.meta.dirname, 'measured.json');

export const measuredPage = (): MeasuredPage => MeasuredPage.parse(JSON.parse(readFileSync(measuredFile, 'utf8')));
