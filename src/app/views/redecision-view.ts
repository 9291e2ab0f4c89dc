import { z } from 'zod';
import type { RedecidedTree } from '../../redecide/redecide-tree.ts';
import { isDecision, verdictOf } from '../../redecide/redecision.ts';

const count = z.int().nonnegative();

/** What another judge would have decided over a recorded run. */
export const RedecidedView = z.object({
  run: z.string(),
  conclusion: z.enum(['agrees', 'stops_earlier', 'goes_on', 'ends_otherwise']),
  judgements: count,
  agreeing: count,
  /** The first decision that would have been another one. */
  turn: z.object({ run: z.string(), version: count, verdict: z.string() }).nullable(),
  /** Every decision of the run itself. */
  decisions: z.array(z.object({ version: count, recorded: z.string(), other: z.string(), agrees: z.boolean() })),
});
export type RedecidedView = z.infer<typeof RedecidedView>;

/** A tree of runs, judged again, as a page shows it. */
export const redecidedView = ({ redecided, conclusion, judgements, agreeing, turn }: RedecidedTree): RedecidedView => ({
  run: redecided.run,
  conclusion,
  judgements,
  agreeing,
  turn: turn && { run: turn.run, version: turn.version, verdict: turn.verdict },
  decisions: redecided.redecisions.filter(isDecision).map(({ version, recorded, other, agrees }) => ({
    version,
    recorded: verdictOf(recorded),
    other: verdictOf(other),
    agrees,
  })),
});
