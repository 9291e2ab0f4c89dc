import { z } from 'zod';
import { FileView, RunView } from './run-parts-view.ts';

const count = z.int().nonnegative();

/** One of the runs that are compared. Money is in billionths of a US dollar. */
const ComparedRun = RunView.pick({
  run: true,
  task: true,
  loop: true,
  standing: true,
  checksPassed: true,
  tokens: true,
  costNanoUsd: true,
  toolCalls: true,
}).extend({
  /** The ending in words, with its worth. Null: it has not ended. */
  ending: z.object({ kind: z.string(), words: z.string(), reason: z.string() }).nullable(),
  /** Without the time in which it was not at work. */
  workedMs: count,
  rounds: count,
  /** What it has done, in all. */
  moves: count,
});

/** What one run did at a place. Null where it had ended. */
const MoveView = z.object({ run: z.string(), version: count, type: z.string(), text: z.string() }).nullable();

/** Several runs side by side: each list of cells has one for each of `runs`, in their order. */
export const CompareView = z.object({
  runs: z.array(ComparedRun),
  /** What they were given that was not the same. */
  given: z.array(z.object({ name: z.string(), cells: z.array(z.string()) })),
  /** How many moves are the same from the start. */
  alike: count,
  /** From a few moves before the first difference on. */
  moves: z.array(z.object({ number: z.int().positive(), isSame: z.boolean(), cells: z.array(MoveView) })),
  rounds: z.array(
    z.object({
      number: z.int().positive(),
      cells: z.array(
        z
          .object({
            attempt: z.string().nullable(),
            passed: z.boolean().nullable(),
            failing: count,
            files: count,
            decision: z.string().nullable(),
          })
          .nullable(),
      ),
    }),
  ),
  /** Null: the run does not have that check. */
  checks: z.array(z.object({ level: z.string(), name: z.string(), cells: z.array(z.boolean().nullable()) })),
  files: z.array(
    z.object({ path: z.string(), cells: z.array(FileView.pick({ added: true, removed: true }).nullable()) }),
  ),
});
export type CompareView = z.infer<typeof CompareView>;
