import type { Conclusion } from './conclusion.ts';
import { addSaving, NOTHING_SAVED, type Saving } from './saving.ts';
import type { RedecidedTree } from './tree.ts';

/** What one judge would have made of several runs. */
export interface Tally {
  readonly runs: number;
  /** Runs, by what the first other verdict in each comes to. */
  readonly conclusions: { readonly [conclusion in Conclusion]: number };
  /** Runs in which nothing at all would have been known from somewhere on. */
  readonly open: number;
  readonly judgements: number;
  readonly agreeing: number;
  /** By the runs that would have ended earlier. Where a run would have gone on, nobody knows what it would have cost. */
  readonly saved: Saving;
}

type Judged = Pick<RedecidedTree, 'conclusion' | 'isOpen' | 'judgements' | 'agreeing' | 'saved'>;

export function tallied(trees: readonly Judged[]): Tally {
  const count = (conclusion: Conclusion) => trees.filter((tree) => tree.conclusion === conclusion).length;
  return {
    runs: trees.length,
    conclusions: {
      agrees: count('agrees'),
      stops_earlier: count('stops_earlier'),
      goes_on: count('goes_on'),
      ends_otherwise: count('ends_otherwise'),
    },
    open: trees.filter(({ isOpen }) => isOpen).length,
    judgements: trees.reduce((sum, { judgements }) => sum + judgements, 0),
    agreeing: trees.reduce((sum, { agreeing }) => sum + agreeing, 0),
    saved: trees.reduce((sum, { saved }) => (saved ? addSaving(sum, saved) : sum), NOTHING_SAVED),
  };
}
