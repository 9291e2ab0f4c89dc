import { z } from 'zod';
import { RedecidedView } from './redecision-view.ts';

const count = z.int().nonnegative();

/** What an earlier end would have saved. Money is in billionths of a US dollar. */
const Saved = z.object({
  iterations: count,
  steps: count,
  toolCalls: count,
  tokens: count,
  costNanoUsd: count,
  timeMs: count,
});

/** Which of the judges that were asked, from 0. */
const judge = count;

/** One line of what judges make of recorded runs: a run, a run that could not be judged, or the sum of one judge. */
export const LabLine = z.discriminatedUnion('kind', [
  RedecidedView.omit({ decisions: true }).extend({
    kind: z.literal('judged'),
    judge,
    /** The last recorded verdict of the run itself. */
    recorded: z.string().nullable(),
    /** From some point on nothing is known of what would have been. */
    isOpen: z.boolean(),
    saved: Saved.nullable(),
  }),
  z.object({ kind: z.literal('left_out'), judge, run: z.string(), because: z.string() }),
  z.object({
    kind: z.literal('tally'),
    judge,
    runs: count,
    conclusions: z.record(RedecidedView.shape.conclusion, count),
    open: count,
    judgements: count,
    agreeing: count,
    saved: Saved,
  }),
]);
export type LabLine = z.infer<typeof LabLine>;
